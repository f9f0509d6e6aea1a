"""Reads the Butcher tables of public packages as numbers and prints them as JSON, for scripts/compare-library.

    tables.py WHEELS LIBRARIES CRATES

WHEELS is a folder of unpacked wheels whose modules are read without their dependencies, LIBRARIES one with the shared
libraries of SUNDIALS, CRATES one with the sources of Rust crates. The other packages are imported. Each table has a source,
a name, A, b, and where there are any b_hat and c. Exact entries have fifty digits, others are doubles.
"""

import contextlib
import ctypes
import importlib.metadata
import io
import json
import re
import sys
import types
import warnings
from ast import parse
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np

mpmath.mp.dps = 60


def text(x):
    """Returns fifty digits of an exact number and seventeen of a double."""
    if isinstance(x, (float, np.floating)):
        return repr(float(x))
    if isinstance(x, (int, np.integer, Fraction)):
        x = Fraction(int(x)) if not isinstance(x, Fraction) else x
        return f"{x.numerator}/{x.denominator}"
    return mpmath.nstr(mpmath.mpf(str(x.evalf(60))) if hasattr(x, "evalf") else x, 50)


def square(rows, stages):
    """Fills the rows of a lower triangle with zeros."""
    return [list(row) + [0] * (stages - len(row)) for row in list(rows)[:stages]]


def table(source, name, A, b, b_hat=None, c=None):
    b = list(np.asarray(b, dtype=object).ravel())
    A = square([list(np.asarray(row, dtype=object).ravel()) for row in A], len(b))
    entry = {"source": source, "name": name, "A": [[text(x) for x in row] for row in A], "b": [text(x) for x in b]}
    for key, values in (("b_hat", b_hat), ("c", c)):
        if values is not None:
            entry[key] = [text(x) for x in np.asarray(values, dtype=object).ravel()]
    entry["double"] = any(isinstance(x, (float, np.floating)) for row in (*A, b) for x in row)
    return entry


def version(package):
    return f"{package} {importlib.metadata.version(package)}"


# --- Imported packages -----------------------------------------------------------------------------------------------


def nodepy():
    from nodepy.runge_kutta_method import loadRKM

    for name, method in loadRKM().items():
        b_hat = getattr(method, "bhat", None)
        yield table(version("nodepy"), name, method.A, method.b, b_hat, method.c)


def of_scipy(source, name, method, E):
    """Returns the table of a solver written for SciPy, whose E may count the end of the step as a stage."""
    B = np.asarray(method.B)
    stages = max(len(B), 0 if E is None else len(E))
    if stages > len(B) + 1:
        return None
    rows = [*[list(row)[: len(B)] for row in method.A[: len(B)]], *[B] * (stages - len(B))]
    b = np.array([*B, *[0.0] * (stages - len(B))])
    b_hat = None if E is None else b + np.array([*E, *[0.0] * (stages - len(E))])
    return table(source, name, rows, b, b_hat, [*np.asarray(method.C)[: len(B)], *[1.0] * (stages - len(B))])


def scipy():
    from scipy.integrate import DOP853, RK23, RK45

    yield of_scipy(version("scipy"), "RK23", RK23, RK23.E)
    yield of_scipy(version("scipy"), "RK45", RK45, RK45.E)
    yield of_scipy(version("scipy"), "DOP853", DOP853, -DOP853.E5)


def extensisq():
    import extensisq as package

    for name in dir(package):
        method = getattr(package, name)
        A, B, E = (getattr(method, key, None) for key in ("A", "B", "E"))
        if isinstance(A, np.ndarray) and isinstance(B, np.ndarray) and A.ndim == 2 and np.allclose(A, np.tril(A, -1)):
            E = E if np.ndim(E) == 1 and np.any(E) else None
            yield of_scipy(version("extensisq"), name, method, E)


def kauri():
    import kauri as package

    for name in dir(package):
        method = getattr(package, name)
        if type(method).__name__ == "RK":
            yield table(version("kauri"), name, method.a, method.b)


