#!/usr/bin/env bash
#SBATCH --job-name=hemiola
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
# A search on the ranks of an MPI job: sbatch mpi.sh NAME.design.json
# Submitted again it goes on from the state that rank 0 has left, if the time was not enough.
set -euo pipefail
exec mpirun hemiola design "${1:?NAME.design.json}" --resume
