"""Objects as HTML, for notebooks."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .methods import Method
    from .verdicts import OrderReport

#: Longer texts are cut, and longer fractions are written as decimals.
_LONGEST = 24
_FRACTION = 13
_RIGHT = "border-right:1px solid currentColor"
_ABOVE = "border-top:1px solid currentColor"


def _cell(text: Any, style: str = "") -> str:
    shown = _number(str(text))
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
    return f'<td style="text-align:right;{style}">{escape("" if shown == "0" else shown)}</td>'


def _number(text: str) -> str:
    """Writes long fractions, such as sums of decimals, as decimals, because their first digits alone carry no information."""
    return f"{float(Fraction(text)):.12g}" if len(text) > _FRACTION and re.fullmatch(r"-?\d+/\d+", text) else text


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
    """Writes the conditions of each order, and the order."""
    heads = "".join(f"<th>{head}</th>" for head in ("order", "conditions", "fail", "largest residual"))
    rows = "".join(
        f"<tr>{_cell(row.order)}{_cell(row.conditions)}<td style='text-align:right'>{row.failed}</td>"
        f"<td style='text-align:right'>{row.max_residual:.1e}</td></tr>"
        for row in report.orders
    )
    return f"<div>order {report.order} ({report.exact_order} exactly)<table><tr>{heads}</tr>{rows}</table></div>"
