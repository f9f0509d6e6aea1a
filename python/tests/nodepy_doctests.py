"""NodePy's own doctests of the verbs that Hemiola has under the same names, run with Hemiola's methods.

``python tests/nodepy_doctests.py`` prints a line for each example: equal, or different with the reason. It exits with 1 if a difference has
no reason here, and compares the SSP coefficients of all of NodePy's methods.
"""

from __future__ import annotations

import doctest
import importlib
import math
import sys
import types
import warnings
from fractions import Fraction

import hemiola as hm
from hemiola.convert import from_nodepy

#: Reasons for other output of an example, by verb and source line.
REASONS = {
    ("order", "rk4.order(mode='exact')"): "Hemiola's order() is exact; exact_order() requires exact coefficients, too.",
    ("order", 'feagin14 = load_rk_from_file("rk1412.txt")'): "NodePy's package does not contain the file.",
    ("order", "feagin14.order(tol=1.0e-12, extremely_high_order=True)"): "NodePy's package does not contain the file.",
    ("optimal_shu_osher_form", "rk2.optimal_shu_osher_form()"): (
        "NodePy bisects to 1e-10 and prints entries such as 4.0e-11 for 0; Hemiola's C = 3/2 is exact. It returns floats."
    ),
    ("circle_contractivity_radius", "rk4.circle_contractivity_radius() #doctest: +ELLIPSIS"): (
        "NodePy bisects and its example leaves the last digits open; Hemiola's radius 1 is exact."
    ),
    ("stability_function", None): "Hemiola returns one function with exact coefficients, NodePy two polynomials.",
    ("plot_stability_region", None): "Hemiola returns matplotlib axes, NodePy a figure.",
    ("plot_order_star", None): "Hemiola returns matplotlib axes, NodePy a figure.",
}

#: Largest difference of radii that NodePy's bisection explains.
BISECTION = 1e-9
#: Entries down to minus this number pass NodePy's conditions: its tolerance, and the rounding of its arithmetic.
TOLERANCE = 1e-14


