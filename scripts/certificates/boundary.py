"""The boundary of a spectrum in the upper half-plane, computed from its parameters and compared with the pieces of a certificate.

Sines, cosines and tangents of a certificate's pieces are doubles, so points are compared to 1e-14 of the size of the set.
"""

from fractions import Fraction as F
from math import asin, cos, hypot, radians, sin, sqrt

from . import fields, fraction as fraction_of, fractions, listed, number, require, whole

AXES = ("imaginary axis", "real axis")
ROUNDING = 1e-14
# Fields of each kind of set, and of each kind of piece.
SETS = {
    "imaginary axis": (), "real axis": (), "disk": (), "imaginary axis with real interval": ("extent",), "wedge": ("degrees",),
    "rectangle": ("width", "height"), "rays": ("least", "greatest"), "intervals": ("intervals",), "eigenvalues": ("eigenvalues",),
}
PIECES = {
    "imaginary axis": ("from", "to", "epsilon", "exponent"), "real axis": ("side", "level", "from"), "point": ("at", "scaled"),
    "segment": ("from", "to", "scaled"), "arc": ("centre", "radius", "half_tangent", "scaled"),
}


def place(pair):
    found = fractions(pair, "a place")
    require(len(found) == 2, "a place is no pair")
    return tuple(found)


def read_set(value):
    """Reads a set of a known kind, with its parameters as doubles."""
    kind = value.get("kind") if isinstance(value, dict) else None
    require(isinstance(kind, str) and kind in SETS, f"the set {kind!r:.40} is not known")
    fields(value, ("kind", *SETS[kind]), of="the set")
    def double(x):
        return float(number(x, "a parameter of the set"))
    def pair(x):
        require(len(listed(x, "a pair")) == 2, "a pair of the set is none")
        return [double(x[0]), double(x[1])]
    def parameter(x):
        return [pair(entry) for entry in x] if isinstance(x, list) else double(x)
    given = {name: parameter(value[name]) for name in SETS[kind]}
    require(all(isinstance(x, list) == (name in ("intervals", "eigenvalues")) for name, x in given.items()), "the set's parameters are others")
    return {"kind": kind, **given}


def words(given):
    """Describes the set in words, using only the fields read."""
    kind = given["kind"]
    if kind == "imaginary axis with real interval":
        return f"imaginary axis with the real interval [{-given['extent']}, 0]"
    if kind in ("intervals", "eigenvalues"):
        return f"set of {len(given[kind])} {kind}"
    if kind == "wedge":
        return f"wedge of {given['degrees']} degrees"
    if kind == "rectangle":
        return f"rectangle of width {given['width']} and height {given['height']}"
    if kind == "rays":
        return f"rays of damping ratios from {given['least']} to {given['greatest']}"
    return kind


def read_about(about):
    """Reads a piece of a known kind."""
    on = about.get("on") if isinstance(about, dict) else None
    require(isinstance(on, str) and on in PIECES, f"a piece on {on!r:.40} is not known")
    fields(about, ("on", *PIECES[on]), of="a piece")
    if on == "imaginary axis":
        whole(about["exponent"], "the exponent", 1000)
        names = ("from", "to", "epsilon")
    elif on == "real axis":
        require(about["side"] in ("above", "below"), "a side that is not known")
        names = ("level", "from")
    else:
        require(isinstance(about["scaled"], bool), "a piece is neither scaled nor not")
        names = ("half_tangent",) if on == "arc" else ()
        for name in set(PIECES[on]) - {"scaled", *names}:
            place(about[name])
    for name in names:
        fraction_of(about[name], name)


def fraction(about, scale):
    """Returns a piece as a(t)/d(t), real and imaginary parts of polynomials in t."""
    one = ([F(1)], [])
    if about["on"] == "point":
        x, y = place(about["at"])
        return ([x * scale], [y * scale]), one
    if about["on"] == "segment":
        (x, y), (u, v) = place(about["from"]), place(about["to"])
        return ([x * scale, (u - x) * scale], [y * scale, (v - y) * scale]), one
    (cx, cy), (rx, ry), tau = place(about["centre"]), place(about["radius"]), F(about["half_tangent"])
    # c + r (1 + i tau)/(1 - i tau) = ((c + r) + i tau (r - c))/(1 - i tau)
    a = ([(cx + rx) * scale, (cy - ry) * tau * scale], [(cy + ry) * scale, (rx - cx) * tau * scale])
    return a, ([F(1)], [F(0), -tau])


def segment(start, end, scaled=True):
    return ("segment", start, end, None, scaled)


def arc(center, start, angle, scaled=True):
    """Returns an arc from a point, turning about the center by an angle."""
    x, y = start[0] - center[0], start[1] - center[1]
    end = (center[0] + x * cos(angle) - y * sin(angle), center[1] + x * sin(angle) + y * cos(angle))
    return ("arc", start, end, center, scaled)


def shape(about):
    """Describes a piece of a certificate by its ends."""
    (ax, ay), (dx, dy) = fraction(about, F(1))
    at = lambda p, t: sum((c * t**k for k, c in enumerate(p)), F(0))
    def value(t):
        n, m, u, v = at(ax, t), at(ay, t), at(dx, t), at(dy, t)
        q = u * u + v * v
        return float((n * u + m * v) / q), float((m * u - n * v) / q)
    center = tuple(float(c) for c in place(about["centre"])) if about["on"] == "arc" else None
    return (about["on"], value(F(0)), value(F(1)), center, about["scaled"])


