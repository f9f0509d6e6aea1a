"""Butcher tableaus of low-storage forms: the algorithms of the literature, run on vectors of coefficients.

A register is the vector of the factors of h f(y_1), h f(y_2), … in it. The factors of the initial value are left out: those in a
stage sum to one.
"""

import re
from fractions import Fraction as F

from . import require


def tableau(form, vectors):
    """Returns A, b and the embedded weights, None without any, from the vectors of a form by name."""
    if form == "2N":
        return williamson(vectors["A"], vectors["B"])
    if re.fullmatch("[2-9]R", form):
        return houwen(int(form[0]), vectors)
    require(form in ("2S", "2S*", "3S*"), f"an unknown low-storage form: {form!r:.40}")
    return ketcheson(form, vectors)


def williamson(a, b):
    """2N (Williamson 1980): S2 := A_i S2 + h f(S1), S1 := S1 + B_i S2."""
    s = len(b)
    solution, change, rows = [F(0)] * s, [F(0)] * s, []
    for i in range(s):
        rows.append(solution)
        change = [a[i] * x for x in change]
        change[i] += 1
        solution = [y + b[i] * x for y, x in zip(solution, change)]
    return rows, solution, None


def houwen(registers, vectors):
    """mR (van der Houwen 1977): the weights b in all columns of A but for its first m - 1 subdiagonals."""
    b = vectors["b"]
    entry = lambda i, j: b[j] if i - j >= registers else vectors[f"a{i - j}"][j]
    return [[entry(i, j) if j < i else F(0) for j in range(len(b))] for i in range(len(b))], b, None


def ketcheson(form, vectors):
    """2S, 2S* and 3S* (Ketcheson 2010): S2 := S2 + delta_i S1, S1 := gamma_1i S1 + gamma_2i S2 + gamma_3i S3 + beta_i h f(S1)."""
    beta = vectors["beta"]
    s = len(beta)
    delta = vectors["delta"] if form != "2S*" else [F(0)] * s
    first, second, rows = [F(0)] * s, [F(0)] * s, []
    for i in range(s):
        rows.append(first)
        second = [x + delta[i] * y for x, y in zip(second, first)]
        stage = [vectors["gamma1"][i] * y + vectors["gamma2"][i] * x for y, x in zip(first, second)]
        stage[i] += beta[i]
        first = stage
    if len(delta) == s:
        return rows, first, None
    # S3 is the initial value.
    embedded = [(x + delta[s] * y) / sum(delta) for x, y in zip(second, first)]
    return rows, first, embedded
