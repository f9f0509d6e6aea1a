"""A workbench for the design and analysis of Runge–Kutta methods, especially partitioned methods with two rates.

>>> import hemiola as hm
>>> pair = hm.method("shome-haug-jay-2-5")
>>> pair.order(), round(pair.principal_error_norm(), 4)
(2, 0.4037)
>>> pair.partition("fast").imaginary_stability_interval()
4.0000000213...

Contents by purpose:

* methods: :func:`method`, :class:`Method`, :func:`library` with filters, :func:`read`, :func:`compose`; schemes: :func:`linearized`,
  :func:`singular_perturbation`, :func:`scheme`
* order: :meth:`Method.order`, :func:`check`, :func:`diagnose`, :func:`complete`, :func:`polish`, :func:`trees`
* multirate methods: :func:`multirate`, :class:`MultirateMethod`, :func:`multirate_library`, :func:`realization`
* stability: :func:`rho`, :func:`matrix`, :func:`map`, :func:`dispersion`, :func:`profile`, :func:`system`, :func:`polynomial`
* new pairs: :func:`design`, :class:`DesignSpec`, :func:`pareto`, :func:`tune`, :func:`sweep`, :func:`family`,
  :func:`ssp_design`, :func:`low_storage_design`
* runs: :func:`solve_ivp`, :func:`integrate`, :func:`integrate_partitions`, :func:`model`, :func:`linear_model`,
  :func:`simulate`, :func:`converge`, :func:`identify`
* other packages: :mod:`hemiola.convert`

Arrays are numpy arrays; exact numbers are :class:`fractions.Fraction`. Stages, variables and partitions are counted from 0.

An argument of the wrong type raises a :class:`TypeError` that names it. An argument out of range raises a :class:`HemiolaError` (a
:class:`ValueError`) with the message of the Rust libraries. A bug in the libraries raises :class:`InternalError`; please report it.
Modules, including numpy, are imported when they are first used. ``from hemiola import *`` does not replace Python's ``map``: write
``hm.map``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._hemiola import HemiolaError, InternalError, NotFound, UnknownMethod, __version__
    from . import convert
    from .composition import compose
    from .designs import Design, DesignSpec, Interrupted, design, merge
    from .families import Family, family
    from .figures import Figure, Map, dispersion, map as map, tree_figure
    from .fronts import Compromise, pareto, tune
    from .identification import Fit, identify
    from .methods import Method, library, method, read
    from .modeling import Model, linear_model, model, models
    from .multirates import MultirateMethod, multirate, multirate_library
    from .polynomials import Polynomial, polynomial
    from .realizations import Realization, realization
    from .runs import Solution, integrate, integrate_partitions, solve_ivp
    from .schemes import Scheme, linearized, scheme, singular_perturbation
    from .special import LowStorageDesign, SspDesign, low_storage_design, ssp_design
    from .stability import Profile, StabilityFunction, matrix, profile, rho
    from .steps import Event
    from .studies import Converged, Run, converge, simulate
    from .sweeps import Swept, sweep
    from .systems import StableSteps, System, system
    from .verdicts import OrderReport, check, complete, diagnose, polish, tree_counts, trees

#: The module that defines each name.
_PLACES = {
    "_hemiola": ("HemiolaError", "InternalError", "NotFound", "UnknownMethod", "__version__"),
    "composition": ("compose",),
    "designs": ("Design", "DesignSpec", "Interrupted", "design", "merge"),
    "families": ("Family", "family"),
    "figures": ("Figure", "Map", "dispersion", "map", "tree_figure"),
    "fronts": ("Compromise", "pareto", "tune"),
    "identification": ("Fit", "identify"),
    "methods": ("Method", "library", "method", "read"),
    "modeling": ("Model", "linear_model", "model", "models"),
    "multirates": ("MultirateMethod", "multirate", "multirate_library"),
    "polynomials": ("Polynomial", "polynomial"),
    "realizations": ("Realization", "realization"),
    "runs": ("Solution", "integrate", "integrate_partitions", "solve_ivp"),
    "schemes": ("Scheme", "linearized", "scheme", "singular_perturbation"),
    "special": ("LowStorageDesign", "SspDesign", "low_storage_design", "ssp_design"),
    "stability": ("Profile", "StabilityFunction", "matrix", "profile", "rho"),
    "steps": ("Event",),
    "studies": ("Converged", "Run", "converge", "simulate"),
    "sweeps": ("Swept", "sweep"),
    "systems": ("StableSteps", "System", "system"),
    "verdicts": ("OrderReport", "check", "complete", "diagnose", "polish", "tree_counts", "trees"),
}
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}

#: Names exported by ``import *``: all except ``map``, which would hide Python's function.
__all__ = [
    "Compromise", "Converged", "Design", "DesignSpec", "Event", "Family", "Figure", "Fit", "HemiolaError", "InternalError", "Interrupted",
    "LowStorageDesign", "Map",
    "Method", "Model", "MultirateMethod", "NotFound", "OrderReport", "Polynomial", "Profile", "Realization", "Run", "Scheme", "Solution", "SspDesign",
    "StabilityFunction", "StableSteps", "Swept", "System", "UnknownMethod", "__version__", "check", "complete", "compose", "converge", "convert", "design",
    "diagnose", "dispersion", "family", "identify", "integrate", "integrate_partitions", "library", "linear_model", "linearized",
    "low_storage_design",
    "matrix", "merge", "method", "model", "models", "multirate", "multirate_library", "pareto", "polish", "polynomial", "profile", "read", "realization", "rho", "scheme", "simulate",
    "singular_perturbation", "solve_ivp", "ssp_design", "sweep", "system", "tree_counts", "tree_figure", "trees", "tune",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "convert":
        return importlib.import_module(".convert", __name__)
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "map"])
