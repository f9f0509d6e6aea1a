"""Calls of every public function with numbers at the edges, made from the signatures; :mod:`test_sweep` runs them in a process of their own.

A call may return, or refuse a number under the argument's name. It may take long where Ctrl-C ends it.
"""

import inspect
import json
import math
import os
import resource
import signal
import sys
import tempfile

import numpy as np

import hemiola as hm
from hemiola.figures import Look
from hemiola.steps import Options
from hemiola.wishes import Wishes

#: What each number is called with: whole numbers and others, also where the other kind is expected.
EDGES = [0, -1, 10**9, 1e308, -1e308, math.nan, math.inf, 5e-324, 2.5, np.int64(3), np.float32(0.5)]
#: As long as a call may take before it is interrupted, in seconds.
PATIENCE = 0.25
#: As much memory as all calls may take, in bytes; threads of a large pool reserve some of it.
MEMORY = 6 << 30

RK4, PAIR, DOPRI = hm.method("rk4"), hm.method("shome-haug-jay-2-5"), hm.method("dormand-prince-5")
PARTS = {"rates": [lambda t, y: [-y[0]]], "t_span": (0.0, 1.0), "states": [[1.0]], "method": DOPRI}
RUN = hm.integrate_partitions(**PARTS)
SYSTEM = hm.system([[-1.0, 0.1], [0.1, -20.0]], slow=[0])
KEPLER = hm.model("kepler")
MERK = hm.multirate("merk32")
FIGURE, MAP = hm.tree_figure(3), hm.map(RK4, cells=10).figure
COUPLED = hm.DesignSpec(2, 4, starts=2, objective={"coupling": {"gammas": [0.2], "profile": [0.99]}})
TIMES = np.linspace(0.1, 0.5, 5)

#: The functions, with arguments of a call that is quick and good. Signatures tell which others are numbers.
CALLS = {
    hm.Method: dict(A=[[0]], b=[1]),
    hm.DesignSpec: dict(slow=1, fast=3),
    hm.check: dict(method=RK4, order=3),
    hm.complete: dict(method=RK4, embedded=2),
    hm.compose: dict(methods=[RK4], fractions=[1]),
    hm.converge: dict(model="kepler", methods=RK4, levels=2, to=0.1),
    hm.design: dict(slow=1, fast=3, starts=1),
    hm.diagnose: dict(method=RK4, order=3),
    hm.dispersion: dict(methods=RK4),
    hm.family: dict(levels=[4, 2], order=2, spectrum="disk", starts=1),
    hm.identify: dict(
        model="quarter-car", t=TIMES, measured={"body position": np.sin(TIMES)}, free=["suspension-damping"], iterations=1
    ),
    hm.integrate: dict(
        f_slow=lambda t, y, z: -y, f_fast=lambda t, y, z: -z, t_span=(0.0, 1.0), y_slow=[1.0], y_fast=[1.0], method=DOPRI
    ),
    hm.integrate_partitions: PARTS,
    hm.solve_ivp: dict(fun=lambda t, y: [-y[0]], t_span=(0.0, 1.0), y0=[1.0]),
    RUN.figure: {},
    hm.linear_model: dict(J=[[-1.0]], slow=[0]),
    hm.linearized: dict(method="gauss-2"),
    hm.map: dict(methods=RK4, cells=10),
    hm.pareto: dict(spec=hm.DesignSpec(2, 4, starts=1, objective={"coefficients": 0.1}), points=2),
    hm.polish: dict(method=PAIR, decimals=10),
    hm.polynomial: dict(stages=3, order=1),
    hm.profile: dict(method=PAIR, gammas=[0.1]),
    hm.simulate: dict(model="kepler", methods=RK4, to=0.1, compare=False),
    hm.low_storage_design: dict(form="2N", stages=3, order=3, starts=1),
    hm.ssp_design: dict(evaluations=2, order=2, starts=1),
    hm.sweep: dict(specs=[]),
    hm.system: dict(J=[[-1.0]]),
    hm.tree_counts: dict(order=3),
    hm.tree_figure: dict(order=3),
    hm.trees: dict(order=3),
    hm.tune: dict(spec=COUPLED, iterations=1),
    RK4.check: dict(order=3),
    RK4.order: {},
    RK4.partition: dict(which=0),
    RK4.selected: dict(partitions=[0]),
    RK4.principal_error_norm: {},
    RK4.stability_limit: dict(direction=1j),
    RK4.stability_function: {},
    RK4.imaginary_stability_interval: {},
    RK4.real_stability_interval: {},
    RK4.stability_angle: {},
    RK4.internal_amplification: {},
    RK4.plot_stability_region: {},
    RK4.plot_order_star: {},
    RK4.absolute_monotonicity_radius: {},
    RK4.ssp_digits: dict(digits=10),
    RK4.linear_absolute_monotonicity_radius: {},
    RK4.circle_contractivity_radius: {},
    RK4.is_algebraically_stable: {},
    RK4.is_b_stable: {},
    RK4.is_an_stable: {},
    RK4.optimal_shu_osher_form: {},
    RK4.weak_stage_order: {},
    RK4.low_storage_forms: {},
    PAIR.monotonicity_outline: dict(points=8),
    RK4.stability_function().plot_stability_region: dict(cells=10),
    RK4.stability_function().plot_order_star: dict(cells=10),
    KEPLER.rates: dict(t=0.0, y=KEPLER.initial),
    KEPLER.jacobian: {},
    KEPLER.exact: dict(t=0.0),
    KEPLER.energy: dict(t=0.0, y=KEPLER.initial),
    KEPLER.output_values: dict(t=0.0, y=KEPLER.initial),
    KEPLER.system: {},
    KEPLER.integrate: dict(method=DOPRI, t_span=(0.0, 0.1)),
    MERK.check: dict(order=3),
    MERK.complete: dict(embedded=1),
    MERK.expand: dict(inner=RK4, substeps=1),
    hm.realization: dict(method=MERK, inner=RK4, substeps=1),
    SYSTEM.stable_steps: dict(method=PAIR),
    SYSTEM.rho: dict(method=PAIR, steps=[0.1]),
    SYSTEM.step_matrix: dict(method=PAIR, h=0.1),
    SYSTEM.figure: dict(methods=PAIR),
    FIGURE.contents: dict(format="png", dpi=20.0),
    MAP.restyled: {},
    FIGURE.save: dict(path="unused.png", dpi=0.0),
    FIGURE.plot: {},
}
#: The fields that ``**options`` stand for.
OPTIONS = {
    "DesignSpec": Wishes, "design": Wishes, "Figure.restyled": Look, "integrate": Options, "integrate_partitions": Options,
    "solve_ivp": Options, "Model.integrate": Options,
}  # fmt: skip
#: What takes no number of its own, or passes all of them on.
WITHOUT_NUMBERS = {
    "library", "merge", "method", "model", "models", "multirate", "multirate_library", "read", "scheme", "singular_perturbation", "rho",
    "matrix",
}  # fmt: skip
#: Words of the library for arguments.
WORDS = {
    "to": ["end", "farthest"], "tol": ["tolerance"], "which": ["partition"], "gammas": ["coupling strength"], "damping": ["damped ray"],
    "dpi": ["dots per inch"], "fast": ["stages"], "slow": ["weights"], "linearized": ["Newton"], "share": ["fraction of the step"],
}  # fmt: skip


