#!/usr/bin/env bash
# parallel.sh pair.design.json SHARES [OPTIONS OF GNU PARALLEL]: a search by GNU parallel, each share on one thread.
#
# Failed shares are tried three times, and continue from their last state.
set -euo pipefail
design=$1 shares=$2
shift 2
export RAYON_NUM_THREADS=1
seq "$shares" | parallel --retries 3 "$@" hemiola design "$design" --part "{}/$shares" --resume
unset RAYON_NUM_THREADS
hemiola merge "${design%.design.json}".part-*-of-"$shares".search.json
