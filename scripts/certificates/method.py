"""Method files: exact coefficients, and the digest by which a certificate names them."""

import hashlib
import json
import re
from fractions import Fraction as F

from . import low_storage, object_without_doubles, require

# Decimals with at most forty places divide this power of ten.
SHORT = 10**40
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(/[0-9]*[1-9][0-9]*)?")


class Method:
    """The tableaus of a file, with exact numbers."""

    def __init__(self, file):
        # A JSON number stands for the decimal that it shows.
        with open(file, encoding="utf-8") as stream:
            self.data = json.load(stream, parse_float=str, parse_int=str, object_pairs_hook=object_without_doubles)
        require(isinstance(self.data, dict) and isinstance(self.data.get("partitions"), list), f"{file} is no method")
        self.id = self.data.get("id")
        parts = self.data["partitions"]
        self.written = []
        parts = [self.expanded(part) for part in parts]
        self.a = [part["a"] for part in parts]
        self.b = [part["b"] for part in parts]
        given = [part.get("c") and self.numbers(part["c"], is_written=False) for part in parts]
        sums = [[sum(row) for row in part] for part in self.a]
        self.c = [None if c is None or c == rows else c for c, rows in zip(given, sums)]
        self.b_hat = [part["b_hat"] for part in parts]
        self.dense = [part.get("dense") and [self.numbers(row) for row in part["dense"]] for part in parts]
        claims = self.data.get("claims", {})
        self.claims = {name: int(claims[name]) for name in ("embedded_order", "dense_order") if name in claims}

    def expanded(self, part):
        """Returns a partition with the numbers of A, b and the embedded weights; those of a low-storage form are computed."""
        if "low_storage" not in part:
            b_hat = part.get("b_hat") and self.numbers(part["b_hat"])
            return part | {"a": [self.numbers(row) for row in part["a"]], "b": self.numbers(part["b"]), "b_hat": b_hat}
        others = [name for name in ("a", "b", "c", "b_hat", "dense") if part.get(name) is not None]
        require(not others, f"not read: {' and '.join(others)} beside a low-storage form")
        form, vectors = (part["low_storage"][name] for name in ("form", "coefficients"))
        a, b, b_hat = low_storage.tableau(form, {name: self.numbers(vector) for name, vector in vectors.items()})
        return part | {"a": a, "b": b, "b_hat": b_hat}

    def numbers(self, values, is_written=True):
        for value in values:
            found = isinstance(value, str) and NUMBER.fullmatch(value.strip())
            require(found, f"not read: coefficients other than decimals and fractions ({value!r:.40})")
            if is_written:
                self.written.append(value.strip())
        return [F(value) for value in values]

    def has_digest(self, stated):
        """Returns whether a digest is that of the table.

        The table of a low-storage form with rounded coefficients is rounded, too: to the decimals that errors of the coefficients leave,
        and three more. If the digest is that of such a rounding, the rounded table takes the place of the exact one.
        """
        if stated == self.digest():
            return True
        if not all("low_storage" in part for part in self.data["partitions"]) or "precision" not in self.data:
            return False
        places = int(self.data["precision"]["decimals"])
        require(places <= 1000, f"not read: forms with more than 1000 decimals, found {places}")
        exact = self.a, self.b, self.b_hat
        for decimals in range(places // 2, places + 4):
            self.a, self.b, self.b_hat = (rounded(values, decimals) for values in exact)
            if stated == self.digest():
                return True
        self.a, self.b, self.b_hat = exact
        return False

    def digest(self):
        """Returns SHA-256 of all exact coefficients, in lowest terms."""
        lines = ["hemiola-table/1"]
        line = lambda name, values: lines.append(" ".join([name, *map(str, values)]))
        for a, b, c, b_hat, dense in zip(self.a, self.b, self.c, self.b_hat, self.dense):
            lines.append("partition")
            for row in a:
                line("a", row)
            for name, values in (("b", b), ("c", c), ("b_hat", b_hat)):
                if values is not None:
                    line(name, values)
            for row in dense or []:
                line("dense", row)
        return "sha256:" + hashlib.sha256(("\n".join(lines) + "\n").encode()).hexdigest()

    def last_digit(self):
        """Returns a unit of the last decimal, of the stated number of decimals or of the longest."""
        if "precision" in self.data:
            return F(1, 10 ** int(self.data["precision"]["decimals"]))
        places = [len(value.split(".")[1]) for value in self.written if "." in value and "/" not in value]
        return F(1, 10 ** max(places)) if places else F(0)

    def is_explicit(self):
        return all(not any(row[i:]) for part in self.a for i, row in enumerate(part))

    def further(self, name):
        """Returns the vectors of further weights with their power of theta: for each vector the weights of each partition."""
        if name == "embedded":
            return [] if any(b is None for b in self.b_hat) else [(self.b_hat, None)]
        if any(rows is None for rows in self.dense):
            return []
        return [([[row[k] for row in rows] for rows in self.dense], k + 1) for k in range(len(self.dense[0][0]))]


def rounded(values, decimals):
    """Rounds numbers in nested lists to this number of decimals, unless they have at most forty."""
    if isinstance(values, list):
        return [rounded(value, decimals) for value in values]
    is_short = values is None or SHORT % values.denominator == 0
    return values if is_short else F(round(values * 10**decimals), 10**decimals)
