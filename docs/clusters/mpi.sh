#!/usr/bin/env bash
#SBATCH --job-name=hemiola
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
# A search on the ranks of an MPI job: sbatch mpi.sh NAME.design.json
# If the time was not sufficient, submit it again: it continues from the last state of rank 0.
set -euo pipefail
exec mpirun hemiola design "${1:?NAME.design.json}" --resume
