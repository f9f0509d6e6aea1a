"""Runs: of Python functions, of compiled ones, of models; what ends them."""

import ctypes
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import hemiola as hm


PENDULUM = """{
  "format": "hemiola-multibody/1",
  "name": "pendulum",
  "bodies": [{ "name": "bob", "mass": 1.0, "center": [0.0, 0.0, -0.5], "inertia": [0.01, 0.01, 0.01] }],
  "joints": [{ "name": "pivot", "type": "revolute", "between": ["ground", "bob"], "at": [0, 0, 0], "axis": [0, 1, 0] }],
  "initial": [{ "joint": "pivot", "velocity": [3.0] }]
}"""


def slow(t, y, z):
    return [y[1], -y[0] + 0.1 * z[0]]


def fast(t, y, z):
    return np.array([-40.0 * (z[0] - np.cos(t)) + y[0]])


def exact_end(method="rk4"):
    return hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], method, steps=4000).y[:, -1]


def test_orders_are_seen():
    exact = exact_end()
    errors = [
        max(abs(hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], "hemiola-4-8", steps=n).y[:, -1] - exact)) for n in (40, 80)
    ]
    assert 3.5 < np.log2(errors[0] / errors[1]) < 5


def test_shapes_and_counts():
    found = hm.integrate(slow, fast, (0, 1), [1, 0], 0.5, "hemiola-4-8", steps=10)
    assert found.t.shape == (11,) and found.y.shape == (3, 11)
    assert (found.y_slow.shape, found.y_fast.shape) == ((2, 11), (1, 11))
    assert found.evaluations == (40, 80) and found.steps == 10 and found.success and found.status == 0
    assert hm.integrate(slow, fast, (0, 1), [1, 0], 0.5, "hemiola-4-8", step=0.1).steps == 10


def test_backwards():
    there = hm.integrate(slow, fast, (0, 0.1), [1, 0], [0.5], "rk4", steps=200)
    back = hm.integrate(slow, fast, (0.1, 0), there.y_slow[:, -1], there.y_fast[:, -1], "rk4", steps=200)
    assert np.allclose(back.y[:, -1], [1, 0, 0.5], atol=1e-8) and back.t[-1] == 0


def test_adaptive_steps_with_dense_output():
    method = hm.method("dormand-prince-5")
    found = hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], method, rtol=1e-9, atol=1e-11, dense_output=True)
    exact = hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], "rk4", steps=4000)
    assert np.allclose(found.y[:, -1], exact.y[:, -1], atol=1e-8) and found.steps < 400
    times = exact.t[::37]
    assert np.allclose(found.sol(times), exact.y[:, ::37], atol=1e-6)
    assert found.sol(1.0).shape == (3,) and found.sol([[0.1, 0.2]]).shape == (3, 1, 2)
    at = hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], method, rtol=1e-9, atol=1e-11, t_eval=[0, 0.3, 1.7, 2])
    assert at.t.tolist() == [0, 0.3, 1.7, 2] and np.allclose(at.y, found.sol(at.t), atol=1e-12)
    back = hm.integrate(slow, fast, (2, 1.9), exact.y[:2, -1], exact.y[2:, -1], method, rtol=1e-9, atol=1e-11, dense_output=True)
    assert np.allclose(back.sol([1.99, 1.91]), found.sol([1.99, 1.91]), atol=1e-5)
    # Without embedded weights steps are doubled.
    assert np.allclose(hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], "rk4", rtol=1e-9).y[:, -1], exact.y[:, -1], atol=1e-6)


def test_other_numbers_of_partitions():
    rates = [lambda t, x, y, z: -x, lambda t, x, y, z: -2 * y, lambda t, x, y, z: -3 * z]
    found = hm.integrate_partitions(rates, (0, 1), [1.0, 1.0, 1.0], "mprk-2a23", steps=200)
    assert np.allclose(found.y[:, -1], np.exp([-1, -2, -3]), atol=1e-3) and len(found.parts) == 3
    one = hm.integrate_partitions([lambda t, y: t * y], (0, 1), [[1.0, 2.0]], "gauss-2", steps=20)
    assert np.allclose(one.y[:, -1], np.exp(0.5) * np.array([1, 2]), atol=1e-7)


def test_arguments():
    found = hm.integrate(lambda t, y, z, a: a * y, lambda t, y, z, a: -z, (0, 1), 1.0, 1.0, "rk4", steps=50, args=(-2.0,))
    assert found.y[:, -1] == pytest.approx(np.exp([-2, -1]), abs=1e-6)


