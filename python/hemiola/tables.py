"""Objects as HTML, for notebooks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .designs import Design
    from .methods import Method
    from .runs import Solution
    from .verdicts import OrderReport

#: The largest length of a coefficient; longer texts are cut or rounded, and longer fractions are written as decimals.
_LONGEST = 24
_FRACTION = 13
_RIGHT = "border-right:1px solid currentColor"
_ABOVE = "border-top:1px solid currentColor"


def _cell(text: Any, style: str = "") -> str:
    shown = _number(str(text))
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
    return f'<td style="text-align:right;{style}">{escape("" if shown == "0" else shown)}</td>'


def _number(text: str) -> str:
    """Writes long fractions, such as sums of decimals, as decimals, because their first digits alone carry no information, and the decimals
    of a design with twelve digits, so that a tableau fits on the page."""
    is_fraction = len(text) > _FRACTION and re.fullmatch(r"-?\d+/\d+", text)
    is_decimal = len(text) > _LONGEST and re.fullmatch(r"-?\d*\.\d+", text)
    return f"{float(Fraction(text)):.12g}" if is_fraction or is_decimal else text


def method_table(method: Method) -> str:
    """Writes the Butcher tableaus of all partitions side by side, with coefficients as published."""
    tables = []
    for part in method._core.texts(True):
        rows = [
            "<tr>" + _cell(c, _RIGHT) + "".join(_cell(a) for a in row) + "</tr>" for c, row in zip(part["c"], part["a"])
        ]
        rows.append("<tr>" + _cell("", _RIGHT + ";" + _ABOVE) + "".join(_cell(b, _ABOVE) for b in part["b"]) + "</tr>")
        if part["b_hat"] is not None:
            rows.append("<tr>" + _cell("", _RIGHT) + "".join(_cell(b) for b in part["b_hat"]) + "</tr>")
        caption = "" if len(method.partitions) == 1 else f"<caption>{escape(part['name'])}</caption>"
        tables.append(f'<table style="display:inline-table;margin-right:2em">{caption}{"".join(rows)}</table>')
    return f"<div><strong>{escape(method.name)}</strong><br>{''.join(tables)}</div>"


def report_table(report: OrderReport) -> str:
    """Writes the verdict, the conditions of each order, and the order."""
    heads = "".join(f"<th>{head}</th>" for head in ("order", "conditions", "fail", "largest residual"))
    rows = "".join(
        f"<tr>{_cell(row.order)}{_cell(row.conditions)}<td style='text-align:right'>{row.failed}</td>"
        f"<td style='text-align:right'>{row.max_residual:.1e}</td></tr>"
        for row in report.orders
    )
    return (
        f"<div><strong>{escape(report.verdict)}</strong><br>order {report.order} ({report.exact_order} exactly)"
        f"<table><tr>{heads}</tr>{rows}</table></div>"
    )


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    """Writes names and values in two columns."""
    style = "text-align:left"
    rows = (f'<tr><th style="{style}">{escape(name)}</th><td style="{style}">{escape(value)}</td></tr>' for name, value in facts)
    return f"<table>{''.join(rows)}</table>"


def solution_table(solution: Solution) -> str:
    """Writes the course of a run, and draws its variables."""
    method = solution.method
    evaluations = zip(method.partitions, solution.evaluations) if len(method) == len(solution.evaluations) else ()
    counts = ", ".join(f"{count} {name}" for name, count in evaluations) if len(method) > 1 else ""
    facts = [
        ("method", method.name),
        ("time", f"{solution.t[0]:g} to {solution.t[-1]:g}" if len(solution.t) else "none asked for"),
        ("steps", f"{solution.steps}, {solution.rejected} rejected"),
        ("evaluations", counts or " + ".join(map(str, solution.evaluations))),
        ("end", solution.message),
    ]
    return f"<div>{_facts(facts)}{solution.figure().svg() if len(solution.t) else ''}</div>"


def design_table(design: Design) -> str:
    """Writes the numbers of a design, the proved properties, and its tableaus."""
    limits = (
        (f"{name} limits", f"{imaginary:.10g} on the imaginary axis, {real:.10g} on the negative real axis")
        for name, (imaginary, real) in design.limits.items()
    )
    facts = [
        ("order", str(design.spec.order)),
        ("principal error norm", f"{design.error_norm:.10g}"),
        *limits,
        ("largest coefficient", f"{design.largest_coefficient:.10g}"),
        ("slow stages, from 0", ", ".join(map(str, design.slow_stages))),
        ("certificate", design.proof),
        ("starts", f"{design.tried}, {design.solved} of them solved"),
    ]
    return f"<div>{method_table(design.method)}{_facts(facts)}</div>"
