"""Bad calls raise the right exception with a message that names the value; none crashes the interpreter or leaks."""

import copy
import ctypes
import gc
import math
import pickle
import resource
import sys

import numpy as np
import pytest

import hemiola as hm
from hemiola import convert
from hemiola.designs import share

RK4, PAIR, DOPRI = hm.method("rk4"), hm.method("shome-haug-jay-2-5"), hm.method("dormand-prince-5")
NAN, INF = math.nan, math.inf


def decay(t, *y):
    return [-y[0][0]]


def raises(error):
    def rate(t, *y):
        raise error

    return rate


def run(rate=decay, method=RK4, state=(1.0,), span=(0, 1), **options):
    return hm.integrate_partitions([rate], span, [state], method, **({"steps": 4} | options))


E, H = TypeError, hm.HemiolaError
#: What is called, the exception, and a part of its message.
CALLS = {
    # Names and files.
    "no such method": (lambda: hm.method("rk5"), hm.UnknownMethod, "rk5"),
    "no such file": (lambda: hm.method("none.json"), FileNotFoundError, "none.json"),
    "a method that is a number": (lambda: hm.check(4), E, "Method"),
    "None as a method": (lambda: hm.rho(None, 1.0), E, "Method"),
    "no such model": (lambda: hm.model("car"), H, "no model `car`"),
    "no such parameter": (lambda: hm.model("kepler", mass=1.0), H, "no parameter `mass`"),
    "a parameter out of range": (lambda: hm.model("kepler", eccentricity=1.5), H, "eccentricity"),
    "no such partition": (lambda: PAIR["medium"], H, "medium"),
    "partition out of range": (lambda: PAIR.partition(2), H, "0 to 1"),
    "the same partition twice": (lambda: PAIR.selected([0, 0]), H, "different"),
    # Coefficients.
    "a ragged matrix": (lambda: hm.Method([[0, 0], [1, 0, 0]], [1, 0]), H, "a[1]"),
    "too few weights": (lambda: hm.Method([[0, 0], [1, 0]], [1]), H, "b"),
    "no stages": (lambda: hm.Method([], []), H, "Method"),
    "a coefficient that is not a number": (lambda: hm.Method([[NAN]], [1]), H, "nan"),
    "an infinite weight": (lambda: hm.Method([[0]], [INF]), H, "inf"),
    "a complex coefficient": (lambda: hm.Method([[1j]], [1]), E, "complex"),
    "a boolean coefficient": (lambda: hm.Method([[True]], [1]), E, "True"),
    "a text that is no number": (lambda: hm.Method([["x"]], [1]), H, "found `x`"),
    "division by zero": (lambda: hm.Method([["1/0"]], [1]), H, "division by zero"),
    "None as a coefficient": (lambda: hm.Method([[None]], [1]), E, "NoneType"),
    "a text as a matrix": (lambda: hm.Method("1", [1]), E, "sequence"),
    "a number as weights": (lambda: hm.Method([[0]], 1), E, "sequence"),
    "other partitions of b": (lambda: hm.Method({"slow": [[0]]}, {"fast": [1]}), H, "partitions"),
    "an id with blanks": (lambda: hm.Method([[0]], [1], id="my method"), H, "id"),
    "a claim out of range": (lambda: hm.Method([[0]], [1], order=-1), H, "order"),
    "fractions of roots": (lambda: hm.method("gauss-2").exact.A, H, "fraction"),
    # Order.
    "an order that is too high": (lambda: hm.check(RK4, 40), H, "40"),
    "a negative order": (lambda: hm.check(RK4, -1), H, "order: found -1; expected a whole number from 0"),
    "an order of many digits": (lambda: hm.check(RK4, 10**40), H, "order: found a number of 133 bits"),
    "an order of a billion": (lambda: hm.check(RK4, 10**9), H, "order 1000000000"),
    "an order that is true": (lambda: hm.check(RK4, True), E, "order: found True"),
    "a negative tolerance of residuals": (lambda: hm.check(RK4, tolerance=-1), H, "tolerance -1"),
    "an infinite tolerance": (lambda: hm.check(RK4, tolerance=INF), H, "tolerance inf"),
    "a tolerance that is nan": (lambda: hm.check(RK4, tolerance=NAN), H, "tolerance: found nan"),
    "a claim that is negative": (lambda: hm.Method([[0]], [1], order=-1), H, "order: found -1"),
    "decimals that are no whole number": (lambda: hm.Method([[0]], [1], decimals=2.5), E, "decimals: found 2.5"),
    "an order that is a text": (lambda: hm.check(RK4, "four"), E, ""),
    "no such problem": (lambda: hm.check(RK4, 4, problem="stiff"), H, "stiff"),
    "no iterations": (lambda: hm.check(RK4, 4, linearized=0), H, "0 Newton"),
    "no threads": (lambda: hm.check(RK4, 4, threads=0), H, "0 threads"),
    "no claim to diagnose": (lambda: hm.diagnose(hm.Method([[0]], [1])), H, "claims no order"),
    "nothing to complete": (lambda: hm.complete(RK4), H, "neither"),
    "no such weights": (lambda: hm.complete(RK4, embedded=3), hm.NotFound, "order 3"),
    "nothing to polish": (lambda: hm.polish(RK4), H, "expected decimals"),
    "too many decimals": (lambda: hm.polish(PAIR, decimals=100), H, "100 decimals"),
    "trees without partitions": (lambda: hm.trees(3, partitions=0), H, "0 partitions"),
    # Stability.
    "one entry for a pair": (lambda: hm.rho(PAIR, 1.0), E, "expected 4"),
    "shapes that do not broadcast": (lambda: hm.rho(PAIR, [1, 2], [1, 2, 3], 0, 0), ValueError, "broadcast"),
    "a text as z": (lambda: hm.rho(RK4, "1"), E, "complex numbers"),
    "objects as z": (lambda: hm.matrix(RK4, np.array([None])), E, "complex numbers"),
    "no direction": (lambda: RK4.stability_limit(0), H, "direction"),
    "a direction that is no number": (lambda: RK4.stability_limit(NAN), H, "direction"),
    "a profile of one partition": (lambda: hm.profile(RK4), H, "partition"),
    "strength above one": (lambda: hm.profile(PAIR, [2.0]), H, "coupling strength"),
    "no such slice": (lambda: hm.map(PAIR, "coupled:kappa=x"), H, "kappa"),
    "a range that goes back": (lambda: hm.map(RK4, x=(1, -1)), H, "x 1 to -1"),
    "a range of one number": (lambda: hm.map(RK4, y=(1,)), H, "y: found 1 numbers; expected two"),
    "a range that is nan": (lambda: hm.map(RK4, x=(NAN, 1)), H, "x[0]: found nan"),
    "no cells": (lambda: hm.map(RK4, cells=0), H, "cells 0"),
    "a billion cells": (lambda: hm.map(RK4, cells=10**9), H, "cells 1000000000"),
    "cells on axes": (lambda: RK4.stability_function().plot_order_star(cells=10**9), H, "cells 1000000000"),
    "no methods on a map": (lambda: hm.map([]), H, "no methods"),
    "no slices": (lambda: hm.map(RK4, []), H, "no slices"),
    "no methods along the axis": (lambda: hm.dispersion([]), H, "no methods"),
    "no such quantity": (lambda: hm.map(RK4, show="shade"), H, "region"),
    "a figure without a format": (lambda: RK4.figure().save("map.bmp"), H, ".svg"),
    "three bounds": (lambda: RK4.plot_stability_region(bounds=[0, 1, 2]), H, "bounds"),
    # Systems and polynomials.
    "a matrix that is not square": (lambda: hm.system(np.zeros((2, 3))), H, "square"),
    "a matrix with nan": (lambda: hm.system([[NAN]]), H, "finite"),
    "a complex matrix": (lambda: hm.system([[1j]]), E, "complex"),
    "no such variable": (lambda: hm.system(np.eye(2), slow=[2]), H, "variable 2"),
    "a mask of another length": (lambda: hm.system(np.eye(2), slow=[True]), H, "mask"),
    "a partition that the method has not": (lambda: hm.system(-np.eye(2), slow=[0]).stable_steps("mprk-2a23", -1.0), H, ""),
    "more order than stages": (lambda: hm.polynomial(2, 3), H, "order"),
    "eigenvalues on the right": (lambda: hm.polynomial(3, 1, [1.0]), H, "half-plane"),
    "no eigenvalues": (lambda: hm.polynomial(3, 1, []), H, ""),
    "no such spectrum": (lambda: hm.polynomial(3, 1, "circle"), H, "circle"),
    "no digits": (lambda: hm.polynomial(3, 2, digits=0), H, "digits"),
    "a spectrum that is nan": (lambda: hm.polynomial(3, 1, [NAN]), H, "spectrum: found"),
    # Designs.
    "slow that is a text of no file": (lambda: hm.DesignSpec("two", 5), E, "slow: found 'two'"),
    "fast that is no whole number": (lambda: hm.DesignSpec(2, 5.5), E, "fast: found 5.5"),
    "a negative seed": (lambda: hm.DesignSpec(2, 5, seed=-1), H, "seed: found -1"),
    "a billion starts": (lambda: hm.design(2, 5, starts=10**9), H, "starts is 1000000000"),
    "a weight that is infinite": (lambda: hm.DesignSpec(2, 5, objective={"internal": INF}), H, "objective.internal: found inf"),
    "a slow stage beyond the last": (lambda: hm.DesignSpec(2, 5, slow_stages=[0, 5]), H, "slow_stages: found stage 5; expected 0 to 4"),
    "a bound beyond the last stage": (lambda: hm.DesignSpec(2, 5, structure={"bounds": {"fast.b[5]": "0"}}), H, "fast.b[5]: found stage 5"),
    "no such option": (lambda: hm.design(2, 5, shade=1), H, "shade"),
    "too high an order": (lambda: hm.design(2, 5, 4), H, "order 4"),
    "slow without fast": (lambda: hm.design(2), E, "fast"),
    "a checkpoint of another design": (
        lambda: hm.design(1, 4, resume=share(hm.DesignSpec(1, 3, starts=1), "1/1")), H, "another design"
    ),
    "no shares": (lambda: hm.merge([]), H, "no share"),
    "a share of nothing": (lambda: share(hm.DesignSpec(1, 3), "3/2"), H, "3/2"),
    # Runs.
    "a rate that is no function": (lambda: run(4), E, "function"),
    "the address zero": (lambda: run(ctypes.CFUNCTYPE(None)(0)), H, "address"),
    "too few rates": (lambda: run(lambda t, y: []), H, "shape"),
    "too many rates": (lambda: run(lambda t, y: [1, 2]), H, "shape"),
    "complex rates": (lambda: run(lambda t, y: [1j]), E, "complex"),
    "rates that are texts": (lambda: run(lambda t, y: ["1"]), E, "numbers"),
    "None for rates": (lambda: run(lambda t, y: None), E, "numbers"),
    "too few arguments": (lambda: run(lambda t: 0), E, "argument"),
    "an exception in a rate": (lambda: run(raises(KeyError("mine"))), KeyError, "mine"),
    "an interrupt in a rate": (lambda: run(raises(KeyboardInterrupt())), KeyboardInterrupt, ""),
    "an exit in a rate": (lambda: run(raises(SystemExit(3))), SystemExit, "3"),
    "a state with nan": (lambda: run(state=[NAN]), H, "nan"),
    "a complex state": (lambda: run(state=[1j]), E, "complex"),
    "a state that is a matrix": (lambda: run(state=[[1.0]]), H, "shape"),
    "an endless span": (lambda: run(span=(0, INF)), H, "t_span"),
    "no steps": (lambda: run(steps=0), H, "0 steps"),
    "a negative tolerance": (lambda: run(steps=None, rtol=-1), H, "rtol"),
    "times beyond the span": (lambda: run(method=DOPRI, t_eval=[2.0]), H, "t_eval"),
    "no dense output": (lambda: run(dense_output=True), H, "dense output"),
    "two partitions for one": (lambda: run(method=PAIR), H, "partitions"),
    # Events.
    "an event that is no function": (lambda: run(method=DOPRI, events=3), E, "events[0]"),
    "an event that is no number": (lambda: run(method=DOPRI, events=lambda t, y: "1"), E, "expected a number"),
    "an event that is nan": (lambda: run(method=DOPRI, events=lambda t, y: NAN), H, "event 0 is not a number"),
    "an exception in an event": (lambda: run(method=DOPRI, events=raises(KeyError("mine"))), KeyError, "mine"),
    "an interrupt in an event": (lambda: run(method=DOPRI, events=raises(KeyboardInterrupt())), KeyboardInterrupt, ""),
    "events without dense output": (lambda: run(events=decay), H, "dense output"),
    "no such option of runs": (lambda: run(tolerance=1), E, "tolerance"),
    # Schemes, compositions, models.
    "no such scheme": (lambda: hm.map("linearized:rk4,r=1"), H, "r=1"),
    "too many iterations": (lambda: hm.linearized("gauss-2", 2000), H, "2000"),
    "a scheme of too many iterations": (lambda: hm.Scheme("linearized", hm.method("gauss-2"), 10**9), H, "1000000000 Newton iterations"),
    "a scheme of no kind": (lambda: hm.Scheme("quick", RK4), H, "quick"),
    "nothing to compose": (lambda: hm.compose([]), H, "no method"),
    "a fraction that is no number": (lambda: hm.compose([RK4], [NAN]), H, "nan"),
    "no such look": (lambda: RK4.figure().svg(style="gray"), H, "gray"),
    "a jacobian that is not square": (lambda: hm.linear_model([[1.0, 2.0]], [0]), H, "J: found the shape (1, 2)"),
    "no levels": (lambda: hm.converge("kepler", "rk4", levels=-1), H, "levels: found -1"),
    "many levels": (lambda: hm.converge("kepler", "rk4", levels=10**9), H, "levels 1000000000"),
    "a step of zero": (lambda: hm.simulate("kepler", "rk4", step=0), H, "step 0"),
    "a step and steps": (lambda: hm.simulate("kepler", "rk4", step=0.1, steps=4), H, "steps and step"),
    "no steps of a simulation": (lambda: hm.simulate("kepler", "rk4", steps=0), H, "steps 0"),
    "steps that would all be kept": (lambda: hm.simulate("kepler", "rk4", steps=5 * 10**8, all_steps=True), H, "states to keep"),
    "a simulation that goes back": (lambda: hm.simulate("kepler", "rk4", to=-1.0), H, "end time -1e0"),
    "no steps of a fit": (
        lambda: hm.identify("quarter-car", [0.1, 0.2], {"body position": [0, 1]}, ["suspension-damping"], steps=0), H, "0 steps"
    ),
    "a sweep file that is none": (lambda: next(hm.sweep("none.sweep.json")), FileNotFoundError, "none.sweep.json"),
    # Converters.
    "a pair for SciPy": (lambda: convert.to_scipy(PAIR), H, "partitions"),
    "no embedded weights for SciPy": (lambda: convert.to_scipy(RK4), H, "embedded"),
    "an implicit method for SciPy": (lambda: convert.to_scipy("gauss-2"), H, "implicit"),
    "what is no solver": (lambda: convert.from_scipy(int), H, "array A"),
    "no such language": (lambda: RK4.to("cobol"), H, "cobol"),
    "PETSc takes pairs": (lambda: RK4.to("petsc"), H, "partition"),
    "a text without a table": (lambda: hm.read("nothing\nhere\n"), H, ""),
}  # fmt: skip