def test_compiled_functions_of_ctypes():
    kind = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))

    @kind
    def compiled_slow(t, y, rate):
        rate[0], rate[1] = y[1], -y[0] + 0.1 * y[2]

    @kind
    def compiled_fast(t, y, rate):
        rate[0] = -40.0 * (y[2] - np.cos(t)) + y[0]

    expected = hm.integrate(slow, fast, (0, 2), [1, 0], [0.5], "hemiola-4-8", steps=100)
    found = hm.integrate(compiled_slow, compiled_fast, (0, 2), [1, 0], [0.5], "hemiola-4-8", steps=100)
    mixed = hm.integrate(slow, compiled_fast, (0, 2), [1, 0], [0.5], "hemiola-4-8", steps=100)
    assert np.allclose(found.y, expected.y, rtol=1e-14) and np.allclose(mixed.y, expected.y, rtol=1e-14)
    assert found.evaluations == expected.evaluations


def test_compiled_functions_of_numba():
    numba = pytest.importorskip("numba")
    signature = numba.types.void(
        numba.types.float64, numba.types.CPointer(numba.types.float64), numba.types.CPointer(numba.types.float64)
    )

    @numba.cfunc(signature)
    def decay(t, y, rate):
        rate[0] = -y[0]

    @numba.cfunc(signature)
    def follow(t, y, rate):
        rate[0] = -50.0 * (y[1] - y[0])

    found = hm.integrate(decay, follow, (0, 1), 1.0, 0.0, "hemiola-4-8", steps=200)
    assert found.y[0, -1] == pytest.approx(np.exp(-1), rel=1e-9)


def test_runs_that_break_off_say_so():
    found = hm.integrate_partitions([lambda t, y: y**2], (0, 2), [1.0], "dormand-prince-5")
    assert not found.success and found.status == -1 and found.t[-1] < 1.0 + 1e-6 and found.message
    few = hm.integrate_partitions([lambda t, y: -y], (0, 2), [1.0], "dormand-prince-5", max_steps=2)
    assert "maximum of 2 steps" in few.message
    blown = hm.integrate_partitions([lambda t, y: -1000 * y**3], (0, 50), [10.0], "rk4", steps=50)
    assert not blown.success and "not finite" in blown.message


class Mine(Exception):
    pass


@pytest.mark.parametrize("method, options", [("rk4", {"steps": 100}), ("dormand-prince-5", {}), ("rk4", {}), ("gauss-2", {"steps": 5})])
def test_exceptions_of_functions_are_raised_as_they_are(method, options):
    calls = []

    def rate(t, y):
        calls.append(t)
        if len(calls) == 7:
            raise Mine("seven")
        return -y

    with pytest.raises(Mine, match="seven"):
        hm.integrate_partitions([rate], (0, 1), [1.0], method, **options)
    assert len(calls) == 7, "no call after the exception"


def test_keyboard_interrupt_in_a_function():
    def rate(t, y):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hm.integrate_partitions([rate], (0, 1), [1.0], "rk4", steps=3)


def interrupt_after(seconds):
    # Shells start background jobs with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def press():
        time.sleep(seconds)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


def test_ctrl_c_ends_runs_of_models():
    model = hm.model("kepler")
    interrupt_after(0.2)
    begun = time.time()
    with pytest.raises(KeyboardInterrupt):
        model.integrate("dormand-prince-5", (0.0, 1e9), rtol=1e-6, max_steps=10**9, t_eval=[1e9])
    assert time.time() - begun < 5


def test_models():
    model = hm.model("coupled-oscillators", ratio=20.0)
    assert model == hm.model("coupled-oscillators", ratio=20) != hm.model("coupled-oscillators")
    y = model.initial
    step = 1e-6
    columns = [(model.rates(0, y + step * e) - model.rates(0, y - step * e)) / (2 * step) for e in np.eye(len(y))]
    assert np.allclose(np.column_stack(columns), model.jacobian(), atol=1e-5)
    run = model.integrate("hemiola-4-8", (0.0, 1.0), steps=100)
    other = hm.integrate(
        lambda t, a, b: model.rates(t, np.append(a, b))[: model.sizes[0]],
        lambda t, a, b: model.rates(t, np.append(a, b))[model.sizes[0] :],
        (0, 1), y[: model.sizes[0]], y[model.sizes[0] :], "hemiola-4-8", steps=100,
    )  # fmt: skip
    assert np.allclose(run.y, other.y, rtol=1e-12, atol=1e-14) and run.evaluations == other.evaluations == (400, 800)
    kepler = hm.model("kepler")
    assert np.allclose(kepler.integrate("dormand-prince-5", rtol=1e-10, atol=1e-12).y[:, -1], kepler.exact(kepler.duration), atol=1e-6)
    assert model.system().stable_steps("hemiola-4-8").first_exit > 0


