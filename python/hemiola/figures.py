"""Stability maps and other figures, as files, in notebooks and on matplotlib axes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from . import _hemiola
from ._hemiola import Drawing, HemiolaError
from .arguments import PathLike, checked, contents, read_fields
from .methods import FloatArray, Method, as_method
from .optional import optional
from .schemes import Steps, several

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from typing_extensions import Unpack

#: Bound on |log| of the moduli that maps distinguish.
_FAR = 50.0
_FORMATS = ("svg", "pdf", "png", "tex", "json")


@dataclass(frozen=True)
class Mark:
    """A line, polygon or set of points of a figure, in the units of its axes."""

    #: The panel, from 1.
    panel: int
    #: ``curve``, ``region``, ``points``, or ``level`` with its value.
    kind: str
    #: The label in the legend.
    label: str
    #: Whether the last point is joined to the first.
    closed: bool
    #: The points: (n, 2).
    points: FloatArray


class Look(TypedDict, total=False):
    """Deviations from the default appearance of a figure."""

    #: The width in millimeters; journal columns have 85 and 178.
    width: float
    height: float
    #: ``sans`` or ``serif`` (Computer Modern).
    font: str
    #: ``color`` or ``monochrome``.
    style: str
    #: The title above all panels; ``*x*`` is italic, ``_{…}`` a subscript, ``^{…}`` a superscript.
    title: str
    #: ``best``, ``below``, ``right`` or ``none``.
    legend: str
    #: The number of panels side by side.
    columns: int
    #: The ranges of the axes.
    x: tuple[float, float]
    y: tuple[float, float]
    #: Labels of methods in legends, in place of their ids.
    labels: Mapping[str, str]


class Figure:
    """A figure for print. Notebooks show it as SVG.

    >>> from hemiola import map
    >>> figure = map("rk4", "partitions", cells=60).figure
    >>> figure.svg().startswith("<svg")
    True
    """

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    @classmethod
    def load(cls, path: PathLike) -> Figure:
        """Reads a figure file, which :meth:`save` and the command line write as JSON."""
        return _from_json(contents(path).decode())

    @checked
    def contents(self, format: str, *, dpi: float = 300.0, standalone: bool = False, **look: Unpack[Look]) -> bytes:
        """Returns the contents of a file.

        Parameters
        ----------
        format :
            svg, pdf, png, tex (TikZ) or json (a figure file, which ``hemiola draw`` draws again).
        dpi : optional
            The resolution of PNG.
        standalone : optional
            Whether tex is a complete document.
        look : optional
            See :class:`Look`.
        """
        return self.restyled(**look)._drawing.contents(format, dpi, standalone)

    def restyled(self, **look: Unpack[Look]) -> Figure:
        """Returns the figure with another appearance.

        >>> from hemiola import map
        >>> figure = map(["rk4", "kutta-3"], cells=40).figure.restyled(style="monochrome", labels={"rk4": "Kutta (1901)"}, legend="below")
        >>> "Kutta (1901)" in figure.svg()
        True
        """
        known: dict[str, Any] = {name: None for name in Look.__annotations__} | {"labels": {}} | read_fields(look, Look)
        unknown = [name for name in known if name not in Look.__annotations__]
        if unknown:
            raise TypeError(f"found the option {unknown[0]!r}; expected one of: {', '.join(Look.__annotations__)}")
        known["labels"] = list(dict(known["labels"]).items())
        return Figure(self._drawing.restyled(known))

    def svg(self, **look: Unpack[Look]) -> str:
        """Returns the figure as SVG."""
        return self.contents("svg", **look).decode()

    @checked
    def save(self, path: PathLike, *, dpi: float = 300.0, standalone: bool = False, **look: Unpack[Look]) -> None:
        """Writes the figure; the extension selects the format. The options are those of :meth:`contents`."""
        format = os.fspath(path).rpartition(".")[2]
        if format not in _FORMATS:
            raise HemiolaError(f"{os.fspath(path)}: expected a file name that ends in .{', .'.join(_FORMATS)}")
        Path(path).write_bytes(self.contents(format, dpi=dpi, standalone=standalone, **look))

    def marks(self) -> list[Mark]:
        """Returns all lines, polygons and points, in the units of the axes."""
        return [Mark(**mark) for mark in self._drawing.marks()]

    @checked
    def plot(self, ax: Axes | None = None, panel: int = 1, **style: Any) -> Axes:
        """Draws a panel on matplotlib axes and returns them; ``style`` applies to all lines."""
        marks = self.marks()
        panels = max((mark.panel for mark in marks), default=1)
        if not 1 <= panel <= panels:
            raise HemiolaError(f"found panel {panel}; expected 1 to {panels}")
        ax = _axes(ax)
        for k, mark in enumerate(mark for mark in marks if mark.panel == panel):
            x, y = mark.points[:, 0], mark.points[:, 1]
            options = {"color": f"C{k % 10}", **style}
            if mark.kind == "points":
                ax.plot(x, y, "o", label=mark.label or None, **options)
                continue
            closed = [*x, x[0]] if mark.closed and len(x) else x, [*y, y[0]] if mark.closed and len(y) else y
            ax.plot(*closed, label=mark.label or None, **options)
        return ax

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<Figure of {len(self._drawing.marks())} marks>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_from_json, (self._drawing.to_json(),))

    def __eq__(self, other: object) -> bool:
        return self._drawing.to_json() == other._drawing.to_json() if isinstance(other, Figure) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._drawing.to_json())


def _from_json(text: str) -> Figure:
    return Figure(Drawing.from_json(text))


@dataclass(frozen=True, eq=False)
class Map:
    """A map of stability over a plane."""

    #: The figure for print.
    figure: Figure
    #: The names of the samples: partitions, methods or quantities.
    names: tuple[str, ...]
    #: |R|, ρ(S) or another quantity on the grid, for each name: (rows, columns), with the lowest row first; empty unless requested.
    samples: tuple[FloatArray, ...]
    #: The horizontal and the vertical range.
    x: tuple[float, float]
    y: tuple[float, float]
    #: The areas of the regions within the window, if regions are shown.
    areas: tuple[float, ...]
    #: The points where boundaries cross the axes, by name: (x, y).
    extents: tuple[tuple[str, tuple[float, float]], ...]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Returns (left, right, bottom, top) for :meth:`matplotlib.axes.Axes.imshow`."""
        return (*self.x, *self.y)

    def _repr_svg_(self) -> str:
        return self.figure.svg()


