"""Certificates of stability polynomials: signs on cells, and the functional that bounds all limits."""

from fractions import Fraction as F
from math import factorial, isqrt as int_root

from . import boundary, fields, fraction, fractions, listed, number, require, whole

FIELDS = ("format", "stages", "order", "set", "damping", "limit_squared", "coefficients", "stability", "optimality")


def times(p, q):
    r = [F(0)] * max(len(p) + len(q) - 1, 0)
    for j, a in enumerate(p):
        for k, b in enumerate(q):
            r[j + k] += a * b
    return r


def value(p, x):
    r = F(0)
    for a in reversed(p):
        r = r * x + a
    return r


def taylor(p, center, radius):
    """Returns the coefficients of p(center + radius t)."""
    r = []
    for a in reversed(p):
        r = [F(0)] + [radius * c for c in r] if not r else [center * r[0]] + [
            center * r[k] + radius * r[k - 1] for k in range(1, len(r))] + [radius * r[-1]]
        r[0] += a
    return r


def is_negative(p, low, high):
    """Checks that Taylor's expansion about the center lies below a parabola g0 + g1 t - q t^2 that is negative for |t| <= 1."""
    g = taylor(p, (low + high) / 2, (high - low) / 2) + [F(0)] * 3
    q = -(g[2] + sum(abs(c) for c in g[3:]))
    if abs(g[1]) < 2 * q:
        return g[0] < 0 and g[1] ** 2 < 4 * abs(g[0]) * q
    return g[0] + abs(g[1]) - q < 0


def without_ends(p):
    """Divides p by its roots at 0 and 1."""
    while p and p[-1] == 0:
        p = p[:-1]
    while p and p[0] == 0:
        p = p[1:]
    while p and sum(p) == 0:
        sums, total = [], F(0)
        for c in p:
            total += c
            sums.append(total)
        p = sums[:-1]
    return p


def derivative(p):
    return [k * c for k, c in enumerate(p)][1:]


def remainder(a, b):
    a = a[:]
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        for k in range(len(b)):
            a[len(a) - len(b) + k] -= factor * b[k]
        a.pop()
        while a and a[-1] == 0:
            a.pop()
    return a


def quotient(a, b):
    a, q = a[:], []
    while len(a) >= len(b):
        q.append(a[-1] / b[-1])
        for k in range(len(b)):
            a[len(a) - len(b) + k] -= q[-1] * b[k]
        a.pop()
    return q[::-1]


def gcd(a, b):
    while b:
        a, b = b, remainder(a, b)
    return [c / a[-1] for c in a]


def odd_part(p):
    """Returns the product of the factors of odd multiplicity."""
    if len(p) <= 1:
        return p
    g = gcd(p, derivative(p))
    simple = quotient(p, g)
    return quotient(simple, odd_part(g)) if len(g) > 1 else simple


def roots_in_0_1(p):
    """Counts, by Sturm's theorem, the roots in (0, 1] of a square-free polynomial."""
    chain = [p, derivative(p)]
    while len(chain[-1]) > 1:
        rest = [-c for c in remainder(chain[-2], chain[-1])]
        if not rest:
            break
        chain.append(rest)
    def changes(x):
        signs = [v > 0 for v in (value(q, x) for q in chain) if v != 0]
        return sum(a != b for a, b in zip(signs, signs[1:]))
    return changes(F(0)) - changes(F(1))


def check_statement(statement):
    """Checks that a polynomial is nowhere positive on [0, 1]."""
    p = [F(c) for c in statement["polynomial"]]
    ends = [F(e) for e in statement.get("negative_on_cells_with_ends", [])]
    if ends:
        require(ends[0] == 0 and ends[-1] == 1 and ends == sorted(ends), "the cells do not cover [0, 1]")
        require(all(is_negative(p, a, b) for a, b in zip(ends, ends[1:])), "a cell fails")
    elif p:
        require(p[0] <= 0 and (len(odd_part(p)) == 1 or roots_in_0_1(odd_part(p)) == 0), "a change of sign")
    return p


def along(p, low, high):
    """Returns the coefficients of p(low + (high - low) t)."""
    return taylor(p, low, high - low)


def root(square):
    limit = F(int_root(square.numerator), int_root(square.denominator))
    require(limit**2 == square, "the limit is not rational")
    return limit


