"""Methods from the library, from files, and from coefficients of any type."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ._hemiola import Core, HemiolaError, library_ids
from . import _hemiola
from .arguments import PathLike, checked, contents, plain, whole
from .coefficients import View, fractions_of, partition_of, split, texts_of
from .nonlinear import NonlinearVerbs
from .verbs import Verbs

if TYPE_CHECKING:
    from .figures import Figure
    from .verdicts import OrderReport

FloatArray = npt.NDArray[np.float64]


class Method(Verbs, NonlinearVerbs):
    """A Runge–Kutta method with one or more partitions over the same stages. It is immutable.

    Parameters
    ----------
    A, b, c :
        The coefficients: numpy arrays, nested lists or SymPy matrices. Entries are numbers, :class:`~fractions.Fraction`, or texts such as
        ``"1/3"`` or ``"(3-sqrt(3))/6"``. With N partitions: dictionaries by name, or arrays whose first axis has length N. Fractions and
        texts are exact; a float represents its shortest decimal. The default of ``c`` is the row sums of A.
    b_hat : optional
        The weights of an embedded method.
    dense : optional
        Dense output: d_ik of b_i(θ) = Σ_k d_ik θ^k, k = 1 … q; shape (s, q).
    id, name : optional
        Lower-case words joined by hyphens, and a display name.
    order, embedded_order, dense_order : optional
        The claimed orders; :func:`check` verifies them.
    decimals : optional
        The number of decimals to which the coefficients are rounded. By default it is inferred from the digits.
    source : optional
        A dictionary with ``authors``, ``title``, ``year``, ``doi``, ``where`` and ``note``.

    Raises
    ------
    HemiolaError
        If a coefficient is invalid; the message names it and the expected value.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> ralston = Method(A=[[0, 0], [F(2, 3), 0]], b=[F(1, 4), F(3, 4)])
    >>> ralston.order(), ralston.exact.b.tolist()
    (2, [Fraction(1, 4), Fraction(3, 4)])
    >>> Method(A=[[0, 0], ["2/x", 0]], b=[0, 1])
    Traceback (most recent call last):
        ...
    hemiola.HemiolaError: Method: at partitions[0].a[1][0]: found "2/x": found `x` at character 3; expected ...
    """

    __slots__ = ("_arrays",)
    _arrays: list[dict[str, Any]] | None

    @checked
    def __init__(
        self,
        A: Any,
        b: Any,
        c: Any = None,
        *,
        b_hat: Any = None,
        dense: Any = None,
        id: str = "my-method",
        name: str | None = None,
        order: int | None = None,
        embedded_order: int | None = None,
        dense_order: int | None = None,
        decimals: int | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> None:
        arrays = {"a": A, "b": b, "c": c, "b_hat": b_hat, "dense": dense}
        partitions = [partition_of(name_of, parts) for name_of, parts in split(arrays)]
        claims = {"order": order, "embedded_order": embedded_order, "dense_order": dense_order}
        claims = {key: value for key, value in claims.items() if value is not None}
        document: dict[str, Any] = {"format": "hemiola-method/1", "id": id, "name": name or id, "partitions": partitions}
        if claims:
            document["claims"] = claims
        if decimals is not None:
            document["precision"] = {"decimals": decimals}
        if source is not None:
            document["source"] = plain(source, "source")
        self._set(Core.from_json(json.dumps(document), "Method"))

    def _set(self, core: Core) -> None:
        self._core = core
        self._arrays = None
        self._orders = None

    @classmethod
    def _of(cls, core: Core) -> Method:
        method = cls.__new__(cls)
        method._set(core)
        return method

    # Properties.

    @property
    def id(self) -> str:
        """Lower-case words joined by hyphens."""
        return self._core.id

    @property
    def name(self) -> str:
        """The display name."""
        return self._core.name

    @property
    def stages(self) -> int:
        """The number of stages s."""
        return self._core.stages

    def __len__(self) -> int:
        """Returns the number of partitions. Iteration yields the partitions; :attr:`stages` is the number of stages.

        >>> pair = method("shome-haug-jay-2-5")
        >>> len(pair), [one.id for one in pair], pair.stages
        (2, ['shome-haug-jay-2-5', 'shome-haug-jay-2-5'], 5)
        """
        return len(self._core.partitions)

    @property
    def evaluations(self) -> tuple[int, ...]:
        """The number of evaluations of each partition in a step.

        >>> method("shome-haug-jay-2-5").evaluations
        (2, 5)
        """
        return tuple(len(stages) for stages in self._core.evaluated_stages)

    @property
    def claims(self) -> dict[str, int]:
        """The claims of the source: ``order``, ``separable_order``, ``embedded_order``, ``dense_order``."""
        return {key: value for key, value in self._core.claims.items() if value is not None}

    @property
    def source(self) -> dict[str, Any]:
        """The publication of the method."""
        return {key: value for key, value in self._core.source.items() if value}

    @property
    def decimals(self) -> int | None:
        """The number of decimals to which the coefficients are rounded; None if it is not stated."""
        return self._core.decimals

    def is_explicit(self) -> bool:
        """Whether each stage uses only earlier stages, in every partition."""
        return self._core.is_explicit

    # Coefficients.

    def _of_kind(self, key: str) -> Any:
        if self._arrays is None:
            self._arrays = self._core.doubles()
        parts = [part[key] for part in self._arrays]
        if any(part is None for part in parts):
            return None
        return parts[0].copy() if len(parts) == 1 else np.stack(parts)

    @property
    def A(self) -> FloatArray:
        """The matrix in doubles: (s, s), or (N, s, s) for N partitions."""
        array: FloatArray = self._of_kind("a")
        return array

    @property
    def b(self) -> FloatArray:
        """The weights in doubles: (s,) or (N, s)."""
        array: FloatArray = self._of_kind("b")
        return array

    @property
    def c(self) -> FloatArray:
        """The abscissae in doubles: (s,) or (N, s)."""
        array: FloatArray = self._of_kind("c")
        return array

    @property
    def b_hat(self) -> FloatArray | None:
        """The embedded weights in doubles, if present."""
        array: FloatArray | None = self._of_kind("b_hat")
        return array

    @property
    def dense(self) -> FloatArray | None:
        """The dense output in doubles, if present: d_ik of b_i(θ) = Σ_k d_ik θ^k; (s, q) or (N, s, q)."""
        array: FloatArray | None = self._of_kind("dense")
        return array

    @property
    def exact(self) -> View:
        """The coefficients as arrays of :class:`~fractions.Fraction`.

        >>> method("rk4").exact.b[1]
        Fraction(1, 3)
        """
        return View(self._core, False, fractions_of)

    @property
    def text(self) -> View:
        """The coefficients as published: arrays of texts."""
        return View(self._core, True, texts_of)

    # Parts.

    def selected(self, partitions: Sequence[int | str]) -> Method:
        """Returns some partitions as a method, by names or numbers from 0.

        >>> method("hemiola-family-2-4-8").selected([0, 2]).partitions
        ('level-2', 'level-8')
        """
        return Method._of(self._core.selected([self._index(which, f"partitions[{k}]") for k, which in enumerate(partitions)]))

    def __getitem__(self, which: int | str) -> Method:
        return self.partition(which)

    def __iter__(self) -> Iterator[Method]:
        return (self.partition(k) for k in range(len(self.partitions)))

    def embedded(self) -> Method | None:
        """Returns the method with its embedded weights in place of b; None if there are none."""
        core = self._core.embedded()
        return None if core is None else Method._of(core)

    def with_id(self, id: str) -> Method:
        """Returns the method under another id."""
        return Method._of(self._core.with_id(id))

    def check(self, order: int | None = None, **options: Any) -> OrderReport:
        """Checks this method by :func:`hemiola.check`."""
        from .verdicts import check

        return check(self, order, **options)

    def figure(self) -> Figure:
        """Draws the stability regions of all partitions in one figure."""
        from .figures import map

        return map(self, "partitions").figure

    # Texts.

    def to_json(self) -> str:
        """Returns the text of a method file."""
        return self._core.to_json()

    def save(self, path: PathLike) -> None:
        """Writes a method file; by convention its name is the id."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def to(self, language: str) -> str:
        """Writes the method in another language: latex, csv, python, julia, c, fortran, matlab, sundials, petsc, rust or json
        (of differential-equations-rs).

        >>> "a_2_1 = 1.0/2.0" in method("rk4").to("c")
        True
        """
        return _hemiola.written(self._core, language)

    def __str__(self) -> str:
        return f"{self.name}\n\n{self._core.table(False)}"

    def __repr__(self) -> str:
        parts = "" if len(self.partitions) == 1 else f", {len(self.partitions)} partitions"
        return f"<Method {self.id}: {self.stages} stages{parts}>"

    def _repr_latex_(self) -> str:
        # MathJax rejects a nested display, so the display of the document is removed in a notebook.
        table = self._core.table(True).strip().removeprefix("\\[").removesuffix("\\]")
        return f"$${table}$$"

    def _repr_html_(self) -> str:
        from .tables import method_table

        return method_table(self)

    # Values.

    def __eq__(self, other: object) -> bool:
        return self._core.equals(other._core) if isinstance(other, Method) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return (_from_json, (self.to_json(),))

    def __copy__(self) -> Method:
        return self

    def __deepcopy__(self, memo: Any) -> Method:
        return self


