"""Numbers with a radius: integers in units of 2^-P, rounded outward."""

P = 400
ONE = 1 << P


class Ball:
    """The set of all numbers within `rad` of `mid`, both in units of 2^-P. (0, 0) is zero by structure."""

    __slots__ = ("mid", "rad")

    def __init__(self, mid, rad=0):
        self.mid, self.rad = mid, rad

    @staticmethod
    def of(fraction, radius=0):
        """Returns the ball about a rational number with a radius."""
        exact = fraction.numerator * ONE
        mid = exact // fraction.denominator
        return Ball(mid, int(mid * fraction.denominator != exact) + (-(-radius.numerator * ONE // radius.denominator) if radius else 0))

    def __add__(self, other):
        return Ball(self.mid + other.mid, self.rad + other.rad)

    def __sub__(self, other):
        return Ball(self.mid - other.mid, self.rad + other.rad)

    def __neg__(self):
        return Ball(-self.mid, self.rad)

    def __mul__(self, other):
        if self.is_zero() or other.is_zero():
            return ZERO
        product = self.mid * other.mid
        spread = abs(self.mid) * other.rad + abs(other.mid) * self.rad + self.rad * other.rad
        return Ball(product >> P, (spread >> P) + 2)

    def over(self, other):
        """Returns the quotient by a ball that does not contain zero."""
        size = abs(other.mid) - other.rad
        mid = (self.mid << P) // other.mid
        # |a/b - m/n| <= (|a - m| + |m/n| |b - n|)/|b|
        spread = (self.rad << P) + (abs(mid) + 1) * other.rad
        return Ball(mid, -(-spread // size) + 1)

    def is_zero(self):
        return self.mid == 0 and self.rad == 0

    def has_zero(self):
        return abs(self.mid) <= self.rad

    def largest(self):
        return abs(self.mid) + self.rad


ZERO = Ball(0)
UNIT = Ball(ONE)
