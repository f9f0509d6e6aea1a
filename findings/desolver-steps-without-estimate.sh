#!/usr/bin/env bash
# desolver 5.1.0: an implicit method without an embedded row, which says that it is not adaptive, changes the step all the same. Its
# error estimate is 0, so the step grows as long as Newton's iteration converges: with dt = 1/80 the unit interval takes 6 steps for
# 80, up to 0.5 long, and at tolerances of 1e-12 the implicit midpoint rule returns with an error of 3e-2 for 3e-5.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" --quiet install desolver==5.1.0 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" - <<'PY'
import numpy as np
import desolver
from desolver.integrators.implicit_integration_schemes import ImplicitMidpoint

def slope(t, y, **constants):
    return np.cos(t) * y

system = desolver.OdeSystem(slope, y0=np.array([1.0]), t=(0.0, 1.0), dt=1 / 80, rtol=1e-12, atol=1e-12)
system.method = ImplicitMidpoint
system.integrate()
exact = np.exp(np.sin(1.0))
error = abs(system.y[-1][0] - exact)
y, h = 1.0, 1 / 80
for n in range(80):
    m = h * np.cos((n + 0.5) * h) / 2
    y *= (1 + m) / (1 - m)
print("adaptive:", system.integrator.is_adaptive, "; steps:", len(system.t) - 1, "of at most", np.diff(system.t).max())
print("error:", error, "; with 80 equal steps:", abs(y - exact))
assert not system.integrator.is_adaptive
assert len(system.t) < 20 and error > 1e-2 and abs(y - exact) < 1e-4, "the behavior has changed"
PY