def _from_json(text: str) -> Method:
    return Method._of(Core.from_json(text, "a pickled method"))


def method(name: PathLike | Method, folders: Sequence[PathLike] = ()) -> Method:
    """Returns a method of the library, by id or a common alias (``RK4``, ``dopri5``, ``SSPRK(5,4)``, NodePy's ``RK44``), or from a method
    file.

    Parameters
    ----------
    name :
        The id, the alias, or the path of a method file (``*.json``). A :class:`Method` is returned unchanged.
    folders : optional
        Folders with additional method files, found by their ids.

    Raises
    ------
    UnknownMethod
        If there is no such method; the message lists similar names.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> method("RK4")
    <Method rk4: 4 stages>
    >>> method("rk5")
    Traceback (most recent call last):
        ...
    hemiola.UnknownMethod: no method `rk5` in the library...
    """
    if isinstance(name, Method):
        return name
    return Method._of(Core.load(os.fspath(name), [os.fspath(folder) for folder in folders]))


@checked
def library(
    *words: str,
    kind: str | Sequence[str] = (),
    order: int | Container[int] | None = None,
    stages: int | Container[int] | None = None,
    partitions: int | Container[int] | None = None,
    implicit: bool | None = None,
    embedded: bool | None = None,
    dense: bool | None = None,
) -> list[str]:
    """Returns the sorted ids of the library methods that meet all conditions; by default those of all methods.

    Parameters
    ----------
    words :
        Substrings of the id or the name; case does not matter.
    kind : optional
        One or several of the kinds of ``hemiola list --kind``, such as explicit, dirk, pair, imex or symplectic.
    order, stages, partitions : optional
        The claimed order, the number of stages and the number of partitions: a number, or several such as ``range(3, 6)``.
    implicit, embedded, dense : optional
        Whether some partition is implicit, and whether all have embedded weights or dense output.

    Raises
    ------
    HemiolaError
        If there is no such kind; the message lists all.

    Examples
    --------
    >>> len(library()) > 200, "rk4" in library()
    (True, True)
    >>> library(kind="dirk", order=4, partitions=1, embedded=True)
    ['cash-4-3-5', 'hairer-wanner-sdirk-4', 'hemiola-esdirk-6-order-4', 'kennedy-carpenter-esdirk-4-3i-6']
    >>> library("gauss", order=range(4, 7))
    ['gauss-2', 'gauss-3']
    """
    numbers = {"order": order, "stages": stages, "partitions": partitions}
    wanted = {name: _container(value, name) for name, value in numbers.items() if value is not None}
    flags = {"implicit": implicit, "embedded": embedded, "dense": dense}
    kinds = [(name, True) for name in ([kind] if isinstance(kind, str) else kind)]
    kinds += [(name, flag) for name, flag in flags.items() if flag is not None]

    def is_wanted(one: Method) -> bool:
        found = {"order": one.claims.get("order"), "stages": one.stages, "partitions": len(one)}
        return (
            all(word.lower() in one.id or word.lower() in one.name.lower() for word in words)
            and all(found[name] in allowed for name, allowed in wanted.items())
            and all(one._core.is_of_kind(name) is flag for name, flag in kinds)
        )

    ids = library_ids()
    return [id for id in ids if is_wanted(method(id))] if words or wanted or kinds else ids


