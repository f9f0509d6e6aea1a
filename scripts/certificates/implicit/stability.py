"""L-stability of the enclosed method."""

from fractions import Fraction as F
from math import comb

from .. import require
from ..ball import ONE, UNIT, ZERO

#: Subdivisions of the interval.
DEEPEST = 60


def require_stable(form, facts, table, p, order):
    """Requires R(oo) = 0 and |R(iy)| <= 1 of a stiffly accurate partition."""
    stages = range(form.stages)
    last = form.evaluated[p][-1]
    is_accurate = all(form.same((p, last, j), (p, "b", j)) for j in stages)
    require(is_accurate, "weights that are not those of the last stage")
    is_explicit = not form.is_used((p, form.evaluated[p][0], form.evaluated[p][0]))
    require(not is_explicit or ("limit", p, None) in facts.imposed, "R(oo) = 0 is not imposed")
    for j in form.evaluated[p][int(is_explicit) :]:
        require(table.a[p][j][j].mid > table.a[p][j][j].rad, "a diagonal entry that may not be positive")
    require_bounded(*stability_function(table, p), order, True)


def require_bounded(numerator, denominator, order, is_damped):
    """Requires |R(iy)| <= 1, and R(oo) = 0 if it is an equation of the certificate; the poles are known to lie on the right.

    The result is a stage with an implicit equation of its own, so that the numerator has at most the degree of the denominator.
    """
    degree = max(k for k, x in enumerate(denominator) if not x.is_zero()) + int(not is_damped)
    require(all(x.has_zero() for x in numerator[degree:]), "R(oo) = 0 fails" if is_damped else "R is not bounded")
    numerator = numerator[:degree]
    found = added(squared_modulus(denominator), [-x for x in squared_modulus(numerator)])
    power = order // 2 + 1
    require(all(x.has_zero() for x in found[:power]), "|R(iy)| is not flat at zero")
    found = found[power:]
    while found and found[-1].is_zero():
        found.pop()
    is_stable = is_positive(found) and is_positive(found[::-1])
    require(is_stable, "|R(iy)| <= 1 is not proved")


def stability_function(table, p):
    """Returns N and D of R = N/D, by forward substitution over the product of all 1 - a_ii z."""
    a, stages = table.a[p], range(table.stages)
    factors = [[UNIT, -a[i][i]] for i in stages]

    def over(values, first):
        for factor in factors[first:]:
            values = times(values, factor)
        return values

    found, before = [], [UNIT]
    for i in stages:
        numerator = before
        for j in range(i):
            term = [ZERO] + [a[i][j] * x for x in found[j]]
            for factor in factors[j + 1 : i]:
                term = times(term, factor)
            numerator = added(numerator, term)
        found.append(numerator)
        before = times(before, factors[i])
    numerator = before
    for j in stages:
        numerator = added(numerator, over([ZERO] + [table.b[p][j] * x for x in found[j]], j + 1))
    return numerator, before


def times(p, q):
    product = [ZERO] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for k, y in enumerate(q):
            product[i + k] = product[i + k] + x * y
    return product


def added(p, q):
    size = max(len(p), len(q))
    return [(p[k] if k < len(p) else ZERO) + (q[k] if k < len(q) else ZERO) for k in range(size)]


def squared_modulus(p):
    """Returns |p(iy)|^2 as a polynomial in t = y^2."""
    even = [-x if k % 2 else x for k, x in enumerate(p[0::2])]
    odd = [-x if k % 2 else x for k, x in enumerate(p[1::2])]
    return added(times(even, even), [ZERO, *times(odd, odd)]) if odd else times(even, even)


def is_positive(p):
    """Proves p > 0 on [0, 1] by subdivision in the Bernstein basis, for all coefficients within their bounds."""
    n = len(p) - 1
    if n < 0:
        return True
    # Each Bernstein coefficient is a sum of coefficients with factors up to one, and later ones are their means.
    slack = F(sum(x.rad for x in p), ONE)
    middle = [F(x.mid, ONE) for x in p]
    bernstein = [sum(middle[k] * F(comb(i, k), comb(n, k)) for k in range(i + 1)) for i in range(n + 1)]
    waiting = [(bernstein, 0)]
    while waiting:
        b, depth = waiting.pop()
        if min(b) > slack:
            continue
        if b[0] <= slack or b[-1] <= slack or depth > DEEPEST:
            return False
        left, right, row = [b[0]], [b[-1]], b
        while len(row) > 1:
            row = [(x + y) / 2 for x, y in zip(row, row[1:])]
            left.append(row[0])
            right.append(row[-1])
        waiting += [(left, depth + 1), (right[::-1], depth + 1)]
    return True