@checked
def map(
    methods: Steps | Sequence[Steps],
    slice: str | Sequence[str] = "partitions",
    *,
    show: str = "region",
    cells: int = 400,
    x: tuple[float, float] | None = None,
    y: tuple[float, float] | None = None,
    extents: bool = False,
    samples: bool = False,
    threads: int | None = None,
) -> Map:
    """Maps the stability of methods over planes.

    Parameters
    ----------
    methods :
        One or several methods, ids, method files, or schemes. Schemes come from :func:`hemiola.linearized` and
        :func:`hemiola.singular_perturbation`, or are texts as on the command line. :meth:`Polynomial.method` converts a polynomial to a
        method, :func:`hemiola.compose` converts several steps.
    slice : optional
        ``partitions`` (each partition alone), ``coupled:kappa=2,g=0.04`` (a ray of coupled test problems), ``robust:…``, ``joint:…`` or any
        plane that the command ``hemiola map`` accepts; several slices give several panels.
    show : optional
        region, modulus, eigenvalues, order-star, growth, error, internal or embedded.
    cells : optional
        The number of cells of the grid in each direction.
    x, y : optional
        The ranges; the default ranges contain the regions.
    extents : optional
        Whether to mark the points where boundaries cross the axes.
    samples : optional
        Whether to return the quantity at the grid points as arrays.
    threads : optional
        The maximal number of threads.

    Examples
    --------
    >>> found = map("shome-haug-jay-2-5", "coupled:kappa=5,g=0.01", cells=50, samples=True)
    >>> found.samples[0].shape
    (51, 51)
    """
    slices = [slice] if isinstance(slice, str) else list(slice)
    found = _hemiola.stability_map(several(methods), slices, show, cells, x, y, extents, samples, threads)
    return Map(
        figure=Figure(found["drawing"]),
        names=tuple(found["names"]),
        samples=tuple(found["samples"]),
        x=found["x"],
        y=found["y"],
        areas=tuple(found["areas"]),
        extents=tuple((name, (at[0], at[1])) for name, at in found["extents"]),
    )


