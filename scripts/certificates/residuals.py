"""Residuals of conditions, and their stated bounds."""

from fractions import Fraction as F

from . import listed, require, text, trees, whole

HIGHEST_ORDER = 6


def largest(values):
    return max((abs(value) for value in values), default=F(0))


def require_small(worst, status, what):
    """Checks that residuals are within the stated bound; the message clips residuals beyond the range of doubles."""
    allowed = F(0) if status["proved"] != "nothing" else F(1, 10 ** whole(status["decimals"], "the decimals", 300))
    require(worst <= allowed, f"{what} miss {float(min(worst, F(10) ** 300)):.1e}")


def how(status):
    return "exactly" if status["proved"] != "nothing" else f"to {status['decimals']} decimals"


def read_trees(value, order, of="the conditions"):
    found = [trees.parse(text(tree, of)) for tree in listed(value, of)]
    require(all(trees.order(tree) <= order for tree in found), "a condition of a higher order")
    return found
