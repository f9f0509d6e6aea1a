"""Reads the steps of rklib, a Fortran library, for scripts/compare-library.

`tables(path)` yields a name, A, b, b_hat and None as exact fractions. A step evaluates `me%f(t+…, x+h*(…), f2)` and ends with
`xf = x+h*(…)` and `xerr = h*(…)`; all are linear in h·f1, h·f2, …, so their coefficients follow from unit vectors.
"""

import re
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
ALLOWED = re.compile(r"[\w\s+*/().\-]+")


def root(x):
    return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).sqrt())


def evaluate(text, names):
    """Evaluates an arithmetic expression of Fortran exactly, roots to sixty digits; raises an error for anything else."""
    plain = re.sub(r"_wp\b", "", text)
    if not ALLOWED.fullmatch(plain):
        raise ValueError(text)
    plain = re.sub(r"(?<![\w.])(\d+\.?\d*|\.\d+)(?:[eEdD]([-+]?\d+))?", lambda m: f"Fraction('{m[1]}e{m[2] or 0}')", plain)
    return eval(plain, {"__builtins__": {}, "Fraction": Fraction, "sqrt": root, **names})


def coefficients(text, names, slopes):
    """Returns the coefficients of the slopes in an expression that is linear in them."""
    known = {**names, **dict.fromkeys(slopes, Fraction(0)), "x": Fraction(0), "h": Fraction(1)}
    return [evaluate(text, {**known, slope: Fraction(1)}) for slope in slopes]


def step(body):
    body = re.sub(r"!.*", "", re.sub(r"&\s*(?:!.*)?\n\s*&?", " ", body))
    names = {}
    for line in re.findall(r"parameter\s*::\s*(.*)", body):
        name, expression = line.split("=", 1)
        names[name.strip()] = evaluate(expression.strip(), names)
    calls = {slope: text for text, slope in re.findall(r"call me%f\([^,]*,(.*),\s*(f\d+)\)", body)}
    (weights,) = re.findall(r"^\s*xf\s*=\s*(.*)", body, re.MULTILINE)
    error = re.findall(r"^\s*xerr\s*=\s*(.*)", body, re.MULTILINE)
    # Slopes are numbered from 0 or from 1.
    slopes = sorted({*calls, *re.findall(r"\bf\d+", " ".join([weights, *error, *calls.values()]))}, key=lambda slope: int(slope[1:]))
    b = coefficients(weights, names, slopes)
    rows = {slope: coefficients(text, names, slopes) for slope, text in calls.items()}
    # A last evaluation at the end of the step is cached.
    defaults = {slopes[0]: [Fraction(0)] * len(slopes), slopes[-1]: b}
    A = [rows.get(slope, defaults.get(slope)) for slope in slopes]
    return A, b, [x - e for x, e in zip(b, coefficients(error[0], names, slopes))] if error else None, None


def tables(path):
    for name, body in re.findall(r"module procedure (\w+)\n(.*?)end procedure", path.read_text(), re.DOTALL):
        try:
            A, b, b_hat, c = step(body)
        except (ArithmeticError, NameError, SyntaxError, TypeError, ValueError):
            continue
        if None not in A and abs(sum(b) - 1) < Fraction(1, 10**6):
            yield name, A, b, b_hat, c