def test_simulations():
    told = []
    runs = hm.simulate("quarter-car", ["rk4", "hemiola-4-8"], step=0.001, progress=lambda done, all: told.append((done, all)))
    assert [run.scheme for run in runs] == ["rk4", "hemiola-4-8"] and all(run.finished and run.error < 1e-3 for run in runs)
    assert {run.outcome for run in runs} == {"finished"}
    # Each step multiplies the stiff part by 500⁴/24.
    unstable, = hm.simulate("kpr:slow-decay=10000", "rk4", steps=3, to=0.15)
    assert not unstable.finished and unstable.error > 1e6 and unstable.outcome.startswith("unstable: ")
    assert runs[1].evaluations[1] == 2 * runs[1].evaluations[0]
    assert all(done <= all for done, all in told)


def test_observed_orders():
    told = []
    found = hm.converge("kepler", ["rk4", hm.method("dormand-prince-5")], levels=5, wanted=1e-5, progress=lambda *at: told.append(at))
    assert [one.scheme for one in found.methods] == ["rk4", "dormand-prince-5"] and told[-1] == (11, 11)
    for one, order in zip(found.methods, (4, 5)):
        assert one.claimed == order and one.order == pytest.approx(order, abs=0.3) and len(one.steps) == len(one.errors) == 5
        assert one.wanted[1] <= 1e-5 and one.evaluations[0] == (one.steps[0] * hm.method(one.scheme).evaluations[0],) * 2
    assert found.uncertainty < 1e-12 and found._repr_svg_().startswith("<svg")
    with pytest.raises(hm.HemiolaError, match="variables: found 9"):
        hm.converge("kepler", "rk4", variables=[9])


def test_linear_systems_and_machines_as_models(tmp_path):
    linear = hm.linear_model([[-20.0, 1.0], [0.5, -1.0]], slow=[1])
    assert linear.sizes == (1, 1) and linear.jacobian().tolist() == [[-1.0, 0.5], [1.0, -20.0]]
    assert pickle.loads(pickle.dumps(linear)) == linear != hm.linear_model([[-2.0, 1.0], [0.5, -1.0]], slow=[1])
    assert hm.simulate(linear, "hemiola-4-8", steps=200)[0].error < 1e-6
    for bad, message in ((lambda: hm.linear_model([[1.0, 2.0]], [0]), "J: found the shape"), (lambda: hm.linear_model([[1.0]], [1]), "slow: found variable 1; expected 0 to 0")):
        with pytest.raises(hm.HemiolaError, match=message):
            bad()
    machine = tmp_path / "pendulum.json"
    machine.write_text(PENDULUM, encoding="utf-8")
    pendulum = hm.model(machine)
    run = pendulum.integrate("dormand-prince-5", (0.0, 1.0), rtol=1e-9)
    names = [name for name, _ in pendulum.outputs]
    energy = pendulum.output_values(run.t, run.y)[names.index("total energy")]
    assert energy.shape == run.t.shape and np.ptp(energy) < 1e-5 * np.ptp(pendulum.output_values(run.t, run.y)[names.index("kinetic energy")])
    with pytest.raises(FileNotFoundError):
        hm.model("none.json")
    machine.write_text('{"format": "hemiola-multibody/1"}', encoding="utf-8")
    with pytest.raises(hm.HemiolaError, match="pendulum.json"):
        hm.model(machine)


