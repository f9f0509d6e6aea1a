"""Checks of order conditions, diagnosis of misprints, and completion of methods."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked
from .coefficients import text_of
from .methods import Method, as_method


@dataclass(frozen=True)
class Condition:
    """An order condition Φ(t) = 1/γ(t) that fails."""

    #: The tree, as ``[τ,[τ]]``; nodes carry the initials of partitions.
    tree: str
    #: The number of nodes.
    order: int
    #: Φ(t).
    value: float
    #: 1/γ(t).
    expected: float
    #: Φ(t) − 1/γ(t).
    residual: float


@dataclass(frozen=True)
class Tree:
    """A rooted tree whose nodes have the colors of partitions."""

    #: The tree in text, such as ``[τ,[τ]]``.
    text: str
    #: γ(t): the condition is Φ(t) = 1/γ(t).
    density: int
    #: σ(t).
    symmetry: int


@checked
def trees(order: int, partitions: int = 1) -> list[Tree]:
    """Returns all rooted trees with a given number of nodes and colors; each tree is an order condition.

    >>> [len(trees(p)) for p in range(1, 9)], len(trees(3, partitions=2))
    ([1, 1, 2, 4, 9, 20, 48, 115], 14)
    """
    return [Tree(*tree) for tree in _hemiola.trees(order, partitions)]


@checked
def tree_counts(order: int, partitions: int = 1) -> list[int]:
    """Returns the numbers of rooted trees with 1, 2, …, ``order`` nodes.

    >>> tree_counts(8, partitions=2)
    [2, 4, 14, 52, 214, 916, 4116, 18996]
    """
    return _hemiola.tree_counts(order, partitions)


@dataclass(frozen=True)
class OrderSummary:
    """The conditions of one order."""

    order: int
    conditions: int
    #: The number of conditions that fail.
    failed: int
    #: The number of conditions that hold only numerically, because last digits are off.
    numerically: int
    max_residual: float


@dataclass(frozen=True)
class OrderReport:
    """The results of :func:`check` for a method."""

    #: The order: conditions hold exactly, to the precision of the coefficients, or numerically.
    order: int
    #: The order if last digits that are off do not count as rounding.
    order_as_stated: int
    #: The order in exact arithmetic.
    exact_order: int
    #: The highest order whose conditions were evaluated.
    order_checked_to: int
    #: Whether no order was checked that fails, so that the order may be higher.
    order_capped: bool
    claimed_order: int | None
    #: The order of each partition alone.
    partition_orders: tuple[int, ...]
    #: The order of the conditions with several partitions.
    coupling_order: int | None
    separable_order: int | None
    linear_order: int | None
    non_autonomous_order: int | None
    embedded_order: int | None
    dense_order: int | None
    stage_order: int
    #: The 2-norm of the principal error coefficients; None if no order was checked that fails.
    principal_error_norm: float | None
    #: The largest of their moduli.
    principal_error_max: float | None
    symplectic: bool
    symmetric: bool
    #: The arithmetic that decided the conditions.
    arithmetic: str
    orders: tuple[OrderSummary, ...] = field(repr=False)
    #: The conditions that fail, lowest orders first.
    failures: tuple[Condition, ...] = field(repr=False)

    def __bool__(self) -> bool:
        """Returns whether the claimed order holds, also for y' = f(t, y), as far as it was checked; without a claim, whether the order is at least one."""
        return min(self.order, self._order_with_time()) >= self._reach()

    def _order_with_time(self) -> int:
        return self.order if self.non_autonomous_order is None else self.non_autonomous_order

    def _reach(self) -> int:
        """The order up to which the claim was checked."""
        return min(self.claimed_order or 1, self.order_checked_to)

    @property
    def verdict(self) -> str:
        """The verdict on the claimed order, in the words of ``hemiola check``.

        >>> check("rk4").verdict, check("rk4", 3).verdict
        ('claim order 4: verified exactly', 'claim order 4: verified exactly up to order 3, the highest checked')
        """
        reach = self._reach()
        if self.claimed_order is None:
            at_least = "≥ " if self.order_capped else ""
            with_time = self._order_with_time()
            beside = f" for y' = f(y), order {with_time} for y' = f(t, y)" if with_time < self.order else ""
            return f"no claim; order {at_least}{self.order}{beside}"
        if self.order < reach:
            return f"claim order {self.claimed_order}: FAILS (order {self.order})"
        if (with_time := self._order_with_time()) < reach:
            return f"claim order {self.claimed_order}: FAILS: order {with_time} for y' = f(t, y), {self.order} for y' = f(y)"
        if self.exact_order >= reach:
            how = "exactly"
        else:
            how = "to precision" if self.order_as_stated >= reach else "numerically"
        limit = f" up to order {reach}, the highest checked" if reach < self.claimed_order else ""
        return f"claim order {self.claimed_order}: verified {how}{limit}"

    def __str__(self) -> str:
        """Returns the verdict.

        >>> print(check("heun-2"))
        claim order 2: verified exactly
        """
        return self.verdict

    def _repr_html_(self) -> str:
        from .tables import report_table

        return report_table(self)


