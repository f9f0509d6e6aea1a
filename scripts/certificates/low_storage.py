"""Butcher tableaus of low-storage forms: the algorithms of the literature, run on vectors of coefficients.

A register is the vector of the factors of h f(y_1), h f(y_2), … in it. The factors of the initial value are not stored: in each
stage they sum to one.
"""

import re
from fractions import Fraction as F

from . import require


# Largest distance of a sum of factors of the initial value from one, for coefficients with few digits.
AGREEMENT = F(1, 10**4)


def tableau(form, vectors):
    """Returns A, b and the embedded weights, None without any, from the vectors of a form by name."""
    houwen_form = re.fullmatch("([2-9])R", form)
    if form == "2N":
        require_lengths(vectors, {"A": 0, "B": 0})
        require(vectors["A"][0] == 0, "A_1 of the form 2N is not 0")
        return williamson(vectors["A"], vectors["B"])
    if houwen_form:
        registers = int(houwen_form[1])
        require_lengths(vectors, {"b": 0, **{f"a{k}": -k for k in range(1, registers)}})
        return houwen(registers, vectors)
    require(form in ("2S", "2S*", "3S*"), f"an unknown low-storage form: {form!r:.40}")
    names = {"beta": 0, "gamma1": 0, "gamma2": 0} | ({"gamma3": 0} if form == "3S*" else {})
    more = {"2S": 1, "3S*": 2}.get(form)
    if more is not None:
        s = len(vectors.get("beta", []))
        has_embedded = len(vectors.get("delta", [])) == s + more
        names["delta"] = more if has_embedded else 0
    require_lengths(vectors, names)
    return ketcheson(form, vectors)


def require_lengths(vectors, lengths):
    """Requires exactly these vectors; each length is relative to the number of stages."""
    require(set(vectors) == set(lengths), f"the vectors {sorted(vectors)} instead of {sorted(lengths)}")
    s = len(next(vectors[name] for name, more in lengths.items() if more == 0))
    require(s > 0, "a form without stages")
    wrong = [name for name, more in lengths.items() if len(vectors[name]) != max(s + more, 0)]
    require(not wrong, f"the length of {', '.join(wrong)} does not match {s} stages")


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
    # The factor of the initial value in S2, which remains one in 2S*.
    start = F(1) if form == "2S*" else F(0)
    for i in range(s):
        rows.append(first)
        start += delta[i]
        factor = vectors["gamma1"][i] + vectors["gamma2"][i] * start + (vectors["gamma3"][i] if form == "3S*" else 0)
        require(abs(factor - 1) <= AGREEMENT, f"the factors of the initial value after stage {i + 1} do not sum to one")
        second = [x + delta[i] * y for x, y in zip(second, first)]
        stage = [vectors["gamma1"][i] * y + vectors["gamma2"][i] * x for y, x in zip(first, second)]
        stage[i] += beta[i]
        first = stage
    if len(delta) == s:
        return rows, first, None
    require(sum(delta) != 0, "the sum of delta is 0")
    # S3 is the initial value.
    embedded = [(x + delta[s] * y) / sum(delta) for x, y in zip(second, first)]
    return rows, first, embedded