def expected(kind, given):
    """Computes the pieces of the boundary of a set."""
    zero, i, left = (0.0, 0.0), (0.0, 1.0), (-1.0, 0.0)
    if kind == "imaginary axis with real interval":
        return [segment(zero, i), segment(zero, (-given["extent"], 0.0), scaled=False)]
    if kind == "disk":
        quarter = radians(90)
        return [arc(left, zero, quarter), arc(left, (-1.0, 1.0), quarter)]
    if kind == "wedge":
        degrees = given["degrees"]
        require(0 <= degrees <= 90, "no wedge")
        angle = radians(degrees)
        ray = segment(zero, (-cos(angle), sin(angle)))
        return [ray] if degrees == 0 else [arc(zero, left, -angle), ray]
    if kind == "rectangle":
        width, height = given["width"], given["height"]
        require(width >= 0 and height >= 0 and width + height > 0, "no rectangle")
        top, corner, low = (0.0, height), (-width, height), (-width, 0.0)
        if width == 0 or height == 0:
            return [segment(zero, top if width == 0 else low)]
        return [segment(zero, top), segment(top, corner), segment(corner, low)]
    if kind == "rays":
        least, greatest = given["least"], given["greatest"]
        require(0 <= least <= greatest <= 1, "no damping ratios")
        end = lambda zeta: (-zeta, sqrt((1 - zeta) * (1 + zeta)))
        if least == greatest:
            return [segment(zero, end(least))]
        turn = asin(least) - asin(greatest)
        return [arc(zero, end(greatest), turn), segment(zero, end(least)), segment(zero, end(greatest))]
    require(kind == "intervals", f"the set {kind!r} is not known")
    require(all(low <= high <= 0 for low, high in given["intervals"]), "no intervals of the negative axis")
    return [segment((high, 0.0), (low, 0.0)) for low, high in given["intervals"]]


def near(a, b, size):
    return hypot(a[0] - b[0], a[1] - b[1]) <= ROUNDING * size


def alike(one, other, size):
    centers = one[3] is None and other[3] is None or one[3] and other[3] and near(one[3], other[3], size)
    return one[0] == other[0] and one[4] == other[4] and centers and near(one[1], other[1], size) and near(one[2], other[2], size)


def require_all_of(given, pieces, damping, order):
    """Checks that the pieces form the whole boundary of the set."""
    kind = given["kind"]
    require(0 <= damping < 1, "no damping")
    if kind == "imaginary axis":
        return require_imaginary_axis(pieces, damping, order)
    if kind == "real axis":
        return require_real_axis(pieces, damping)
    require(all(piece["on"] in ("point", "segment", "arc") for piece in pieces), "a piece of another set")
    if kind == "eigenvalues":
        return require_eigenvalues(given["eigenvalues"], pieces)
    shapes = [shape(piece) for piece in pieces]
    wanted = expected(kind, given)
    size = max(hypot(*end) for piece in wanted for end in piece[1:3])
    require(all(any(alike(piece, there, size) for there in shapes) for piece in wanted), "the curves are not the boundary of the set")


def require_eigenvalues(values, pieces):
    places = [shape(piece)[1] for piece in pieces if piece["scaled"]]
    size = max(hypot(x, y) for x, y in values)
    require(all(x <= ROUNDING * size for x, _ in values), "an eigenvalue in the right half-plane")
    wanted = [(min(x, 0.0), abs(y)) for x, y in values if hypot(x, y) > ROUNDING * size]
    require(all(any(near(value, there, size) for there in places) for value in wanted), "an eigenvalue is left out")


def require_imaginary_axis(pieces, damping, order):
    """Checks that pieces cover 0 to the limit without gaps; damped as DESIGN defines it: b^2 = 1 - epsilon (y/y_1)^n, then constant."""
    require(all(piece["on"] == "imaginary axis" for piece in pieces), "a piece of another set")
    ends = [F(0)] + [F(piece["to"]) for piece in pieces]
    require([F(piece["from"]) for piece in pieces] == ends[:-1] and ends[-1] == 1, "the pieces do not cover the axis")
    power = order + 2 - order % 2
    for k, piece in enumerate(pieces):
        if damping == 0:
            require(F(piece["epsilon"]) == 0, "damping that was not asked for")
        else:
            require(F(piece["epsilon"]) == F(damping * (2.0 - damping)), "another damping")
            require(piece["exponent"] == (power if k == 0 else 0), "damping of another kind")


def require_real_axis(pieces, damping):
    """Checks R <= 1 and -R <= level everywhere, and R <= level from the point where R first reaches it."""
    require(all(piece["on"] == "real axis" for piece in pieces), "a piece of another set")
    above = [piece for piece in pieces if piece["side"] == "above"]
    below = [piece for piece in pieces if piece["side"] == "below"]
    whole = lambda piece, level: F(piece["from"]) == 0 and F(piece["level"]) == level
    level = 1 - F(damping)
    require(any(whole(piece, 1) for piece in above) and any(whole(piece, level) for piece in below), "the pieces do not cover the axis")
    if damping != 0:
        require(any(F(piece["level"]) == level and F(piece["from"]) < 1 for piece in above), "the damping is not stated")