def desolver():
    import desolver.integrators as package

    for name in dir(package):
        method = getattr(package, name)
        inner, final = (getattr(method, key, None) for key in ("tableau_intermediate", "tableau_final"))
        if inner is None or final is None or not name[0].isupper():
            continue
        inner, final = np.asarray(inner, dtype=float), np.asarray(final, dtype=float)
        if inner.ndim == 2 and final.shape[1] == inner.shape[1] == len(inner) + 1:
            b_hat = final[1, 1:] if len(final) > 1 else None
            yield table(version("desolver"), name, inner[:, 1:], final[0, 1:], b_hat, inner[:, 0])


def qmat():
    from qmat.qcoeff.butcher import RK_SCHEMES

    for name, method in RK_SCHEMES.items():
        if name == method.__name__:
            yield table(version("qmat"), name, method.A, method.b, getattr(method, "b2", None), method.c)


def pathsim():
    from pathsim import solvers

    for name in dir(solvers):
        kind = getattr(solvers, name)
        if not isinstance(kind, type) or not re.match(r"E?S?DIRK|RK|SSPRK", name):
            continue
        method = kind()
        rows, error = [np.ravel(row) for row in method.BT.values() if row is not None], getattr(method, "TR", None)
        if "DIRK" in name:
            s = len(method.BT)
            rows = [[0.0]] * (s - len(rows)) + rows
            b = getattr(method, "A", None)
            b = rows[-1] if b is None else b
        else:
            rows, b = [[], *rows[:-1]], rows[-1]
        s = max(len(rows), len(b), 0 if error is None else len(error))
        rows += [b] * (s - len(rows))
        b = np.array([*b, *[0.0] * (s - len(b))])
        b_hat = None if error is None else b - np.array([*error, *[0.0] * (s - len(error))])
        yield table(version("pathsim"), name, rows, b, b_hat)


# --- Modules without their dependencies -------------------------------------------------------------------------------


class Anything:
    """Stands for a dependency: any attribute, call and base class."""

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *positional, **named):
        return Anything()

    def __mro_entries__(self, bases):
        return (object,)

    def __getitem__(self, key):
        return Anything()


def run(path, known):
    """Runs the statements of a module one after the other, without its imports and without those that fail."""
    names = {"np": np, "__name__": path.stem, **known}
    for statement in parse(path.read_text()).body:
        if type(statement).__name__ in ("Import", "ImportFrom"):
            for alias in statement.names:
                name = alias.asname or alias.name
                if name not in names and name != "np" and "." not in name:
                    names[name] = __import__(name) if name in ("math", "fractions", "numpy") else Anything()
            continue
        tree = parse("")
        tree.body = [statement]
        with contextlib.suppress(Exception):
            exec(compile(tree, str(path), "exec"), names)
    return names


def recorder(**fields):
    return types.SimpleNamespace(**fields)


def found(names, *keys):
    """Iterates over the recorded tables among the values of a module."""
    for name, value in names.items():
        if isinstance(value, types.SimpleNamespace) and all(hasattr(value, key) for key in keys):
            yield name, value


def diffrax(folder, source):
    for path in sorted((folder / "diffrax/_solver").glob("*.py")):
        for name, value in found(run(path, {"ButcherTableau": recorder}), "a_lower", "b_sol"):
            s = len(value.b_sol)
            diagonal = getattr(value, "a_diagonal", None)
            A = square([[], *[list(row) for row in value.a_lower]], s)
            for i in range(s):
                A[i][i] = 0.0 if diagonal is None else float(diagonal[i])
            name = path.stem + ("" if name.strip("_").startswith(path.stem) else name.replace("_tableau", ""))
            # Abscissae are listed from the second stage on.
            c = [0.0 if diagonal is None else float(diagonal[0]), *value.c]
            yield table(source, name, A, value.b_sol, np.asarray(value.b_sol) - np.asarray(value.b_error), c)


def torchdiffeq(folder, source):
    torch = types.SimpleNamespace(tensor=lambda values, dtype=None: np.array(values, dtype=float), float64=None)
    for path in sorted((folder / "torchdiffeq/_impl").glob("*.py")):
        for name, value in found(run(path, {"_ButcherTableau": recorder, "torch": torch}), "beta", "c_sol"):
            b = np.asarray(value.c_sol)
            yield table(source, path.stem, [[], *value.beta], b, b - np.asarray(value.c_error), [0.0, *value.alpha])


