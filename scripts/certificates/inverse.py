"""Right inverses of matrices of balls, and bounds on their defects."""

from fractions import Fraction as F

from . import require
from .ball import ONE, Ball


def deviation(jacobian, count):
    """Returns |R| for a right inverse R of the midpoint of a matrix, and a bound of |I - M R| for all matrices within its bounds."""
    inverse = right_inverse([[F(entry.mid, ONE) for entry in row] for row in jacobian])
    reach = max(sum(abs(x) for x in row) for row in inverse)
    columns = [[Ball.of(inverse[j][k]) for j in range(count)] for k in range(len(jacobian))]
    worst = 0
    for i, row in enumerate(jacobian):
        used = [(j, x) for j, x in enumerate(row) if not x.is_zero()]
        total = 0
        for k, column in enumerate(columns):
            entry = Ball(ONE if i == k else 0)
            for j, x in used:
                entry = entry - x * column[j]
            total += entry.largest()
        worst = max(worst, total)
    return reach, F(worst, ONE)


def right_inverse(jacobian):
    """Returns Jt (J Jt)^-1, the right inverse of smallest norm, with intermediate rounding to 60 digits.

    Rows are scaled by powers of ten, since high coefficients of a polynomial have tiny gradients.
    """
    rows = range(len(jacobian))
    units = [power_of_ten(max(map(abs, row), default=F(0))) for row in jacobian]
    jacobian = [[rounded(x / unit) for x in row] for row, unit in zip(jacobian, units)]
    gram = [[sum((x * y for x, y in zip(jacobian[i], jacobian[k]) if x and y), F(0)) for k in rows] for i in rows]
    unit = [[F(int(i == k)) for k in rows] for i in rows]
    solution = solve([[rounded(x, 90) for x in row] for row in gram], unit)
    columns = list(zip(*jacobian))
    entry = lambda column, k: rounded(sum((x * solution[i][k] for i, x in enumerate(column) if x), F(0))) / units[k]
    return [[entry(column, k) for k in rows] for column in columns]


def power_of_ten(x):
    """Returns the power of ten just below a positive number; one for zero."""
    digits = len(str(x.numerator)) - len(str(x.denominator)) if x else 0
    return F(10) ** digits


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
