"""Reads the low-storage and Shu–Osher coefficients of OrdinaryDiffEq.jl and multiplies them out, for scripts/compare-library.

`tables(path)` yields a name, A, b, b_hat and c as exact fractions. The forms are those of Williamson (2N), van der Houwen (2R
and more registers, here 2C and 2RP to 5RP), Ketcheson 2010 (3S*), and Shu and Osher.
"""

import re
from fractions import Fraction
from textwrap import dedent

NUMBER = r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?"


def number(text):
    """Evaluates sums and fractions of numbers of Julia exactly; raises ValueError on anything else."""
    plain = re.sub(r"\b(?:BigInt|Int128|T)\(([-+\d]+)\)", r"\1", re.sub(r'big"([^"]*)"', r"\1", text)).replace("//", "/")
    parts = re.findall(rf"\s*([-+/]?)\s*({NUMBER})", plain)
    if re.sub(rf"\s*[-+/]?\s*{NUMBER}", "", plain).strip() or not parts:
        raise ValueError(text)
    total, term = Fraction(0), Fraction(0)
    for sign, digits in parts:
        if sign == "/":
            term /= Fraction(digits)
        else:
            total, term = total + term, -Fraction(digits) if sign == "-" else Fraction(digits)
    return total + term


def values(body):
    """Returns the numbers and tuples that a function assigns."""
    found = {}
    for name, text in re.findall(r"^([^\s=()]+) = (.*?)(?=^[^\s)]|\Z)", dedent(body), re.DOTALL | re.MULTILINE):
        text = re.sub(r"#.*", "", text).strip()
        converted = re.findall(r"(?:convert\(\s*T2?,|\bT2?\()((?:[^()]|\([^()]*\))*)\)", text)
        try:
            if text.startswith("("):
                names = [part.strip() for part in text.strip("()").split(",") if part.strip()]
                found[name] = [number(part) for part in converted] if converted else [found[part] for part in names]
            elif converted:
                found[name] = number(converted[0])
        except (ValueError, KeyError):
            continue
    return found


def combination(*terms):
    """Returns Σ factor·vector."""
    return [sum(factor * vector[j] for factor, vector in terms) for j in range(len(terms[0][1]))]


def unit(s, j, factor=1):
    return [Fraction(factor) * (j == k) for k in range(s)]


def two_n(A, B1, B, c):
    s = len(B) + 1
    y = d = [Fraction(0)] * s
    rows = []
    for i, (a, b) in enumerate(zip([Fraction(0), *A], [B1, *B])):
        rows.append(y)
        d = combination((a, d), (1, unit(s, i)))
        y = combination((1, y), (b, d))
    return rows, y, None, [Fraction(0), *c]


def registers(diagonals, b, b_hat, c):
    """Subdiagonals of A; below them, A has the weights."""
    s, m = len(b), len(diagonals)
    A = [[diagonals[i - j - 1][i - 1] if 0 < i - j <= m else b[j] if j < i else Fraction(0) for j in range(s)] for i in range(s)]
    return A, b, b_hat, [Fraction(0), *c]


def three_s(gamma1, gamma2, gamma3, delta, beta1, beta, c, errors=None, fsal=None):
    s = len(beta) + 1
    zero = [Fraction(0)] * s
    first, second, rows = unit(s, 0, beta1), zero, [zero]
    # `held` are the factors of y in the registers, which start as y and y.
    held = [Fraction(1), Fraction(1)]
    for i in range(s - 1):
        rows.append(first)
        second, held[1] = combination((1, second), (delta[i], first)), held[1] + delta[i] * held[0]
        first = combination((gamma1[i], first), (gamma2[i], second), (beta[i], unit(s, i + 1)))
        held[0] = gamma1[i] * held[0] + gamma2[i] * held[1] + gamma3[i]
    b, c = first, [Fraction(0), *c]
    b_hat = errors and combination((1, b), (1, errors))
    if fsal is not None:
        rows, b, b_hat, c = [*[[*row, Fraction(0)] for row in rows], [*b, Fraction(0)]], [*b, Fraction(0)], [*b_hat, fsal], [*c, Fraction(1)]
    return rows, b, b_hat, c


def shu_osher(found):
    s = max(int(name[1]) for name in found if re.fullmatch(r"β\d\d", name))
    rows = [[Fraction(0)] * s]
    for i in range(1, s + 1):
        given = any(f"α{i}{j}" in found for j in range(i))
        terms = [(found.get(f"α{i}{j}", Fraction(not given and j == i - 1)), rows[j]) for j in range(i)]
        terms += [(found.get(f"β{i}{j}", Fraction(0)), unit(s, j)) for j in range(i)]
        rows.append(combination(*terms))
    return rows[:-1], rows[-1], None, None


def table(kind, found):
    v = lambda *names: [found[name] for name in names]
    if kind == "LowStorageRK2N":
        return two_n(*v("A2end", "B1", "B2end", "c2end"))
    if kind == "LowStorageRK2C":
        A, B1, B, c = v("A2end", "B1", "B2end", "c2end")
        return registers([[a + b for a, b in zip(A, [B1, *B])]], [B1, *B], None, c)
    if kind == "LowStorageRK2RP":
        return registers([found["Aᵢ"]], [*found["Bᵢ"], found["Bₗ"]], [*found["B̂ᵢ"], found["B̂ₗ"]], found["Cᵢ"])
    if re.fullmatch(r"LowStorageRK[345]RP", kind):
        diagonals = [found[f"Aᵢ{k}"] for k in "₁₂₃₄" if f"Aᵢ{k}" in found]
        return registers(diagonals, [*found["Bᵢ"], found["Bₗ"]], [*found["B̂ᵢ"], found["B̂ₗ"]], found["Cᵢ"])
    if kind.startswith("LowStorageRK3S"):
        form = v("γ12end", "γ22end", "γ32end", "δ2end", "β1", "β2end", "c2end")
        errors = [found["bhat1"], *found["bhat2end"]] if "bhat2end" in found else None
        return three_s(*form, errors, found.get("bhatfsal"))
    return shu_osher(found)


def tables(path):
    """Yields the methods of a file of caches: their names, A, b, b_hat and c."""
    functions = r"^( *)function (\w+)ConstantCache\(.*?\n(.*?)^\1end"
    for _, name, body in re.findall(functions, path.read_text(), re.DOTALL | re.MULTILINE):
        kind = re.search(r"return (LowStorage\w+)ConstantCache\b", body)
        try:
            A, b, b_hat, c = table(kind[1] if kind else "", values(body))
        except (KeyError, IndexError, ValueError):
            continue
        # Coefficients that the code leaves out, as in Shu–Osher forms of its own, leave weights whose sum is not one.
        if abs(sum(b) - 1) < Fraction(1, 10**6):
            yield name, A, b, b_hat, c
