"""Trees with slow and fast nodes: (color, sorted subtrees), densities and elementary weights over any numbers."""

from functools import lru_cache

COLORS = {"s": 0, "f": 1}


def parse(text):
    """τ_s is a leaf, [τ_s,τ_f]_s a node above two leaves."""
    tree, rest = _parse(text)
    if rest:
        raise ValueError(f"{text!r} is no tree")
    return tree


def _parse(text):
    children = []
    if text[0] == "τ":
        rest = text[1:]
    elif text[0] == "[":
        rest = text
        while rest[0] in "[,":
            child, rest = _parse(rest[1:])
            children.append(child)
        if rest[0] != "]":
            raise ValueError(f"{text!r} is no tree")
        rest = rest[1:]
    else:
        raise ValueError(f"{text!r} is no tree")
    if rest[0] != "_":
        raise ValueError(f"{text!r} is no tree")
    return node(COLORS[rest[1]], children), rest[2:]


def node(color, children):
    return (color, tuple(sorted(children)))


@lru_cache(maxsize=None)
def order(tree):
    return 1 + sum(order(child) for child in tree[1])


@lru_cache(maxsize=None)
def density(tree):
    """The order times the densities of the subtrees."""
    product = order(tree)
    for child in tree[1]:
        product *= density(child)
    return product


@lru_cache(maxsize=None)
def forests(size):
    """All forests of so many nodes."""
    if size == 0:
        return ((),)
    found = set()
    for first in range(1, size + 1):
        for tree in of_order(first):
            for rest in forests(size - first):
                found.add(tuple(sorted((tree, *rest))))
    return tuple(sorted(found))


@lru_cache(maxsize=None)
def of_order(n):
    return tuple((color, forest) for color in (0, 1) for forest in forests(n - 1))


def psi(tree, method, known=None):
    """The product of A Psi(subtree) over the subtrees, stage by stage. `known` remembers forests."""
    return psi_of_forest(tree[1], method, {} if known is None else known)


def psi_of_forest(forest, method, known):
    if forest not in known:
        product = [method.one] * method.stages
        for child in forest:
            below = psi_of_forest(child[1], method, known)
            pushed = method.times(child[0], below)
            product = [x * y for x, y in zip(product, pushed)]
        known[forest] = product
    return known[forest]


def weight(tree, method, known=None):
    return method.dot(method.b[tree[0]], psi(tree, method, known))
