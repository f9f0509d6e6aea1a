"""Converts arguments to plain Python values. Errors name the argument that cannot be converted.

This module checks only types: a whole number, a number, a pair of numbers. The library checks ranges, as for the command line.
"""

from __future__ import annotations

import functools
import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict, TypeVar, Union

import numpy as np

from . import _hemiola
from ._hemiola import HemiolaError

PathLike = Union[str, "os.PathLike[str]"]
_F = TypeVar("_F", bound=Callable[..., Any])
#: The largest whole number that the extension module accepts.
_LARGEST = 2**63 - 1
#: Messages show only the length of numbers with more digits.
_SHOWN = 10**30


def whole(value: Any, name: str) -> int:
    """Converts to a non-negative whole number; accepts numpy integers.

    >>> whole(np.int64(3), "order")
    3
    >>> whole(-1, "order")
    Traceback (most recent call last):
        ...
    hemiola.HemiolaError: order: found -1; expected a whole number from 0
    """
    if isinstance(value, (bool, np.bool_, np.ndarray)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: found {value!r}; expected a whole number")
    number = operator.index(value)
    if number < 0:
        raise HemiolaError(f"{name}: found {_shown(number)}; expected a whole number from 0")
    if number > _LARGEST:
        raise HemiolaError(f"{name}: found {_shown(number)}; expected at most {_LARGEST}")
    return number


def _shown(number: int) -> str:
    return str(number) if abs(number) < _SHOWN else f"a number of {number.bit_length()} bits"


def real(value: Any, name: str) -> float:
    """Converts to a double; accepts fractions, numpy numbers and SymPy numbers. Infinity is allowed, NaN is an error.

    >>> real(np.float32(0.25), "damping")
    0.25
    >>> real(float("nan"), "damping")
    Traceback (most recent call last):
        ...
    hemiola.HemiolaError: damping: found nan; expected a number
    """
    is_other = isinstance(value, (bool, np.bool_, np.ndarray, complex, np.complexfloating))
    if is_other or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise TypeError(f"{name}: found {value!r}; expected a number")
    try:
        number = float(value)
    except OverflowError:
        raise HemiolaError(f"{name}: found a number beyond 1.8e308, the largest double; expected a smaller one") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name}: found {value!r}; expected a number") from None
    if number != number:
        raise HemiolaError(f"{name}: found nan; expected a number")
    return number


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: found {value!r}; expected True or False")
    return bool(value)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: found {value!r}; expected a text")
    return value


def _complex(value: Any, name: str) -> complex:
    if isinstance(value, (complex, np.complexfloating)):
        return complex(value)
    return complex(real(value, name))


def _list(value: Any, name: str, read: Callable[[Any, str], Any], kind: str) -> list[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: found {value!r}; expected {kind}")
    return [read(one, f"{name}[{k}]") for k, one in enumerate(value)]


def wholes(value: Any, name: str) -> list[int]:
    """Converts several whole numbers; the message gives the position of an invalid one."""
    return _list(value, name, whole, "whole numbers")


def _reals(value: Any, name: str) -> list[float]:
    return _list(value, name, real, "numbers")


def _pair(value: Any, name: str) -> tuple[float, float]:
    found = _list(value, name, real, "two numbers")
    if len(found) != 2:
        raise HemiolaError(f"{name}: found {len(found)} numbers; expected two")
    return found[0], found[1]


def plain(value: Any, name: str) -> Any:
    """Converts to values for JSON: numpy numbers and arrays become Python values; NaN and infinity are errors.

    >>> plain({"step": np.array([0.5, 1.0])}, "objective")
    {'step': [0.5, 1.0]}
    """
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(one, f"{name}.{key}") for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one, f"{name}[{k}]") for k, one in enumerate(value)]
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise HemiolaError(f"{name}: found {value}; expected a finite number")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{name}: found {value!r}; expected numbers, texts, or lists and dictionaries of them")


def contents(path: PathLike) -> bytes:
    """Reads a file of at most eight megabytes, the limit of the command line."""
    return _hemiola.contents(os.fspath(path))


#: The conversion for each annotation.
_READERS: dict[str, Callable[[Any, str], Any]] = {
    "int": whole,
    "float": real,
    "bool": _flag,
    "str": _text,
    "complex": _complex,
    "tuple[float, float]": _pair,
    "Sequence[int]": wholes,
    "Sequence[float]": _reals,
}


def checked(function: _F) -> _F:
    """Decorates a function so that its arguments are converted by their annotations and errors name them.

    >>> @checked
    ... def twice(order: int = 1) -> int: return 2 * order
    >>> twice(np.int32(2)), twice()
    (4, 2)
    >>> twice(order="two")
    Traceback (most recent call last):
        ...
    TypeError: order: found 'two'; expected a whole number
    """
    parameters = inspect.signature(function).parameters.values()
    readers = {one.name: reader for one in parameters if (reader := _reader(one.annotation)) is not None}
    positional = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        named = [_read(readers, name, value) for name, value in zip(positional, args)]
        others = {name: _read(readers, name, value) for name, value in kwargs.items()}
        return function(*named, *args[len(positional) :], **others)

    return call  # type: ignore[return-value]


def read_fields(values: Mapping[str, Any], kinds: Any) -> dict[str, Any]:
    """Converts the entries of a dictionary by the annotations of a :class:`~typing.TypedDict`; unknown entries remain unchanged.

    >>> class Size(TypedDict): width: float
    >>> read_fields({"width": np.int64(85)}, Size)
    {'width': 85.0}
    """
    readers = {name: reader for name, kind in kinds.__annotations__.items() if (reader := _reader(kind)) is not None}
    return {name: _read(readers, name, value) for name, value in values.items()}


def _reader(annotation: Any) -> Callable[[Any, str], Any] | None:
    # Annotations of typed dictionaries are wrapped.
    annotation = getattr(annotation, "__forward_arg__", annotation)
    if not isinstance(annotation, str):
        return None
    kind, optional, _ = annotation.partition(" | None")
    reader = _READERS.get(kind)
    if reader is None or not optional:
        return reader
    return lambda value, name: None if value is None else reader(value, name)


def _read(readers: Mapping[str, Callable[[Any, str], Any]], name: str, value: Any) -> Any:
    reader = readers.get(name)
    return value if reader is None else reader(value, name)
