"""What both kinds of certificates share."""


class Refused(Exception):
    """What does not hold."""


def require(holds, complaint):
    if not holds:
        raise Refused(complaint)
