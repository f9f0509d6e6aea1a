#!/usr/bin/env bash
# sbatch --array=1-16 slurm.sh pair.design.json
# sbatch --dependency=afterok:JOB slurm.sh pair.design.json merge
#
# Shares stopped by the cluster continue when they are queued again.
#SBATCH --job-name=hemiola
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
design=$1
export RAYON_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
if [ "${2:-}" = merge ]; then
    exec hemiola merge "${design%.design.json}".part-*.search.json
fi
exec hemiola design "$design" --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --resume