@checked
def check(
    method: Method | PathLike,
    order: int | None = None,
    *,
    problem: str = "general",
    linearized: int | None = None,
    tolerance: float | None = None,
    threads: int | None = None,
) -> OrderReport:
    """Checks all order conditions, with exact verdicts.

    Parameters
    ----------
    method :
        A method, or its id.
    order : optional
        The highest order whose conditions are evaluated. By default the check goes on to the first order that fails, at least to one
        above the claim.
    problem : optional
        ``general``, ``separable`` (a partition's derivative depends on the other partitions only), or ``non-autonomous``.
    linearized : optional
        The number of Newton iterations of a linearized implicit method (Gerdts 2003).
    tolerance : optional
        The largest residual of a condition that holds; by default derived from the precision of the coefficients.
    threads : optional
        The maximal number of threads.

    Raises
    ------
    HemiolaError
        If the order is out of range, or there are too many trees.

    Examples
    --------
    >>> report = check("rk4", 5)
    >>> report.order, [summary.failed for summary in report.orders], len(report.failures)
    (4, [0, 0, 0, 0, 9], 9)
    """
    chosen = as_method(method)
    found = _hemiola.check(chosen._core, order, problem, linearized, tolerance, threads)
    found["partition_orders"] = tuple(found["partition_orders"])
    found["orders"] = tuple(OrderSummary(**summary) for summary in found["orders"])
    found["failures"] = tuple(Condition(**condition) for condition in found["failures"])
    return OrderReport(**found)


#: The arrays of a method by the letters in print.
_ARRAYS = {"a": "A", "b": "b", "b̂": "b_hat", "d": "dense"}


@dataclass(frozen=True)
class Change:
    """A cell that a suggestion changes."""

    partition: str
    #: The name as in print: ``a32``, ``b4``; ``b̂4`` is an embedded weight, ``d42`` the coefficient of θ² in the weight of stage 4.
    place: str
    old: str
    new: str
    #: Whether the value was computed from the conditions; otherwise it occurs elsewhere in the table.
    solved: bool

    @property
    def entry(self) -> str:
        """The position in arrays, with indices from 0.

        >>> Change("fast", "a42", "1", "-1", False).entry, Change("fast", "d12,1", "1", "-1", False).entry
        ('fast.A[3][1]', 'fast.dense[11][0]')
        """
        printed = re.fullmatch(r"(\D+)([\d,]+)", self.place)
        assert printed is not None, self.place
        letter, indices = printed.groups()
        numbers = indices.split(",") if "," in indices or letter.startswith("b") else list(indices)
        return f"{self.partition}.{_ARRAYS[letter]}" + "".join(f"[{int(number) - 1}]" for number in numbers)


@dataclass(frozen=True)
class Suggestion:
    """A misprint that may explain the failure of a table."""

    #: The type of misprint: a lost sign, exchanged digits, …
    slip: str
    changes: tuple[Change, ...]
    #: The order with these changes, up to the claimed one.
    order: int
    max_residual: float
    #: The decimal logarithm of the number of equally good fits expected by chance.
    log_accidental_fits: float
    #: Whether it is better than chance.
    plausible: bool
    #: The method with the suggested changes.
    method: Method


@dataclass(frozen=True)
class Diagnosis:
    """The result of :func:`diagnose`."""

    #: The subject of the claim: ``order``, ``separable order``, ``embedded order`` or ``dense order``.
    claim: str
    #: The order of the unchanged table, up to the claimed one.
    order: int
    conditions: int
    failed: int
    #: Whether the claim holds, so that no diagnosis is needed.
    sound: bool
    holds_numerically: bool
    #: The number of hypotheses tried.
    tried: int
    #: The suggestions, least likely chance fit first.
    suggestions: tuple[Suggestion, ...]

    @property
    def plausible(self) -> tuple[Suggestion, ...]:
        """The suggestions that are better than chance."""
        return tuple(suggestion for suggestion in self.suggestions if suggestion.plausible)


@checked
def diagnose(
    method: Method | PathLike,
    order: int | None = None,
    *,
    separable: bool = False,
    given: Sequence[int | str] = (),
    polynomial: Mapping[int | str, Sequence[Any]] | Sequence[Any] = (),
    threads: int | None = None,
) -> Diagnosis:
    """Searches for the misprint in a table that fails a claim.

    Without an order, the claim is the first one that fails: order, separable order, embedded order, dense order.

    Parameters
    ----------
    method, order :
        The table and the order that it should have (its claims by default).
    separable : optional
        Whether the claim refers to separable problems.
    given : optional
        Partitions whose tables are known to be correct.
    polynomial : optional
        Known coefficients of the stability polynomial beyond the order, from z^(p+1) up; for several partitions a dictionary.
    threads : optional
        The maximal number of threads.

    Examples
    --------
    Kutta's 3/8 rule with a lost minus sign:

    >>> typed = Method([[0, 0, 0, 0], ["1/3", 0, 0, 0], ["-1/3", 1, 0, 0], [1, 1, 1, 0]], ["1/8", "3/8", "3/8", "1/8"], order=4)
    >>> found = diagnose(typed).suggestions[0]
    >>> found.slip, found.changes[0].place, found.changes[0].new, found.method.order()
    ('lost or added sign', 'a42', '-1', 4)
    """
    chosen = as_method(method)
    claims = _claims(chosen, order, separable)
    wanted = claims[0][1]
    known = polynomial if isinstance(polynomial, Mapping) else {0: polynomial}
    coefficients = [
        (chosen._index(which, "polynomial"), wanted + 1 + k, text_of(value, f"polynomial[{k}]"))
        for which, values in known.items()
        for k, value in enumerate(values)
    ]
    indices = [chosen._index(which, f"given[{k}]") for k, which in enumerate(given)]
    found = _hemiola.diagnose(chosen._core, claims, indices, coefficients, threads)
    found["suggestions"] = tuple(_suggestion(suggestion) for suggestion in found["suggestions"])
    return Diagnosis(**found)


