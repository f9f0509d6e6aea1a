"""Composition of methods: several steps as one method, polynomials as methods."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from ._hemiola import HemiolaError
from .arguments import PathLike
from .coefficients import fraction_of, text_of
from .methods import Method, as_method

#: The digits of products of rounded coefficients.
_DIGITS = 60


def compose(
    methods: Sequence[Method | PathLike],
    fractions: Sequence[Fraction | int | str | float] | None = None,
    *,
    id: str | None = None,
    name: str | None = None,
) -> Method:
    """Composes several steps into one method: a step of the first method with its fraction of h, then one of the second method, and so on.

    Parameters
    ----------
    methods :
        Methods with the same number of partitions, in the order of their steps.
    fractions : optional
        The fraction of h of each step, in any exact form that :class:`hemiola.Method` accepts. The default is equal fractions with sum 1.
    id, name : optional
        The id and the display name of the method.

    Returns
    -------
    Method
        A method with the stages of all methods, with exact coefficients and the partition names of the first one. Its stability matrix is
        the product of their stability matrices.

    Examples
    --------
    >>> twice = compose(["rk4", "rk4"])
    >>> twice.order(), twice.stages, twice.imaginary_stability_interval() == 2 * as_method("rk4").imaginary_stability_interval()
    (4, 8, True)
    >>> compose(["explicit-euler", "implicit-euler"]).order()
    2
    """
    chosen = [as_method(one) for one in methods]
    if not chosen:
        raise HemiolaError("found no method; expected at least 1")
    counts = [len(one.partitions) for one in chosen]
    if len(set(counts)) > 1:
        raise HemiolaError(f"found methods with {counts} partitions; expected as many in each")
    given = [Fraction(1, len(chosen))] * len(chosen) if fractions is None else list(fractions)
    if len(given) != len(chosen):
        raise HemiolaError(f"found {len(given)} fractions; expected {len(chosen)}, one for each method")
    weights = [text_of(weight, f"fractions[{k}]") for k, weight in enumerate(given)]
    texts = [one._core.texts(True) for one in chosen]
    decimals = [one.decimals for one in chosen if one.decimals is not None]
    names = chosen[0].partitions
    parts = {name_of: _partition([text[r] for text in texts], weights, bool(decimals)) for r, name_of in enumerate(names)}
    called = "-then-".join(one.id for one in chosen)
    A, b, c = ({name_of: part[key] for name_of, part in parts.items()} for key in ("A", "b", "c"))
    return Method(
        A=A,
        b=b,
        c=c,
        id=id or called,
        name=name or ", then ".join(one.name for one in chosen),
        decimals=min(decimals) if decimals else None,
    )


def _partition(parts: Sequence[dict[str, Any]], weights: Sequence[str], is_rounded: bool) -> dict[str, Any]:
    """Returns one partition of the composed steps; each step starts from the result of the previous ones."""
    stages = sum(len(part["b"]) for part in parts)
    A: list[list[str]] = []
    b: list[str] = []
    c: list[str] = []
    begun = "0"
    for part, weight in zip(parts, weights):

        def scaled(values: Sequence[str]) -> list[str]:
            return [_calculated(weight, "*", value, is_rounded) for value in values]

        rest = ["0"] * (stages - len(b) - len(part["b"]))
        A += [[*b, *scaled(row), *rest] for row in part["a"]]
        c += [_calculated(begun, "+", value, is_rounded) for value in scaled(part["c"])]
        b += scaled(part["b"])
        begun = _calculated(begun, "+", weight, is_rounded)
    return {"A": A, "b": b, "c": c}


def _calculated(left: str, operation: str, right: str, is_rounded: bool) -> str:
    """Returns a fraction if both operands are fractions, otherwise an expression. For rounded coefficients it returns decimals, since a
    fraction would count as exact."""
    try:
        first, second = fraction_of(left), fraction_of(right)
    except HemiolaError:
        return f"({left}){operation}({right})"
    exact = first * second if operation == "*" else first + second
    if is_rounded and "." in left + right:
        with localcontext() as context:
            context.prec = _DIGITS
            return str(Decimal(exact.numerator) / exact.denominator)
    return str(exact)


def method_of_polynomial(beta: Sequence[Fraction], id: str, name: str) -> Method:
    """Returns an explicit method whose stability function is exactly Σ β_k z^k with β₀ = 1.

    With ones below the diagonal, A^{k−1}1 is one from stage k on, and weights b_k = β_k − β_{k+1} have the sums β_k.
    """
    if beta[0] != 1:
        raise HemiolaError(f"found β_0 = {beta[0]}; expected 1")
    stages = len(beta) - 1
    A = [[int(j == i - 1) for j in range(stages)] for i in range(stages)]
    b = [beta[k] - (beta[k + 1] if k < stages else 0) for k in range(1, stages + 1)]
    return Method(A=A, b=b, id=id, name=name)