def stark(folder, source):
    for path in sorted((folder / "stark/methods/schemes").rglob("*.py")):
        for name, value in found(run(path, {"Tableau": recorder}), "a", "b"):
            suffix = re.search(r"_(explicit|implicit)$", name.lower())
            rows, b, b_hat = [*value.a], [*value.b], getattr(value, "b_embedded", None)
            if b_hat is not None and len(b_hat) == len(b) and not any(rows[len(b) - 1 :]):
                # The derivative at the end of the step serves the embedded row.
                rows = [*rows[: len(b) - 1], b[:-1]]
            yield table(source, path.stem + (" " + suffix[1] if suffix else ""), rows, b, b_hat, value.c)


def pyodys(folder, source):
    for name, value in run(next(folder.rglob("available_butcher_table_data_to_json.py")), {}).items():
        if name.startswith("_get_"):
            with contextlib.suppress(Exception):
                data = value()
                rows = np.atleast_2d(np.array(data["B"], dtype=float))
                yield table(source, name[5:], np.array(data["A"], dtype=float), rows[0], rows[1] if len(rows) > 1 else None, np.ravel(data["C"]))


def qutip(folder, source):
    for module in ("tsit5", "verner7efficient", "verner9efficient"):
        names = run(folder / f"qutip/solver/integrator/{module}.py", {})
        s, b = names["rk_step"], names["b"]
        A = names["a"][:s, :s]
        error = names["e"][:s]
        yield table(source, module, A, b[:s], b[:s] - error, names["c"][:s])


# --- Compiled code and Rust -------------------------------------------------------------------------------------------


class ButcherTable(ctypes.Structure):
    _fields_ = [
        ("q", ctypes.c_int), ("p", ctypes.c_int), ("stages", ctypes.c_int), ("A", ctypes.POINTER(ctypes.POINTER(ctypes.c_double))),
        ("c", ctypes.POINTER(ctypes.c_double)), ("b", ctypes.POINTER(ctypes.c_double)), ("d", ctypes.POINTER(ctypes.c_double)),
    ]


#: Names of SUNDIALS 6.4 of the tables that it loads by name.
SUNDIALS = (
    "HEUN_EULER_2_1_2 BOGACKI_SHAMPINE_4_2_3 ARK324L2SA_ERK_4_2_3 ZONNEVELD_5_3_4 ARK436L2SA_ERK_6_3_4 SAYFY_ABURUB_6_3_4 "
    "CASH_KARP_6_4_5 FEHLBERG_6_4_5 DORMAND_PRINCE_7_4_5 ARK548L2SA_ERK_8_4_5 VERNER_8_5_6 FEHLBERG_13_7_8 KNOTH_WOLKE_3_3 "
    "ARK437L2SA_ERK_7_3_4 ARK548L2SAb_ERK_8_4_5 ARK2_ERK_3_1_2|SDIRK_2_1_2 BILLINGTON_3_3_2 TRBDF2_3_3_2 KVAERNO_4_2_3 "
    "ARK324L2SA_DIRK_4_2_3 CASH_5_2_4 CASH_5_3_4 SDIRK_5_3_4 KVAERNO_5_3_4 ARK436L2SA_DIRK_6_3_4 KVAERNO_7_4_5 "
    "ARK548L2SA_DIRK_8_4_5 ARK437L2SA_DIRK_7_3_4 ARK548L2SAb_DIRK_8_4_5 ESDIRK324L2SA_4_2_3 ESDIRK325L2SA_5_2_3 "
    "ESDIRK32I5L2SA_5_2_3 ESDIRK436L2SA_6_3_4 ESDIRK43I6L2SA_6_3_4 QESDIRK436L2SA_6_3_4 ESDIRK437L2SA_7_3_4 ESDIRK547L2SA_7_4_5 "
    "ESDIRK547L2SA2_7_4_5 ARK2_DIRK_3_1_2"
)


