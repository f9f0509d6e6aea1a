"""Trees with slow and fast nodes: (color, sorted subtrees), densities and elementary weights over any numbers."""

from functools import lru_cache

from . import require

COLORS = {"s": 0, "f": 1}


def parse(text, colors=COLORS):
    """Reads a tree from text: τ_s is a leaf, [τ_s,τ_f]_s a node above two leaves."""
    tree, rest = _parse(text, text, colors)
    require(not rest, f"{text!r:.60} is no tree")
    return tree


def _parse(text, whole, colors):
    children = []
    if text.startswith("τ_"):
        rest = text[1:]
    else:
        require(text.startswith("["), f"{whole!r:.60} is no tree")
        rest = text
        while rest[:1] in ("[", ","):
            child, rest = _parse(rest[1:], whole, colors)
            children.append(child)
        require(rest.startswith("]"), f"{whole!r:.60} is no tree")
        rest = rest[1:]
    require(rest[:1] == "_" and rest[1:2] in colors, f"{whole!r:.60} is no tree")
    return node(colors[rest[1]], children), rest[2:]


def node(color, children):
    return (color, tuple(sorted(children)))


@lru_cache(maxsize=None)
def order(tree):
    return 1 + sum(order(child) for child in tree[1])


@lru_cache(maxsize=None)
def density(tree):
    """Returns the order times the densities of the subtrees."""
    product = order(tree)
    for child in tree[1]:
        product *= density(child)
    return product


@lru_cache(maxsize=None)
def forests(size, colors=2):
    """Returns all forests with a given number of nodes."""
    if size == 0:
        return ((),)
    found = set()
    for first in range(1, size + 1):
        for tree in of_order(first, colors):
            for rest in forests(size - first, colors):
                found.add(tuple(sorted((tree, *rest))))
    return tuple(sorted(found))


@lru_cache(maxsize=None)
def of_order(n, colors=2):
    return tuple((color, forest) for color in range(colors) for forest in forests(n - 1, colors))


def psi(tree, method, known=None):
    """Returns the product of A Psi(subtree) over the subtrees, stage by stage. `known` stores forests already computed."""
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
