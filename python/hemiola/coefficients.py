"""Conversion of coefficients of all types to the strings of method files."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ._hemiola import Core, HemiolaError

ObjectArray = npt.NDArray[np.object_]

#: Default names of partitions.
_NAMES = {1: ["all"], 2: ["slow", "fast"], 3: ["slow", "medium", "fast"]}


def text_of(value: Any, place: str) -> str:
    """Returns the text of one coefficient; ``place`` names it in errors.

    Fractions, integers and strings are exact. A float is written as its shortest decimal, as in JSON. SymPy numbers are written as
    expressions.

    >>> text_of(Fraction(1, 3), "b[0]"), text_of(0.1, "b[0]"), text_of("(3-sqrt(3))/6", "b[0]")
    ('1/3', '0.1', '(3-sqrt(3))/6')
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{place}: found {value!r}; expected a number")
    if isinstance(value, numbers.Rational):
        return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise HemiolaError(f"{place}: found {value}; expected a finite number")
        return str(value)
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise HemiolaError(f"{place}: found {value}; expected a finite number")
        # Use the digits of a float32, not those of the double to which it converts.
        return repr(float(value)) if isinstance(value, (float, np.float64)) else str(value)
    if isinstance(value, (complex, np.complexfloating)):
        raise TypeError(f"{place}: found the complex number {value!r}; expected a real one")
    if hasattr(value, "free_symbols"):
        if value.free_symbols:
            raise HemiolaError(f"{place}: found {value}, which has symbols; expected a number")
        if value.is_real is False:
            raise TypeError(f"{place}: found {value}; expected a real number")
        shown = str(value)
        # Square roots are exact; cosines and cubic roots get 50 digits.
        is_readable = "**" not in shown and all(word == "sqrt" for word in re.findall("[a-zA-Z_]+", shown))
        return shown if is_readable else str(value.evalf(50))
    raise TypeError(f"{place}: found {value!r} of type {type(value).__name__}; expected a number or a text such as '1/3'")


def _entries(values: Any) -> list[Any]:
    """Returns a vector, or a matrix row by row, as a list; accepts numpy arrays and SymPy matrices."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Sequence):
        raise TypeError(f"found {values!r}; expected a sequence of numbers")
    return list(values)


def vector_of(values: Any, place: str) -> list[str]:
    """Returns the texts of a vector; accepts a matrix with one row or column."""
    entries = _entries(values)
    if entries and all(isinstance(entry, (list, tuple)) for entry in entries):
        if len(entries) == 1:
            entries = list(entries[0])
        elif all(len(entry) == 1 for entry in entries):
            entries = [entry[0] for entry in entries]
    return [text_of(entry, f"{place}[{i}]") for i, entry in enumerate(entries)]


def matrix_of(rows: Any, place: str) -> list[list[str]]:
    """Returns the texts of a matrix. The short rows of a lower triangle are padded with zeros."""
    listed = [_entries(row) for row in _entries(rows)]
    texts = [[text_of(entry, f"{place}[{i}][{j}]") for j, entry in enumerate(row)] for i, row in enumerate(listed)]
    is_triangular = all(len(row) in (i, i + 1) for i, row in enumerate(texts)) and any(len(row) < len(texts) for row in texts)
    if is_triangular:
        texts = [row + ["0"] * (len(texts) - len(row)) for row in texts]
    return texts


def fraction_of(text: str) -> Fraction:
    """Returns the exact value of a text that is a fraction or a decimal.

    Raises :class:`HemiolaError` for roots, which are not fractions.
    """
    try:
        return Fraction(text)
    except ValueError:
        raise HemiolaError(
            f"{text} is no fraction; `Method.text` has the expressions, `hemiola.convert.to_sympy` the exact matrices"
        ) from None


def fractions_of(texts: Any) -> ObjectArray:
    """Returns an array of fractions in the shape of the texts."""
    array = np.array(texts, dtype=object)
    flat = [fraction_of(text) for text in array.ravel()]
    out = np.empty(array.size, dtype=object)
    out[:] = flat
    return out.reshape(array.shape)


def split(arrays: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Splits the arrays by partition and returns them by name."""
    A = arrays["a"]
    if isinstance(A, Mapping):
        names = [str(name) for name in A]
        for key, value in arrays.items():
            if value is not None and (not isinstance(value, Mapping) or list(value) != list(A)):
                raise HemiolaError(f"Method: {key} has other partitions than a; expected {', '.join(names)}")
        return [(str(k), {key: value and value[k] for key, value in arrays.items()}) for k in A]
    if _depth(A) < 3:
        return [("all", arrays)]
    count = len(A)
    names = _NAMES.get(count, [f"partition-{k + 1}" for k in range(count)])
    for key, value in arrays.items():
        if value is not None and len(value) != count:
            raise HemiolaError(f"Method: found {len(value)} partitions of {key}; expected {count}, as many as of a")
    return [(names[k], {key: None if value is None else value[k] for key, value in arrays.items()}) for k in range(count)]


def _depth(values: Any) -> int:
    """Returns the depth of a nested sequence."""
    if hasattr(values, "ndim"):
        return int(values.ndim)
    if hasattr(values, "shape"):
        return len(values.shape)
    if isinstance(values, (list, tuple)):
        return 1 + max((_depth(value) for value in values), default=0)
    return 0


def partition_of(name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Returns a partition in the form of method files."""
    texts: dict[str, Any] = {"name": name, "a": matrix_of(arrays["a"], "A"), "b": vector_of(arrays["b"], "b")}
    for key in ("c", "b_hat"):
        if arrays[key] is not None:
            texts[key] = vector_of(arrays[key], key)
    if arrays["dense"] is not None:
        texts["dense"] = matrix_of(arrays["dense"], "dense")
    return texts


def texts_of(texts: Any) -> ObjectArray:
    """Returns an array of the texts."""
    return np.array(texts, dtype=object)


class View:
    """Coefficients of one type: :attr:`Method.exact`, :attr:`Method.text`.

    ``A``, ``b``, ``c``, ``b_hat`` and ``dense`` have the same shapes as in :class:`Method`.
    """

    def __init__(self, core: Core, as_published: bool, convert: Callable[[Any], ObjectArray]) -> None:
        self._parts = core.texts(as_published)
        self._convert = convert

    def _of(self, key: str) -> ObjectArray:
        texts = [part[key] for part in self._parts]
        return self._convert(texts[0] if len(texts) == 1 else texts)

    @property
    def A(self) -> ObjectArray:
        """The matrix: (s, s), or (N, s, s) for N partitions."""
        return self._of("a")

    @property
    def b(self) -> ObjectArray:
        """The weights: (s,) or (N, s)."""
        return self._of("b")

    @property
    def c(self) -> ObjectArray:
        """The abscissae: (s,) or (N, s)."""
        return self._of("c")

    @property
    def b_hat(self) -> ObjectArray | None:
        """The embedded weights, if every partition has them."""
        return self._of("b_hat") if all(part["b_hat"] is not None for part in self._parts) else None

    @property
    def dense(self) -> ObjectArray | None:
        """The coefficients d_ik of b_i(θ) = Σ_k d_ik θ^k, k = 1 … q: (s, q) or (N, s, q)."""
        return self._of("dense") if all(part["dense"] is not None for part in self._parts) else None
