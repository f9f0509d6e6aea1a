"""Certificates of diagonally implicit methods: a method with exactly the claimed properties lies within the last decimals.

The unknowns are coefficients, each with all its positions; all others are as written. Krawczyk's operator encloses a solution of the
equations stated. The conditions of all colored trees follow by these rules, where c are the abscissae:

- weights that are the same unknowns make the color of the root irrelevant, equal abscissae that of leaves;
- where A c = c^2/2 holds for a partition, a node of it with one leaf is half of two leaves. Elsewhere it is so below nodes whose
  vector vanishes there; if only one stage is left and both trees are conditions, this vector vanishes;
- if b A - b (1 - c) is orthogonal, by conditions, to vectors that span all stages, it vanishes, and of b v, b A v and b (c v) two
  conditions imply the third; otherwise embedded weights may lie on the line from the weights along it;
- the weights are the last row of a stiffly accurate partition, whose abscissa is one.

R vanishes at infinity, and |R(iy)| <= 1 for the enclosed method: |D|^2 - |N|^2 is a polynomial in t = y^2, divided by the power of t that
the order implies. It is positive by the signs of its Bernstein coefficients on [0, 1] and, with 1/t, on the rest.
"""

from fractions import Fraction as F
from pathlib import Path

from .. import fields, listed, number, require, text, trees, whole
from ..ball import UNIT, ZERO, Ball
from ..inverse import deviation
from ..method import NUMBER, Method
from ..pair import Slope
from .equations import Equation
from .facts import Facts
from .form import Form
from .stability import require_stable

FIELDS = ("format", "method", "table", "order", "stage_order", "unknowns", "equations", "solution", "radius", "residual", "contraction")
HIGHEST_ORDER = 5


def check(certificate, arguments):
    """Lists the completed checks, line by line."""
    fields(certificate, FIELDS, ("embedded_order",))
    name = text(certificate["method"], "the method")
    method = Method(method_file(name, arguments))
    require(method.id == name, f"the certificate is about {name}, the file is {method.id}")
    require(certificate["table"] == method.digest(), f"the certificate is about another table: this one is {method.digest()}")
    order = whole(certificate["order"], "the order")
    require(1 <= order <= HIGHEST_ORDER, "no order from 1 to 5")
    require(int(method.data["claims"].get("order", 0)) == order, "the method claims another order")
    embedded = certificate.get("embedded_order")
    require(method.claims.get("embedded_order") == embedded, "the method claims another embedded order")
    require(embedded is None or 1 <= whole(embedded, "the embedded order") <= order, "an embedded order above the order")
    form = Form(method, certificate["unknowns"])
    equations = [Equation(entry, form) for entry in listed(certificate["equations"], "the equations")]
    highest = {"condition": order, "embedded condition": embedded or 0}
    is_low = all(trees.order(equation.tree) <= highest[equation.kind] for equation in equations if equation.tree)
    require(is_low, "a condition of an order that is not claimed")
    solution = [decimal(entry) for entry in listed(certificate["solution"], "the solution")]
    require(len(solution) == len(form.unknowns), f"the solution has {len(solution)} numbers; expected {len(form.unknowns)}")
    radius, residual, contraction = (number(certificate[field], f"the {field}") for field in ("radius", "residual", "contraction"))
    require(contraction <= F(1, 2), "the contraction stated is larger than 1/2")
    # A solution may be farther away than the last digit because all coefficients are rounded, and equations may be ill-conditioned.
    require(0 < radius <= method.last_digit() * 10**8, "the radius is beyond the last digits")
    near = form.table(solution, F(0), F(1), lambda x: x)
    missed = [equation.residual(near) for equation in equations]
    eps = max(map(abs, missed), default=F(0))
    require(eps <= residual, f"the equations miss {float(eps):.3e}, more than stated")
    yield f"{len(equations)} equations for {len(form.unknowns)} unknowns miss at most {float(residual):.1e}: checked"
    x = form.values
    ball = [Slope(Ball.of(entry, radius), {k: UNIT}) for k, entry in enumerate(x)]
    around = form.table(ball, Slope(ZERO, {}), Slope(UNIT, {}), lambda x: Slope(Ball.of(x), {}))
    rows = [[found.slopes.get(k, ZERO) for k in range(len(x))] for found in (equation.residual(around) for equation in equations)]
    require(0 < len(rows) <= len(x), "more equations than unknowns")
    within, found = deviation(rows)
    require(found <= contraction, f"the contraction is {float(found):.2e}, more than stated")
    distance = max(abs(a - b) for a, b in zip(x, solution)) + within([residual] * len(missed))
    require(distance <= radius, f"the radius is {float(distance):.4e}, larger than stated")
    yield f"a solution of them lies within {float(radius):.1e} of the table: checked"
    balls = form.table([Ball.of(entry, radius) for entry in x], ZERO, UNIT, Ball.of)
    facts = Facts(form, equations, balls, order)
    for kind, highest in (("condition", order), ("embedded condition", embedded)):
        if highest is not None:
            count, used = facts.require_all(kind, highest)
            yield f"all {count} {kind}s up to order {highest} follow from {used}: checked"
    stage_order = whole(certificate["stage_order"], "the stage order", 2)
    for part in form.implicit:
        label = form.names[part]
        if stage_order >= 2:
            require(not facts.fails(part) & set(form.evaluated[part]), f"no stage order two of the {label} partition")
            yield f"stage order two at the evaluations of the {label} partition: checked"
        require_stable(form, facts, balls, part, order)
        yield f"L-stable {label} partition, |R(iy)| <= 1 and R(oo) = 0: checked"
        limits = [kind for kind in ("bounded", "limit") if form.has_embedded and ("embedded " + kind, part, None) in facts.imposed]
        first = form.evaluated[part][0]
        if "bounded" in limits or limits and form.is_used((part, first, first)):
            yield f"embedded weights of the {label} partition, R(oo) {'= 0' if 'limit' in limits else 'bounded'}: checked"


def decimal(value):
    require(isinstance(value, str) and NUMBER.fullmatch(value), f"no decimal: {value!r:.40}")
    return F(value)


def method_file(name, arguments):
    if len(arguments) > 1:
        return Path(arguments[1])
    require("/" not in name and "\\" not in name, "the method is no id")
    here, name = Path(arguments[0]).resolve().parent, name + ".json"
    found = [place for place in (here / name, here.parent.parent / "tableaus" / name) if place.is_file()]
    require(found, f"the method {name} is neither beside the certificate nor in ../../tableaus: give its file")
    return found[0]