def sundials(folder):
    library = ctypes.CDLL(str(next(folder.rglob("libsundials_arkode.so.*"))), ctypes.RTLD_GLOBAL)
    major, minor, patch, label = ctypes.c_int(), ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(32)
    library.SUNDIALSGetVersionNumber(ctypes.byref(major), ctypes.byref(minor), ctypes.byref(patch), label, 32)
    source = f"SUNDIALS {major.value}.{minor.value}.{patch.value}"
    for kind, names in zip(("ERK", "DIRK"), SUNDIALS.split("|")):
        load = getattr(library, f"ARKodeButcherTable_Load{kind}ByName")
        load.restype, load.argtypes = ctypes.POINTER(ButcherTable), [ctypes.c_char_p]
        for name in names.split():
            pointer = load(b"ARKODE_" + name.encode())
            if pointer:
                t = pointer.contents
                row = lambda values: [values[j] for j in range(t.stages)]
                yield table(source, name, [row(t.A[i]) for i in range(t.stages)], row(t.b), row(t.d) if t.d else None, row(t.c))


def number(expression):
    """Evaluates a Rust expression of decimals exactly."""
    plain = re.sub(r"(\d)_(?=\d)", r"\1", expression.strip())
    plain = re.sub(r"\d+\.?\d*(?:[eE][-+]?\d+)?", lambda m: f"Fraction('{m[0]}')", plain)
    if not re.fullmatch(r"(?:[-+*/() ]|Fraction\('[\d.eE+-]+'\))+", plain):
        raise ValueError(expression)
    return eval(plain, {"Fraction": Fraction})


def russell(folder, source):
    code = (folder / "src/constants.rs").read_text()
    code = re.sub(r"//.*", "", code)
    arrays = {}
    for name, body in re.findall(r"const (\w+): \[[^=]*\] = (\[.*?\]);", code, re.DOTALL):
        rows = re.findall(r"\[([^\[\]]*)\]", body)
        with contextlib.suppress(ValueError):
            arrays[name] = [[float(number(x)) for x in row.split(",") if x.strip()] for row in rows]
    for name, A in arrays.items():
        if name.endswith("_A") and f"{name[:-1]}B" in arrays:
            stem = name[:-1]
            b = arrays[f"{stem}B"][0]
            b_hat, E, c = (arrays.get(stem + key, [None])[0] for key in ("BE", "E", "C"))
            if b_hat is None and E is not None and stem.startswith("DORMAND_PRINCE_8"):
                b_hat = [x - e for x, e in zip(b, E)]
            yield table(source, stem[:-1], A, b, b_hat, c)


def differential_equations(folder, source):
    for path in sorted((folder / "src/tableau").glob("*.rs")):
        for name, body in re.findall(r"pub (?:const )?fn (\w+)\(\) -> Self \{(.*?)\n    \}", path.read_text(), re.DOTALL):
            values = {}
            for array, indices, expression in re.findall(r"\b(a|b|bh|c)((?:\[\d+\])+) = ([^;]+);", body):
                with contextlib.suppress(ValueError):
                    values[array, *map(int, re.findall(r"\d+", indices))] = float(number(expression))
            s = 1 + max((key[1] for key in values if key[0] == "b"), default=-1)
            if s > 0:
                vector = lambda array: [values.get((array, i), 0.0) for i in range(s)]
                A = [[values.get(("a", i, j), 0.0) for j in range(s)] for i in range(s)]
                b_hat = vector("bh") if any(key[0] == "bh" for key in values) else None
                yield table(source, name, A, vector("b"), b_hat, vector("c"))


# --- Definitions ------------------------------------------------------------------------------------------------------


def quadrature(points):
    """Returns the matrix of C(s), whose last row belongs to the end of the step, for abscissae."""
    s = len(points)
    powers = mpmath.matrix(s, s)
    for k in range(s):
        for j in range(s):
            powers[k, j] = points[j] ** k if k else mpmath.mpf(1)
    return [list(mpmath.lu_solve(powers, mpmath.matrix([x ** (k + 1) / (k + 1) for k in range(s)]))) for x in [*points, mpmath.mpf(1)]]