def test_there_are_sixty_and_more():
    assert len(CALLS) >= 60


@pytest.mark.parametrize("name", CALLS)
def test_the_right_exception(name):
    call, error, message = CALLS[name]
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value), caught.value


def test_numbers_of_numpy_are_numbers():
    two, half = np.int64(2), np.float32(0.5)
    assert hm.DesignSpec(two, np.int32(5), seed=np.uint8(7)) == hm.DesignSpec(2, 5, seed=7)
    assert hm.DesignSpec(2, 5, objective={"step": np.array([half, two])}) == hm.DesignSpec(2, 5, objective={"step": [0.5, 2]})
    assert hm.design(np.int64(1), np.int64(3), starts=np.int64(1)).spec == hm.DesignSpec(1, 3, starts=1)
    assert hm.family(np.array([4, 2]), two, "disk", starts=1).method.evaluations == (2, 4)
    assert hm.Method([[0]], [1], order=np.int64(1)).claims == {"order": 1}
    assert hm.check(RK4, np.int64(4)) == hm.check(RK4, 4) and hm.check(RK4, 4, tolerance=half).order == 4
    assert hm.map(RK4, cells=np.int16(10), x=np.array([-3, 1])).x == (-3.0, 1.0)
    assert PAIR.partition(np.int64(1)) == PAIR["fast"]