def _container(value: int | Container[int], name: str) -> Container[int | None]:
    """Returns the allowed numbers of a filter."""
    if isinstance(value, Container) and not isinstance(value, (str, bytes)):
        return cast("Container[int | None]", value)
    return (whole(value, name),)


@checked
def read(source: PathLike, format: str | None = None, *, assume_real_division: bool = False) -> list[Method]:
    """Reads the methods in a table or program, given as a path or as a text of several lines.

    Formats: csv, text, latex, numpy, nodepy, matlab, rk-opt, julia, c, sundials, petsc, json (differential-equations-rs); by
    default the format is detected.
    No code is executed, and code that never runs is skipped. A method in a branch causes a warning that names the condition.
    In C and Python 2, 2/3 is 0 and therefore an error, unless ``assume_real_division`` makes it a fraction.

    >>> read("0 | 0 0\\n1 | 1 0\\n  | 1/2 1/2\\n")[0].order()
    2
    """
    if isinstance(source, str) and "\n" in source:
        text, origin = source.encode(), "a text"
    else:
        text, origin = contents(source), os.fspath(source)
    cores, conditions = _hemiola.read(text, origin, format, assume_real_division)
    for condition in conditions:
        warnings.warn(condition, stacklevel=3)
    return [Method._of(core) for core in cores]


def as_method(value: Any) -> Method:
    """Converts the argument of a function to a method."""
    if isinstance(value, Method):
        return value
    if isinstance(value, (str, os.PathLike)):
        return method(value)
    raise TypeError(f"found {value!r}; expected a Method or the id of one")


