#!/usr/bin/env bash
# nodepy 1.1.1: imaginary_stability_interval(mode='exact'), the default, reads the stored decimals of a method as exact numbers. Near
# y = 0, |R(iy)| - 1 is as small as a power of y, so that the last digit of a coefficient decides: CMR6 (Calvo, Montijano and Randez)
# gets the interval 0, where |R(iy)| <= 1 + 1e-15 up to y = 2.6; SSP54 gets 0.0004 for 3.27. Methods stored as fractions are right.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" --quiet install nodepy==1.1.1 numpy==2.4.6 sympy==1.14.0 mpmath==1.3.0 matplotlib six
MPLBACKEND=Agg "$folder/env/bin/python" -W ignore - <<'PY'
import mpmath
from sympy import Rational
from nodepy import rk

mpmath.mp.dps = 50

def growth(method, upto):
    """The largest |R(iy)| - 1 on a grid of (0, upto], in fifty digits."""
    p, _ = method.stability_function(mode="exact")
    r = [mpmath.mpf(Rational(x).p) / Rational(x).q for x in p.c[::-1]]
    value = lambda y: abs(sum(c * mpmath.mpc(0, y) ** k for k, c in enumerate(r))) - 1
    return max(value(mpmath.mpf(upto) * i / 2000) for i in range(1, 2001))

for name, upto in [("CMR6", 2.6), ("SSP54", 3.27), ("RK44", 2.828)]:
    method = rk.loadRKM(name)
    interval, most = method.imaginary_stability_interval(), growth(method, upto)
    print(f"{name}: interval {float(interval):.6f}; |R(iy)| - 1 up to y = {upto}: at most {mpmath.nstr(most, 3)}")
    assert most < 1e-14
    assert interval > 2.8 if name == "RK44" else interval < 0.001, "the answer has changed"
PY