def test_a_bug_is_an_exception():
    # PyO3 derives the exceptions of panics from `BaseException`: they would end a session that catches every `Exception`.
    assert issubclass(hm.InternalError, RuntimeError) and not issubclass(hm.InternalError, hm.HemiolaError)
    assert "report" in hm.InternalError.__doc__ and repr(hm.InternalError) == "<class 'hemiola.InternalError'>"


def test_errors_are_value_errors():
    assert issubclass(hm.UnknownMethod, hm.HemiolaError) and issubclass(hm.HemiolaError, ValueError)
    assert issubclass(hm.Interrupted, KeyboardInterrupt)


def memory():
    """The memory in use, in bytes, where the system tells; else the most so far."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


#: What is called again and again, and how often.
LOOPS = {
    "numbers": (
        10_000,
        lambda: hm.rho(PAIR, Z, 0.1, 0.1, Z),
        lambda: hm.rho(PAIR, 0.1j, 0.1, 0.1, 1j),
        lambda: hm.matrix(RK4, Z),
        lambda: RK4.exact.A,
        lambda: DOPRI.b_hat,
        lambda: hm.Method([["x"]], [1]),
        lambda: hm.Method([[0, 0], ["1/2", 0]], [0, 1]).order(),
        lambda: hm.rho(PAIR, [1, 2], [1, 2, 3], 0, 0),
        lambda: RK4.stability_function(),
        lambda: hm.system([[-1.0, 0.1], [0.1, -2.0]], slow=[0]).rho(PAIR, 0.1),
    ),
    "callbacks": (
        10_000,
        lambda: run(),
        lambda: run(raises(KeyError("mine"))),
        lambda: run(raises(KeyboardInterrupt())),
        lambda: run(lambda t, y: [1, 2]),
        lambda: run(lambda t, y: [-y[0]], method=DOPRI, dense_output=True),
        lambda: run(method=DOPRI, events=lambda t, y: y[0] - 0.5),
        lambda: run(method=DOPRI, events=raises(KeyError("mine"))),
        lambda: run(method=DOPRI, events=raises(KeyboardInterrupt())),
        lambda: run(method=DOPRI, events=lambda t, y: None),
        lambda: run(method="gauss-2", rate=raises(ValueError("implicit"))),
    ),
    "pickles": (
        10_000,
        *(lambda value=value: pickle.loads(pickle.dumps(value)) for value in (RK4, PAIR, hm.DesignSpec(1, 3), hm.Event(decay, True))),
        lambda: pickle.loads(pickle.dumps(hm.linearized("gauss-2"))),
        lambda: pickle.loads(pickle.dumps(hm.system([[-1.0]]))),
        lambda: pickle.loads(pickle.dumps(hm.model("kepler"))),
        lambda: copy.deepcopy(hm.Interrupted(None, "")),
        lambda: pickle.loads(pickle.dumps(RK4.stability_function())),
        lambda: pickle.loads(b"nothing"),
    ),
    "figures": (
        300,
        lambda: hm.map(RK4, cells=20, samples=True),
        lambda: hm.map(RK4, cells=20).figure.svg(),
        lambda: hm.map(PAIR, "coupled:kappa=5,g=0.01", cells=20).figure.contents("pdf"),
        lambda: pickle.loads(pickle.dumps(hm.tree_figure(3))),
        lambda: hm.map(RK4, cells=20).figure.svg(style="gray"),
        lambda: hm.map(RK4, "coupled:kappa=x"),
    ),
    "threads": (
        100,
        lambda: hm.design(1, 3, starts=1, progress=raises(KeyError("mine"))),
        lambda: hm.design(1, 3, starts=1, threads=2),
        lambda: hm.simulate("kepler", "rk4", steps=10, to=0.1, compare=False, progress=raises(KeyboardInterrupt())),
    ),
}
Z = np.linspace(0, 1j, 16)


@pytest.mark.parametrize("kind", LOOPS)
def test_calls_do_not_leak(kind):
    """10⁵ calls and more, good and bad, with constant memory."""
    times, *calls = LOOPS[kind]

    def loop(times):
        for _ in range(times):
            for call in calls:
                try:
                    call()
                except (ValueError, KeyError, TypeError, KeyboardInterrupt, pickle.UnpicklingError):
                    pass

    loop(max(20, times // 20))
    before = memory()
    loop(times)
    assert memory() - before < 6 << 20


def test_figures_on_axes_do_not_leak():
    plt = pytest.importorskip("matplotlib.pyplot")

    def loop(times):
        for _ in range(times):
            RK4.plot_stability_region(ax=plt.figure().gca())
            plt.close("all")
        gc.collect()

    # Caches of matplotlib grow in the first calls.
    loop(40)
    before = memory()
    loop(60)
    assert memory() - before < 6 << 20
