#!/usr/bin/env bash
# desolver 5.1.0: the class RadauIIA3 declares order 3, but its entry a22 is 1/3 where Radau IIA has 1/4. Its abscissa c2 = 1 is
# not the row sum 13/12, and b·A·1 = 25/48 where order 2 asks for 1/2: the method has order 1.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" --quiet install desolver==5.1.0 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" - <<'PY'
from fractions import Fraction
from desolver.integrators.implicit_integration_schemes import RadauIIA3

exact = lambda rows: [[Fraction(float(x)).limit_denominator(1000) for x in row] for row in rows]
stages = exact(RadauIIA3.tableau_intermediate)
weights = exact(RadauIIA3.tableau_final)[0][1:]
a = [row[1:] for row in stages]
second = sum(b * sum(row) for b, row in zip(weights, a))
print("declared order:", RadauIIA3.__order__)
print("A =", [[str(x) for x in row] for row in a], " c =", [str(row[0]) for row in stages])
print("sum of weights:", sum(weights), "; b A 1 =", second, "(order 2 asks for 1/2)")
assert RadauIIA3.__order__ == 3.0 and sum(weights) == 1
assert a[1][1] == Fraction(1, 3) and second == Fraction(25, 48), "the table has changed"
PY