def _suggestion(found: dict[str, Any]) -> Suggestion:
    found["changes"] = tuple(Change(**change) for change in found["changes"])
    found["method"] = Method._of(found["method"])
    return Suggestion(**found)


def _claims(method: Method, order: int | None, separable: bool) -> list[tuple[str, int]]:
    """Returns the claims to diagnose, with names as in the library and orders; the first claim that fails is diagnosed."""
    if separable:
        return [("separable order", order or method.claims.get("separable_order") or _wanted(method, None))]
    if order is not None:
        return [("order", order)]
    names = ("order", "separable_order", "embedded_order", "dense_order")
    found = [(name.replace("_", " "), method.claims[name]) for name in names if name in method.claims]
    return found or [("order", _wanted(method, None))]


def _wanted(method: Method, order: int | None) -> int:
    wanted = method.claims.get("order") if order is None else order
    if wanted is None:
        raise HemiolaError(f"{method.id} claims no order; expected one as an argument")
    return wanted


@checked
def complete(
    method: Method | PathLike,
    *,
    embedded: int | None = None,
    dense: int | None = None,
    extra_stage: bool = False,
) -> Method:
    """Adds embedded weights or a dense output to a method, or proves that none exist.

    Parameters
    ----------
    method :
        A method, or its id.
    embedded, dense : optional
        The requested orders.
    extra_stage : optional
        Whether weights may use the first stage of the next step.

    Raises
    ------
    NotFound
        If there are no such weights; the message names the conditions that contradict each other.

    Examples
    --------
    >>> complete("rk4", embedded=3, extra_stage=True).claims["embedded_order"]
    3
    >>> complete("rk4", embedded=3)
    Traceback (most recent call last):
        ...
    hemiola.NotFound: rk4: no embedded weights of order 3 for the partition all: ...
    """
    if embedded is None and dense is None:
        raise HemiolaError("found neither embedded nor dense; expected the order of at least one")
    return Method._of(_hemiola.complete(as_method(method)._core, embedded, dense, extra_stage))


@dataclass(frozen=True)
class Polished:
    """The exact solution behind a table of decimals."""

    #: The method with the requested decimals.
    method: Method
    #: The number of unknown decimals.
    unknowns: int
    #: The dimension of the family of solutions; zero if the solution is isolated.
    dimension: int
    #: The largest distance from a printed decimal, in units of its last digit.
    moved: float
    #: The position of that decimal, with indices from 0: ``fast.A[3][1]``.
    farthest: str
    #: Whether the printed digits explain the distance.
    explained: bool
    #: A proved bound on the distance of an exact solution from the decimals; None without a proof.
    radius: float | None
    #: The certificate of an explicit pair, if there is one.
    certificate: dict[str, Any] | None


@checked
def polish(method: Method | PathLike, order: int | None = None, *, decimals: int = 50, nearest: bool = False) -> Polished:
    """Finds the exact solution behind a table with few digits, with a proof.

    Parameters
    ----------
    method, order :
        The table and the order whose conditions should hold (its claim by default).
    decimals : optional
        The number of decimals to write, up to 50.
    nearest : optional
        Whether to select the nearest member if the solutions form a family.

    Raises
    ------
    NotFound
        If there is no solution nearby, or if the solutions form a family and ``nearest`` is not set.

    Examples
    --------
    >>> typed = Method([["0.78868", 0], ["-0.57735", "0.78868"]], ["0.5", "0.5"], order=3, decimals=5)
    >>> polish(typed, decimals=20).method.text.A[0, 0]
    '0.78867513459481288225'
    """
    chosen = as_method(method)
    found = _hemiola.polish(chosen._core, _wanted(chosen, order), decimals, nearest)
    found["method"] = Method._of(found["method"])
    found["farthest"] = _from_0(found["farthest"])
    found["certificate"] = None if found["certificate"] is None else json.loads(found["certificate"])
    return Polished(**found)


def _from_0(place: str) -> str:
    """Returns the position of an entry with indices from 0, which the libraries count from 1, as in files."""
    return re.sub(r"\[(\d+)\]", lambda found: f"[{int(found[1]) - 1}]", place.replace(".a[", ".A["))