def on_imaginary_axis(beta, square, about):
    """Returns |R(iLy)|^2 - 1 + epsilon (y/to)^n as a polynomial in y^2, then in t."""
    even = [b * (-square) ** k for k, b in enumerate(beta[0::2])]
    odd = [b * (-square) ** k for k, b in enumerate(beta[1::2])]
    excess = times(even, even) + [F(0)] * 3
    for k, c in enumerate(times(odd, odd)):
        excess[k + 1] += c * square
    low, high, epsilon, n = F(about["from"]), F(about["to"]), F(about["epsilon"]), about["exponent"]
    require(n % 2 == 0 and epsilon >= 0 and 0 <= low < high, "no damping of that kind")
    excess[0] -= 1
    excess += [F(0)] * max(0, n // 2 + 1 - len(excess))
    excess[n // 2] += epsilon / high**n
    return along(excess, low**2, high**2)


def on_real_axis(beta, square, about):
    """Returns R(-Lx) - level or -R(-Lx) - level as a polynomial in x, then in t."""
    limit, sign = root(square), 1 if about["side"] == "above" else -1
    r = [sign * b * (-limit) ** k for k, b in enumerate(beta)]
    r[0] -= F(about["level"])
    return along(r, F(about["from"]), F(1))


def on_curve(beta, square, about):
    """Returns (|R(z)|^2 - 1) |d|^2s for z = a(t)/d(t)."""
    scale = root(square) if about["scaled"] else F(1)
    a, d = boundary.fraction(about, scale)
    total, power = ([], []), ([F(1)], [])
    for b in reversed(beta):
        total = plus(c_times(total, a), ([b * c for c in power[0]], [b * c for c in power[1]]))
        power = c_times(power, d)
    denominator = ([F(1)], [])
    for _ in beta[1:]:
        denominator = c_times(denominator, d)
    return minus(norm(total), norm(denominator))


def longest(p, q):
    n = max(len(p), len(q))
    return zip(list(p) + [F(0)] * (n - len(p)), list(q) + [F(0)] * (n - len(q)))


def add(p, q):
    return [a + b for a, b in longest(p, q)]


def minus(p, q):
    return [a - b for a, b in longest(p, q)]


def plus(z, w):
    return add(z[0], w[0]), add(z[1], w[1])


def c_times(z, w):
    return minus(times(z[0], w[0]), times(z[1], w[1])), add(times(z[0], w[1]), times(z[1], w[0]))


def norm(z):
    return add(times(z[0], z[0]), times(z[1], z[1]))


MADE = {"imaginary axis": on_imaginary_axis, "real axis": on_real_axis,
        "point": on_curve, "segment": on_curve, "arc": on_curve}


def check_bound(axis, stages, order, optimality):
    """Checks that no R of the degree and order has |R| <= 1 on an interval of length H: a functional that does not depend on the free
    coefficients is too large. See the documentation of hemiola-polynomial's `UpperBound`."""
    h = fraction(optimality["no_limit_reaches"], "the upper limit")
    places = fractions(optimality["places"], "the places")
    weights = [boundary.place(pair) for pair in listed(optimality["weights"], "the weights")]
    origin = fraction(optimality["weight_of_the_origin"], "the weight of the origin")
    require(h > 0 and len(weights) == len(places), "there are not as many weights as places")
    require(origin >= 0 and all(0 <= x <= 1 for x in places), "a place outside")
    turn = [(1, 0), (0, 1), (-1, 0), (0, -1)] if axis == "imaginary" else [(1, 0), (-1, 0)] * 2
    moments = [sum((a * turn[j % 4][0] + b * turn[j % 4][1]) * x**j for x, (a, b) in zip(places, weights))
               for j in range(stages + 1)]
    constant = F(0)
    if origin:
        # kappa times the coefficient of (y/H)^2m in |R(iy)|^2 - 1, which must not be positive.
        power = order + 2 - order % 2
        m = power // 2
        if power <= stages:
            moments[power] += 2 * origin * (-1) ** m
        if order % 2 == 0:
            moments[power - 1] -= 2 * origin * (-1) ** m * h
        constant = origin * h**power * sum(F((-1) ** (m + k), factorial(k) * factorial(power - k))
                                           for k in range(power - order, order + 1))
    # Chebyshev polynomials on the interval of length one: the coefficients of R in them are at most two.
    basis = [[1], [0, 1] if axis == "imaginary" else [1, 2]]
    for _ in range(2, stages + 1):
        last, before = basis[-1], basis[-2]
        step = [0, 2] if axis == "imaginary" else [2, 4]
        sign = 1 if axis == "imaginary" else -1
        following = [0] * (len(last) + 1)
        for j, c in enumerate(last):
            following[j] += step[0] * c
            following[j + 1] += step[1] * c
        for j, c in enumerate(before):
            following[j] += sign * c
        basis.append(following)
    unseen = 2 * sum(abs(sum(c * moments[j] for j, c in enumerate(p) if j > order)) for p in basis[: stages + 1])
    known = constant + sum(moments[j] * h**j / factorial(j) for j in range(order + 1))
    scale = 10**400
    total = F(0)
    for a, b in weights:
        square = (a * a + b * b) * scale * scale
        total += F(int_root(-(-square.numerator // square.denominator)) + 1, scale)
    require(known - unseen > total, "the functional proves nothing")


def theorem(kind, stages, order):
    """Returns the author of the theorem and the square of the limit for polynomials of a degree and order on a set without damping, or None."""
    k = F(stages - 1)
    if kind == "imaginary axis":
        if order == 1 and stages >= 2 or order == 2 and stages % 2 == 1:
            return "van der Houwen 1977", k**2
        if 2 <= order <= 4 and stages >= 4 and stages % 2 == 0:
            return "Kinnmark & Gray 1984b", k**2 - 1
        # There is only one polynomial of this degree and order.
        return ("Taylor polynomial", F(3)) if order == stages == 3 else None
    if kind == "real axis" and order == 1:
        return "Markov 1892", F(2 * stages**2) ** 2
    if kind == "disk" and order == 1:
        return "Jeltsch & Nevanlinna 1978", F(stages) ** 2
    if kind == "disk" and order == 2 and stages >= 2:
        return "Owren & Seip 1990", k**2
    return None


def read_statement(entry):
    """Checks that the fields are those of the schema."""
    proofs = {"negative_on_cells_with_ends", "roots_in_0_1"}
    fields(entry, ("about", "polynomial"), proofs, of="a statement")
    require(len(proofs & set(entry)) == 1, "a statement has not one proof")
    boundary.read_about(entry["about"])
    fractions(entry["polynomial"], "the polynomial")
    if "roots_in_0_1" in entry:
        require(entry["roots_in_0_1"] == "of even multiplicity only", "a proof that is not known")
    else:
        require(fractions(entry["negative_on_cells_with_ends"], "the ends"), "there are no cells")
    return entry


def check(certificate, _):
    """Lists the completed checks, line by line."""
    fields(certificate, FIELDS)
    beta = fractions(certificate["coefficients"], "the coefficients")
    stages, order = (whole(certificate[name], f"the {name}", 1000) for name in ("stages", "order"))
    damping = float(number(certificate["damping"], "the damping"))
    square = fraction(certificate["limit_squared"], "the square of the limit")
    require(len(beta) == stages + 1 and 1 <= order <= stages and square > 0, "degree, order and limit do not fit")
    given = boundary.read_set(certificate["set"])
    statements = [read_statement(entry) for entry in listed(certificate["stability"], "the statements")]
    require(statements, "nothing is stated")
    require(all(beta[k] == F(1, factorial(k)) for k in range(order + 1)), "the order does not hold")
    boundary.require_all_of(given, [statement["about"] for statement in statements], damping, order)
    for number_of, statement in enumerate(statements):
        stated, about = check_statement(statement), statement["about"]
        made = without_ends(MADE[about["on"]](beta, square, about))
        require(made == stated, f"the polynomial stated is another than that of statement {number_of + 1}")
    kind = given["kind"]
    is_axis = kind in boundary.AXES
    bound = "1" if damping == 0 or not is_axis else f"its bound with damping {damping}"
    rest = "" if damping == 0 or is_axis else f"; not read: that damping of {damping} is kept"
    near = "" if is_axis else ", its curves to 1e-14 of its size"
    yield f"|R| <= {bound} on the {boundary.words(given)} up to the limit{near}: checked{rest}"
    optimality = certificate["optimality"]
    require(isinstance(optimality, dict), "optimality is no object")
    if "no_limit_reaches" in optimality:
        fields(optimality, ("no_limit_reaches", "places", "weights", "weight_of_the_origin"), of="optimality")
        require(damping == 0 and is_axis, "functionals are for axes without damping")
        check_bound("imaginary" if kind == "imaginary axis" else "real", stages, order, optimality)
        gap = fraction(optimality["no_limit_reaches"], "the upper limit") ** 2 / square - 1
        require(gap > 0, "the upper limit lies below the limit")
        yield f"no limit reaches the upper one: checked; they differ by {float(min(gap, F(10) ** 300)) / 2:.1e}, relatively"
    elif "theorem" in optimality:
        fields(optimality, ("theorem",), of="optimality")
        known = theorem(kind, stages, order) if damping == 0 else None
        require(known and known[0] == optimality["theorem"], "no such theorem is known about polynomials of this degree and order on this set")
        require(known[1] == square, "the theorem gives another limit")
        yield f"the limit is the largest by a theorem, {known[0]}, whose limit it is: checked; not read: the proof of the theorem"
    else:
        fields(optimality, (), ("conditions_of_optimality",), of="optimality")
        require(optimality.get("conditions_of_optimality", "to rounding") == "to rounding", "conditions of optimality of no kind that is known")
        yield "not read: that no limit lies beyond, which is not proved"