@checked
def dispersion(methods: Method | PathLike | Sequence[Method | PathLike], y: tuple[float, float] | None = None) -> Figure:
    """Draws the dissipation 1 − |R(iy)| and the phase error y − arg R(iy) of all partitions along the imaginary axis, like
    ``hemiola map --slice imaginary``.

    >>> sorted({mark.label for mark in dispersion(["rk4", "kutta-3"]).marks() if mark.panel == 1})
    ['kutta-3', 'rk4']
    """
    alone = isinstance(methods, (Method, str, os.PathLike))
    chosen = [as_method(one) for one in ([methods] if alone else methods)]  # type: ignore[union-attr]
    return Figure(_hemiola.dispersion([one._core for one in chosen], y))


@checked
def tree_figure(order: int, partitions: int = 1) -> Figure:
    """Draws all rooted trees of an order, with nodes in a given number of colors.

    >>> tree_figure(5).svg().startswith("<svg")
    True
    """
    return Figure(_hemiola.tree_figure(order, partitions))


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    axes: Axes = optional("matplotlib.pyplot", "a figure on axes").gca()
    return axes


def draw_partition(
    method: Method, show: str, ax: Axes | None, bounds: Sequence[float] | None, style: dict[str, Any]
) -> Axes:
    """Draws the region or the order star of a method with one partition on matplotlib axes."""
    if bounds is not None and len(bounds) != 4:
        raise HemiolaError(f"found {len(bounds)} bounds; expected left, right, bottom, top")
    PathPatch = optional("matplotlib.patches", "a figure on axes").PathPatch
    Outline = optional("matplotlib.path", "a figure on axes").Path
    x, y = (None, None) if bounds is None else ((bounds[0], bounds[1]), (bounds[2], bounds[3]))
    found = map(method, "partitions", show=show, x=x, y=y)
    vertices: list[Any] = []
    codes: list[Any] = []
    for mark in found.figure.marks():
        if mark.kind != "region" or len(mark.points) < 3:
            continue
        vertices += [*mark.points.tolist(), mark.points[0].tolist()]
        codes += [Outline.MOVETO, *([Outline.LINETO] * (len(mark.points) - 1)), Outline.CLOSEPOLY]
    ax = _axes(ax)
    shown = _shown(ax)
    if vertices:
        options = {"facecolor": "tab:blue", "edgecolor": "black", "alpha": 0.6, "linewidth": 0.8, **style}
        ax.add_patch(PathPatch(Outline(vertices, codes), **options))
    ax.axhline(0, color="0.7", linewidth=0.5, zorder=0)
    ax.axvline(0, color="0.7", linewidth=0.5, zorder=0)
    _show(ax, found.x, found.y, shown)
    if shown is None:
        ax.set_title(method.name)
    return ax


_Ranges = tuple[tuple[float, float], tuple[float, float]]


def _shown(ax: Axes) -> _Ranges | None:
    """Returns the ranges of axes that already have contents, otherwise None."""
    return (ax.get_xlim(), ax.get_ylim()) if ax.has_data() else None


def _show(ax: Axes, x: Sequence[float], y: Sequence[float], before: _Ranges | None) -> None:
    """Extends the axes of the complex plane by a rectangle."""
    xs, ys = (x, y) if before is None else ((*x, *before[0]), (*y, *before[1]))
    ax.set(xlim=(min(xs), max(xs)), ylim=(min(ys), max(ys)), aspect="equal", xlabel="Re z", ylabel="Im z")


def draw_function(
    function: Callable[[Any], Any], show: str, ax: Axes | None, bounds: Sequence[float], cells: int, style: dict[str, Any]
) -> Axes:
    """Draws the set |R| ≤ 1, or |R| > |e^z|, on matplotlib axes."""
    if len(bounds) != 4:
        raise HemiolaError(f"found {len(bounds)} bounds; expected left, right, bottom, top")
    _hemiola.check_view(cells, (bounds[0], bounds[1]), (bounds[2], bounds[3]))
    ax = _axes(ax)
    shown = _shown(ax)
    x, y = np.linspace(bounds[0], bounds[1], cells + 1), np.linspace(bounds[2], bounds[3], cells + 1)
    z = x + 1j * y[:, None]
    with np.errstate(all="ignore"):
        # Poles and zeros of R both have infinite logarithms.
        height = np.log(np.abs(function(z))) - (z.real if show == "order-star" else 0.0)
    height = np.nan_to_num(np.clip(height, -_FAR, _FAR), nan=_FAR)
    levels = [0.0, _FAR] if show == "order-star" else [-_FAR, 0.0]
    ax.contourf(x, y, height, levels=levels, **{"colors": ["tab:blue"], "alpha": 0.6, **style})
    _show(ax, bounds[:2], bounds[2:], shown)
    return ax
