"""Events: where they are beside SciPy's, which count, what ends a run, whatever the functions are."""

import ctypes

import numpy as np
import pytest

import hemiola as hm

DOPRI = hm.method("dormand-prince-5")
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def ball(t, y):
    return [y[1], -9.81]


def cannon(t, y):
    return y[0]


def apex(t, y):
    return y[1]


cannon.terminal, cannon.direction = True, -1


def test_scipys_cannon():
    """The example of ``solve_ivp``'s documentation: a cannon fired upward, its impact and its apex."""
    integrate = pytest.importorskip("scipy.integrate")
    theirs = integrate.solve_ivp(ball, [0, 100], [0, 10], events=[cannon, apex], dense_output=True, **TIGHT)
    ours = hm.integrate_partitions([ball], (0, 100), [[0, 10]], DOPRI, events=[cannon, apex], dense_output=True, **TIGHT)
    assert (ours.status, ours.success) == (theirs.status, theirs.success) == (1, True)
    for k in range(2):
        assert ours.t_events[k] == pytest.approx(theirs.t_events[k], rel=1e-10)
        assert ours.y_events[k] == pytest.approx(theirs.y_events[k], abs=1e-8)
    assert ours.t[-1] == ours.t_events[0][-1] == ours.sol.t_max == pytest.approx(20 / 9.81, rel=1e-12)
    assert ours.y[:, -1].tolist() == ours.y_events[0][-1].tolist() == pytest.approx([0, -10], abs=1e-9)
    times = np.linspace(0, ours.t[-1], 7)
    assert ours.sol(times)[0] == pytest.approx(10 * times - 9.81 / 2 * times**2, abs=1e-9)
    assert "an event ended the run" in ours.message


def circle(t, y):
    return [y[1], -y[0]]


@pytest.mark.parametrize("direction, multiples", [(0, [1, 2, 3, 4]), (1, [2, 4]), (-1, [1, 3])])
@pytest.mark.parametrize("options", [TIGHT, {"steps": 700}])
def test_directions(direction, multiples, options):
    found = hm.integrate_partitions([circle], (0, 14), [[0, 1]], DOPRI, events=hm.Event(lambda t, y: y[0], direction=direction), **options)
    assert found.t_events[0] / np.pi == pytest.approx(multiples, rel=1e-8) and found.status == 0
    assert found.y_events[0].shape == (len(multiples), 2) and abs(found.y_events[0][:, 0]).max() < 1e-13


def test_a_number_of_zeros_times_that_are_wanted_and_backwards():
    def height(t, y):
        return y[0]

    height.terminal = 3
    found = hm.integrate_partitions([circle], (0, -100), [[0, 1]], DOPRI, events=height, t_eval=-np.arange(100.0), **TIGHT)
    assert found.t_events[0] / np.pi == pytest.approx([-1, -2, -3], rel=1e-8)
    assert found.t.tolist() == (-np.arange(10.0)).tolist() and found.status == 1
    assert found.y[0] == pytest.approx(np.sin(found.t), abs=1e-8)


def slow(t, y, z, a=-1.0):
    return [a * y[0]]


def fast(t, y, z, a=-1.0):
    return [-40.0 * (z[0] - y[0])]


def test_partitions_and_arguments():
    found = hm.integrate(
        slow, fast, (0, 5), [1.0], [0.0], "hemiola-4-8", steps=1000, events=lambda t, y, z, a: y[0] + z[0] - np.exp(-2), args=(-1.0,)
    )
    # z follows y: z ≈ y·40/39.
    assert found.t_events[0] == pytest.approx([2 + np.log(1 + 40 / 39)], abs=1e-9)
    none = hm.integrate(slow, fast, (0, 1), [1.0], [0.0], "hemiola-4-8", steps=10, events=[])
    assert none.t_events is None and none.y_events is None


def test_compiled_events_of_compiled_rates():
    rate = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))
    event = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))

    @rate
    def turn(t, y, rate):
        rate[0], rate[1] = y[1], -y[0]

    @event
    def height(t, y):
        return y[0]

    for function, zero in ((turn, hm.Event(height, 2)), (circle, hm.Event(height, 2)), (turn, hm.Event(lambda t, y: y[0], 2))):
        found = hm.integrate_partitions([function], (0, 100), [[0, 1]], DOPRI, events=zero, **TIGHT)
        assert found.t_events[0] / np.pi == pytest.approx([1, 2], rel=1e-8)
    with pytest.raises(TypeError, match="c_double"):
        hm.integrate_partitions([circle], (0, 1), [[0, 1]], DOPRI, events=turn)


def test_compiled_events_of_numba():
    numba = pytest.importorskip("numba")

    @numba.cfunc("float64(float64, CPointer(float64))")
    def height(t, y):
        return y[0]

    height.terminal = True
    found = hm.integrate_partitions([circle], (0, 100), [[0, 1]], DOPRI, events=height, **TIGHT)
    assert found.t_events[0] / np.pi == pytest.approx([1], rel=1e-8) and found.status == 1


def test_models():
    kepler = hm.model("kepler")
    # The orbit crosses its long axis twice in a turn.
    found = kepler.integrate(DOPRI, (0, 2 * np.pi), events=lambda t, *y: np.concatenate(y)[1], **TIGHT)
    assert found.t_events[0][0] == pytest.approx(np.pi, abs=1e-7)


def test_what_goes_wrong():
    def run(events, **options):
        return hm.integrate_partitions([circle], (0, 1), [[0, 1]], options.pop("method", DOPRI), events=events, **{"steps": 4} | options)

    def fails(t, y):
        raise KeyError("mine")

    def stops(t, y):
        raise KeyboardInterrupt

    calls = []

    def fails_later(t, y):
        calls.append(t)
        if len(calls) == 3:
            raise KeyError("third")
        return 1.0

    for events, error, message in (
        (fails, KeyError, "mine"),
        ([cannon, stops], KeyboardInterrupt, ""),
        (fails_later, KeyError, "third"),
        (lambda t, y: None, TypeError, "events[0] returned None; expected a number"),
        (lambda t, y: "zero", TypeError, "events[0] returned 'zero'"),
        (lambda t, y: np.nan, hm.HemiolaError, "event 0 is not a number at t = 0"),
        (3, TypeError, "events[0]: found 3"),
        (hm.Event(cannon, terminal=-1), hm.HemiolaError, "terminal -1"),
        (hm.Event(cannon, terminal="yes"), hm.HemiolaError, "terminal 'yes'"),
        (hm.Event(cannon, direction=np.nan), hm.HemiolaError, "direction nan"),
    ):
        with pytest.raises(error) as caught:
            run(events)
        assert message in str(caught.value)
    assert len(calls) == 3, "no call after the exception"
    with pytest.raises(hm.HemiolaError, match="no dense output"):
        run(cannon, method="rk4")
    completed = hm.complete("rk4", dense=3)
    assert run(apex, method=completed).t_events[0].size == 0
