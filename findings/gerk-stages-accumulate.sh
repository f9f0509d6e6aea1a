#!/usr/bin/env bash
# gerk 1.0.2 ("generalized explicit Runge-Kutta") takes any tableau A, b, c. The value of y at which it evaluates a stage is not put
# back to that of the step, so every stage builds on the one before: with the classical tableau of order 4, errors halve as the step does.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" --quiet install gerk==1.0.2 numpy==2.4.6 matplotlib
MPLBACKEND=Agg "$folder/env/bin/python" - <<'PY'
import math
import numpy as np
from gerk import gerk

a, b, c = [[1 / 2], [0, 1 / 2], [0, 0, 1]], np.array([1, 2, 2, 1]) / 6, [0, 1 / 2, 1 / 2, 1]
errors = []
for steps in (20, 40, 80, 160):
    _, y = gerk(a, b, c, (0.0, 1.0), 1.0, steps, lambda t, y: -y)
    errors.append(abs(y[-1] - math.exp(-1)))
ratios = [e / f for e, f in zip(errors, errors[1:])]
print("errors:", *(f"{e:.2e}" for e in errors), " ratios:", *(f"{r:.2f}" for r in ratios), "(16 for order 4)")
assert all(1.8 < r < 2.2 for r in ratios), "the order has changed"
PY