def legendre(s, combination):
    """Returns the roots in [0, 1] of a combination of the Legendre polynomials P_s, P_{s−1}, P_{s−2}."""
    f = lambda x: sum(factor * mpmath.legendre(s - k, 2 * x - 1) for k, factor in enumerate(combination) if s >= k)
    coefficients = mpmath.taylor(f, 0, s)[::-1]
    return sorted(mpmath.re(x) for x in mpmath.polyroots(coefficients, maxsteps=500, extraprec=400))


def definitions():
    """Yields the methods of Gauss, Radau and Lobatto (Hairer and Wanner, Section IV.5; Jay 2015)."""
    mp = mpmath.mpf
    for s in range(1, 5):
        c = legendre(s, [1])
        *A, b = quadrature(c)
        yield table("definition", f"gauss-{s}", A, b, None, c)
    for s in range(1, 4):
        c = legendre(s, [1, -1])
        *A, b = quadrature(c)
        yield table("definition", f"radau-iia-{s}", A, b, None, c)
        c = legendre(s, [1, 1])
        b = quadrature(c)[-1]
        yield table("definition", f"radau-ia-{s}", adjoint(b, c), b, None, c)
    for s in range(2, 6):
        c = [mp(0), mp(1)] if s == 2 else legendre(s, [1, 0, -1])
        c[0], c[-1] = mp(0), mp(1)
        *A, b = quadrature(c)
        first = [[b[0], *rest] for rest in partial(c, c, b[0], 0)]
        last = [[*rest, mp(0)] for rest in partial(c, c, mp(0), s - 1)]
        yield table("definition", f"lobatto-iiia-{s}", A, b, None, c)
        yield table("definition", f"lobatto-iiib-{s}", adjoint(b, c), b, None, c)
        yield table("definition", f"lobatto-iiic-{s}", first, b, None, c)
        yield table("definition", f"lobatto-iiic-star-{s}", last, b, None, c)
        yield table("definition", f"lobatto-iiid-{s}", [[(x + y) / 2 for x, y in zip(*rows)] for rows in zip(first, last)], b, None, c)


def adjoint(b, c):
    """Returns the matrix of D(s): Σ_i b_i c_i^{k−1} a_ij = b_j (1 − c_j^k)/k."""
    s = len(b)
    left = mpmath.matrix(s, s)
    for k in range(s):
        for i in range(s):
            left[k, i] = b[i] * (c[i] ** k if k else 1)
    columns = [list(mpmath.lu_solve(left, mpmath.matrix([b[j] * (1 - c[j] ** (k + 1)) / (k + 1) for k in range(s)]))) for j in range(s)]
    return [list(row) for row in zip(*columns)]


def partial(points, c, value, column):
    """Returns the rows of C(s − 1) with one column given, without that column."""
    kept = [j for j in range(len(c)) if j != column]
    n = len(kept)
    powers = mpmath.matrix(n, n)
    for k in range(n):
        for place, j in enumerate(kept):
            powers[k, place] = c[j] ** k if k else mpmath.mpf(1)
    fixed = lambda k: value * (c[column] ** k if k else 1)
    return [list(mpmath.lu_solve(powers, mpmath.matrix([x ** (k + 1) / (k + 1) - fixed(k) for k in range(n)]))) for x in points]


def main(wheels, libraries, crates):
    wheels, crates = Path(wheels), Path(crates)
    readers = [nodepy, scipy, extensisq, kauri, desolver, qmat, pathsim, definitions, lambda: sundials(Path(libraries))]
    for folder in sorted(wheels.iterdir()):
        name, number = folder.name.split("-")[:2]
        read = {"diffrax": diffrax, "torchdiffeq": torchdiffeq, "stark_ode": stark, "pyodys": pyodys, "qutip": qutip}[name]
        readers.append(lambda read=read, folder=folder, label=f"{name.replace('_', '-')} {number}": read(folder, label))
    for folder in sorted(crates.iterdir()):
        name, number = folder.name.rsplit("-", 1)
        read = {"russell_ode": russell, "differential-equations": differential_equations}[name]
        readers.append(lambda read=read, folder=folder, label=f"{name} {number}": read(folder, label))
    tables = []
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for read in readers:
            tables += filter(None, read())
    json.dump(tables, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