def of_kind(kind, edge):
    """Arguments with a number at the edge, for an annotation; none where no number is expected."""
    kind = str(kind).removesuffix(" | None")
    if kind in ("int", "float", "complex", "int | str"):
        return [edge]
    if kind in ("Sequence[int]", "Sequence[float]", "Sequence[int | str]"):
        return [[edge]]
    if kind == "tuple[float, float]":
        return [(edge, 1.0), (0.0, edge)]
    return []


def cases():
    """All calls: what they are called, the function, its arguments, and the argument that is at an edge."""
    for function, good in CALLS.items():
        signature = inspect.signature(function)
        kinds = {one.name: one.annotation for one in signature.parameters.values()}
        options = OPTIONS.get(function.__qualname__)
        kinds |= {} if options is None else options.__annotations__
        for name, annotation in kinds.items():
            kind = getattr(annotation, "__forward_arg__", annotation)
            for edge in EDGES:
                for value in of_kind(kind, edge):
                    yield f"{function.__qualname__}({name}={value!r})", function, {**good, name: value}, name


def outcome(function, arguments, name):
    """How a call ended; what may not be begins with an exclamation mark."""
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        return end_of(function, arguments, name)
    except KeyboardInterrupt:
        # Also where the signal comes when the call has just failed.
        return "interrupted"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def end_of(function, arguments, name):
    try:
        found = function(**arguments)
        if inspect.isgenerator(found):
            next(found, None)
        return "returned"
    except (hm.HemiolaError, TypeError) as error:
        words = [name, name.replace("_", " "), *WORDS.get(name, [])]
        if isinstance(error, hm.NotFound) or any(word in str(error) for word in words):
            return "refused"
        return f"! does not name {name}: {type(error).__name__}: {error}"
    except Exception as error:
        return f"! {type(error).__name__}: {error}"


def main(share, shares):
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    import matplotlib

    matplotlib.use("agg")
    # An import that is interrupted would leave the module broken for later calls.
    import matplotlib.pyplot  # noqa: F401
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for k, (text, function, arguments, name) in enumerate(cases()):
            if k % shares == share:
                print(json.dumps(["begins", text]), flush=True)
                print(json.dumps(["ends", outcome(function, arguments, name)]), flush=True)
        os.chdir("/")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
