"""Common parts of all kinds of certificates: refusals, and checks of fields against the schema."""

import re
from fractions import Fraction

RATIONAL = re.compile(r"-?[0-9]+(/[0-9]*[1-9][0-9]*)?")


class Refused(Exception):
    """A claim that does not hold."""


def require(holds, complaint):
    if not holds:
        raise Refused(complaint)


def object_without_doubles(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a field occurs twice")
    return value


def fields(value, required, optional=(), of="the certificate"):
    """Checks that an object has exactly these fields."""
    require(isinstance(value, dict), f"{of} is no object")
    missing = [name for name in required if name not in value]
    require(not missing, f"{of} has no field {missing[:1]}")
    unknown = [name for name in value if name not in (*required, *optional)]
    require(not unknown, f"{of} has the unknown field {unknown[:1]}")
    return value


def listed(value, of):
    require(isinstance(value, list), f"{of} is no list")
    return value


def text(value, of):
    require(isinstance(value, str), f"{of} is no text")
    return value


def whole(value, of, most=10**6):
    require(isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most, f"{of} is no number from 0 to {most}")
    return value


def number(value, of):
    """Converts a JSON number to the exact fraction of its double."""
    require(isinstance(value, (int, float)) and not isinstance(value, bool), f"{of} is no number")
    require(abs(value) < 1e308, f"{of} is beyond the range of doubles")
    return Fraction(float(value))


def fraction(value, of):
    require(isinstance(value, str) and RATIONAL.fullmatch(value), f"{of} is no integer or fraction: {value!r:.40}")
    return Fraction(value)


def fractions(value, of):
    return [fraction(entry, of) for entry in listed(value, of)]