class Converted:
    """Stands for ``nodepy.rk``: its methods as Hemiola's."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def loadRKM(self, which: str = "All") -> object:
        loaded = self._module.loadRKM(which)
        return {name: from_nodepy(one) for name, one in loaded.items()} if isinstance(loaded, dict) else from_nodepy(loaded)

    def __getattr__(self, name: str) -> object:
        found = getattr(self._module, name)
        if name in ("ExplicitRungeKuttaMethod", "RungeKuttaMethod"):
            return lambda A, b, **_: hm.Method(A, b)
        return found


def verbs(module: types.ModuleType) -> list[str]:
    """The names that both have, with a doctest."""
    classes = (module.RungeKuttaMethod, module.ExplicitRungeKuttaMethod)
    named = {name for one in classes for name in vars(one) if not name.startswith("_")}
    return sorted(name for name in named if hasattr(hm.Method, name))


def doctests(module: types.ModuleType) -> list[doctest.DocTest]:
    parser = doctest.DocTestParser()
    found = []
    for name in verbs(module):
        for one in (module.RungeKuttaMethod, module.ExplicitRungeKuttaMethod):
            text = getattr(vars(one).get(name), "__doc__", None)
            if text and ">>>" in text:
                found.append(parser.get_doctest(text, {}, name, None, 0))
    return found


def reason(verb: str, source: str) -> str | None:
    return REASONS.get((verb, source.strip())) or REASONS.get((verb, None))


def run_doctests(module: types.ModuleType) -> int:
    """Runs all examples; returns the number of differences without a reason."""
    unexplained = 0
    checker = doctest.OutputChecker()
    package = types.ModuleType("nodepy")
    package.rk = package.runge_kutta_method = Converted(module)  # type: ignore[attr-defined]
    real = {name: sys.modules[name] for name in ("nodepy", "nodepy.runge_kutta_method")}
    sys.modules["nodepy"] = package
    sys.modules["nodepy.runge_kutta_method"] = package.rk  # type: ignore[assignment, attr-defined]
    try:
        for test in doctests(module):
            names: dict[str, object] = {"np": importlib.import_module("numpy")}
            for example in test.examples:
                got = outcome(example.source, names)
                equal = checker.check_output(example.want, got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
                if not example.want and got == "":
                    continue
                why = None if equal else reason(test.name, example.source)
                unexplained += not equal and why is None
                verdict = "equal" if equal else f"different: {why or 'UNEXPLAINED'}"
                print(f"{test.name}: {example.source.strip()}\n    {verdict}")
                if not equal and why is None:
                    print(f"    NodePy {example.want.strip()}\n    Hemiola {got.strip()}")
    finally:
        sys.modules.update(real)
    return unexplained


def outcome(source: str, names: dict[str, object]) -> str:
    """Returns the text that an example prints."""
    import contextlib
    import io

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(source, "<doctest>", "single"), names)
        except Exception as error:  # noqa: BLE001
            print(f"{type(error).__name__}: {error}")
    return printed.getvalue()


def compare_radii(module: types.ModuleType) -> int:
    """Compares the SSP coefficients and circle contractivity radii of all methods; returns the number of unexplained differences."""
    unexplained, equal = 0, 0
    for name, theirs in sorted(module.loadRKM("All").items()):
        try:
            ours = from_nodepy(theirs)
        except hm.HemiolaError as error:
            print(f"{name}: not converted: {error}")
            continue
        for verb, largest in (("absolute_monotonicity_radius", 200), ("circle_contractivity_radius", 1000)):
            left, right = float(getattr(theirs, verb)()), getattr(ours, verb)()
            # NodePy bisects up to a largest radius.
            is_equal = math.isclose(left, right, rel_tol=BISECTION, abs_tol=BISECTION) or (left >= largest - 1e-6 <= right)
            equal += is_equal
            if not is_equal:
                why = explained(ours, verb, left, right)
                unexplained += why is None
                print(f"{name}.{verb}: NodePy {left!r}, Hemiola {right!r}: {why or 'UNEXPLAINED'}")
    print(f"{equal} radii are equal")
    return unexplained


def explained(ours: hm.Method, verb: str, left: float, right: float) -> str | None:
    """Decides a difference in exact arithmetic, where there is a proof."""
    if ours.dj_reducible_stages():
        return "NodePy counts stages without influence on the step"
    if verb == "circle_contractivity_radius":
        if right == math.inf and ours.is_algebraically_stable():
            return "algebraically stable in exact arithmetic: the radius is unbounded"
        if right == 0 and min(ours.exact.b) <= 0:
            return "a used stage has a weight of at most 0: no r > 0 is exact, and NodePy accepts small ones within its tolerance"
        return None
    smallest = smallest_entry(ours, Fraction(left) - Fraction(BISECTION) / 10)
    if left > right and -TOLERANCE < smallest < 0 and smallest_entry(ours, Fraction(right)) >= 0:
        return f"an entry at NodePy's radius is {float(smallest):.1e} in exact arithmetic, which its tolerance accepts"
    if left < right and smallest_entry(ours, Fraction(right)) >= 0:
        return "no entry is negative at Hemiola's radius in exact arithmetic: NodePy's rounding, which depends on the machine, rejects it"
    return None


def smallest_entry(ours: hm.Method, r: Fraction) -> Fraction:
    """The smallest number among X = (I + rK)⁻¹K and e − rXe, K = [A 0; bᵀ 0], in fractions."""
    rows = [[*row, Fraction(0)] for row in ours.exact.A.tolist()] + [[*ours.exact.b.tolist(), Fraction(0)]]
    n = len(rows)
    m = [[int(i == j) + r * rows[i][j] for j in range(n)] + rows[i] for i in range(n)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if m[i][k] != 0)
        m[k], m[pivot] = m[pivot], m[k]
        m[k] = [x / m[k][k] for x in m[k]]
        for i in range(n):
            if i != k and m[i][k] != 0:
                m[i] = [x - m[i][k] * y for x, y in zip(m[i], m[k], strict=True)]
    solution = [row[n:] for row in m]
    return min(min(x for row in solution for x in row), min(1 - r * sum(row) for row in solution))


def main() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module("nodepy.runge_kutta_method")
        return 1 if run_doctests(module) + compare_radii(module) else 0


if __name__ == "__main__":
    sys.exit(main())