def test_parameters_from_measurements(tmp_path):
    """As ``hemiola identify``: noisy measurements of a car, the same numbers."""
    car = hm.model("quarter-car", suspension_damping=1300.0, suspension_stiffness=2e4)
    run = car.integrate("rk4", (0.0, 2.0), steps=400)
    t, noise = run.t[10::10], np.random.default_rng(3).normal(0, 1e-4, (2, 40))
    names = [name for name, _ in car.variables]
    measured = {names[k]: run.y[k, 10::10] + noise[k] for k in range(2)}
    free = ["suspension-damping", "suspension-stiffness"]
    found = hm.identify("quarter-car", t, measured, free, deviations=1e-4, bounds={"suspension-damping": (100, 5000)})
    assert found.converged and found.probability > 0.01 and found.degrees == 78 and found.residuals.shape == (2, 40)
    for name, truth in zip(free, (1300.0, 2e4)):
        assert abs(found.parameters[name] - truth) < 4 * found.deviations[name]
    rows = [",".join(["t", *names[:2]]), *(",".join(map(repr, map(float, row))) for row in zip(t, *measured.values()))]
    (tmp_path / "car.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "hemiola", "identify", "quarter-car", "--data", "car.csv", "--free", ",".join(free), "--deviations", "1e-4", "--json"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert all(repr(value) in shown for value in found.parameters.values()), shown
    for bad, message in (
        (lambda: hm.identify("quarter-car", t, {"roof": t}, free), "'roof'"),
        (lambda: hm.identify("quarter-car", t, {names[0]: t[1:]}, free), "shape"),
        (lambda: hm.identify("quarter-car", t, measured, ["colour"]), "colour"),
        (lambda: hm.identify("quarter-car", t, measured, free, bounds={"mass": (0, 1)}), "'mass'"),
        (lambda: hm.identify("quarter-car", t, measured, free, deviations={names[0]: 1.0}), names[1]),
        (lambda: hm.identify("quarter-car", t[::-1], measured, free), "time"),
    ):
        with pytest.raises(hm.HemiolaError, match=message):
            bad()


def test_one_system_as_in_scipy():
    ivp = pytest.importorskip("scipy.integrate")

    def rate(t, y, k):
        return [y[1], -k * y[0]]

    def crossing(t, y, k):
        return y[0]

    options = {"args": (4.0,), "events": crossing, "rtol": 1e-8, "atol": 1e-10, "dense_output": True}
    ours, theirs = (solve((rate), (0, 3), [1.0, 0.0], **options) for solve in (hm.solve_ivp, ivp.solve_ivp))
    assert ours.success and ours.t[-1] == 3 and ours.status == theirs.status == 0
    assert abs(ours.y[:, -1] - theirs.y[:, -1]).max() < 1e-6 and isinstance(ours.nfev, int)
    assert np.allclose(ours.t_events[0], np.pi * np.array([0.25, 0.75]), atol=1e-7) and len(theirs.t_events[0]) == 2
    assert np.allclose(ours.sol(1.0), theirs.sol(1.0), atol=1e-6)
    # Implicit methods and equal steps.
    stiff = hm.solve_ivp(lambda t, y: -1e4 * (y - np.cos(t)), (0, 1), 0.0, "Radau", step=0.1)
    assert stiff.steps == 10 and abs(stiff.y[0, -1] - np.cos(1)) < 1e-3 and stiff.method.id == "radau-iia-3"
    with pytest.raises(TypeError, match=r"args: found 4.0; expected a tuple, such as \(4.0,\)"):
        hm.solve_ivp(rate, (0, 3), [1.0, 0.0], args=4.0)


def test_solutions_in_notebooks():
    run = hm.integrate(slow, fast, (0, 1), [1, 0], [0.5], "hemiola-4-8", steps=10)
    labels = [(mark.panel, mark.label) for mark in run.figure().marks()]
    assert labels == [(1, "y[0]"), (1, "y[1]"), (2, "y[2]")]
    points = run.figure([2]).marks()[0].points
    assert np.allclose(points[:, 0], run.t) and np.allclose(points[:, 1], run.y[2])
    shown = run._repr_html_()
    assert "<svg" in shown and "10, 0 rejected" in shown and "40 slow, 80 fast" in shown
    # The start of a decay is no transient to cut off.
    assert "cut off" not in hm.solve_ivp(lambda t, y: -y, (0, 100), [1.0]).figure().svg()
    long = hm.solve_ivp(lambda t, y: -y, (0, 1), np.ones(9), "rk4", steps=5000)
    drawn = long.figure().marks()
    assert len(drawn) == 6 and {len(mark.points) for mark in drawn} == {2000} and drawn[0].points[-1, 0] == 1.0
    for wrong in ([], [9], [-1]):
        with pytest.raises(hm.HemiolaError, match="variables"):
            long.figure(wrong)
