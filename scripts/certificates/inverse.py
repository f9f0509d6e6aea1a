"""Right inverses of matrices of balls, and bounds on their defects."""

from fractions import Fraction as F
from math import inf

from . import require
from .ball import ONE, Ball


def deviation(jacobian):
    """Returns a function that bounds the distance of a solution for given residuals, and a bound of |I - M R|.

    R is a right inverse of the midpoint of a matrix of balls; the bound holds for all matrices M in it. Both are computed for the equations
    as they are and for equations divided by the sizes of their gradients where these are below one, as for high coefficients of a
    polynomial, and the smaller of the two is used.
    """
    units = [unit([entry.mid for entry in row]) for row in jacobian]
    inverse = right_inverse([[F(entry.mid, ONE) for entry in row] for row in jacobian], units)
    defects = [defect(i, row, inverse) for i, row in enumerate(jacobian)]
    plain, scaled = (bounds(inverse, defects, scale) for scale in ([F(1)] * len(units), units))
    return lambda values: min(plain[0](values), scaled[0](values)), min(plain[1], scaled[1])


def defect(i, row, inverse):
    """Returns bounds of the entries of a row of I - M R."""
    used = [(j, x) for j, x in enumerate(row) if not x.is_zero()]
    entries = []
    for k in range(len(inverse[0])):
        entry = Ball(ONE if i == k else 0)
        for j, x in used:
            entry = entry - x * Ball.of(inverse[j][k])
        entries.append(F(entry.largest(), ONE))
    return entries


def bounds(inverse, defects, units):
    """Returns the bound of distances and that of |I - M R| of equations in units; without a contraction, distances have none."""
    reach = max(sum(abs(x) * unit for x, unit in zip(row, units)) for row in inverse)
    worst = max(sum(x * unit for x, unit in zip(row, units)) / own for row, own in zip(defects, units))
    farthest = lambda values: 2 * reach * max(abs(value) / unit for value, unit in zip(values, units, strict=True))
    return (farthest if 2 * worst <= 1 else lambda values: inf), worst


def unit(row):
    """Returns a power of ten within a factor of ten of the largest entry of a row, one at the most."""
    largest = F(max(map(abs, row), default=0), ONE)
    digits = len(str(largest.numerator)) - len(str(largest.denominator)) if largest else 0
    return F(10) ** min(digits, 0)


def right_inverse(jacobian, units):
    """Returns Jt (J Jt)^-1, the right inverse of smallest norm, with intermediate rounding to 60 digits of rows in their units."""
    rows = range(len(jacobian))
    jacobian = [[rounded(x / unit) for x in row] for row, unit in zip(jacobian, units)]
    gram = [[sum((x * y for x, y in zip(jacobian[i], jacobian[k]) if x and y), F(0)) for k in rows] for i in rows]
    solution = solve([[rounded(x, 90) for x in row] for row in gram], [[F(int(i == k)) for k in rows] for i in rows])
    columns = list(zip(*jacobian))
    entry = lambda column, k: rounded(sum((x * solution[i][k] for i, x in enumerate(column) if x), F(0))) / units[k]
    return [[entry(column, k) for k in rows] for column in columns]


def rounded(x, digits=60):
    return F(round(x * 10**digits), 10**digits)


def solve(matrix, right):
    """Inverts by Gauss-Jordan elimination with 90 digits."""
    n = len(matrix)
    rows = [list(matrix[i]) + list(right[i]) for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        require(abs(rows[pivot][k]) > F(1, 10**40), "the equations are not independent")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k][k]
        rows[k] = [rounded(x / head, 90) for x in rows[k]]
        for i in range(n):
            factor = rows[i][k]
            if i != k and factor:
                rows[i] = [rounded(x - factor * y, 90) if y else x for x, y in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]
