"""Stability against numpy: an independent S(Z), and its eigenvalues."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import hemiola as hm


def stability_matrix(method, Z):
    """S(Z) by the formula with all stage equations at once, in numpy."""
    A, b = (x[None] if len(method.partitions) == 1 else x for x in (method.A, method.b))
    n, s = len(b), method.stages
    Z = np.asarray(Z, dtype=complex).reshape(n, n)
    M = np.block([[Z[r, q] * A[q] for q in range(n)] for r in range(n)])
    V = np.linalg.solve(np.eye(n * s) - M, np.kron(Z, np.ones((s, 1))))
    return np.eye(n) + np.array([[b[r] @ V[r * s : (r + 1) * s, q] for q in range(n)] for r in range(n)])


@pytest.mark.parametrize("id", ["rk4", "gauss-3", "shome-haug-jay-2-5", "hemiola-4-8", "ars-4-4-3", "mprk-2a23"])
def test_matrices_and_radii(id):
    method, rng = hm.method(id), np.random.default_rng(1)
    n = len(method.partitions)
    Z = rng.normal(size=(40, n * n)) + 1j * rng.normal(size=(40, n * n))
    S = hm.matrix(method, *Z.T)
    radii = hm.rho(method, *Z.T)
    for k in range(len(Z)):
        expected = stability_matrix(method, Z[k])
        assert np.allclose(S[k], expected, rtol=1e-10, atol=1e-12)
        assert radii[k] == pytest.approx(max(abs(np.linalg.eigvals(expected))), rel=1e-7)


def test_broadcasting():
    pair = hm.method("shome-haug-jay-2-5")
    z = np.linspace(0, 3, 5) * 1j
    radii = hm.rho(pair, z[:, None] / 10, 0.01, 0.01, z)
    assert radii.shape == (5, 5)
    assert radii[2, 3] == hm.rho(pair, z[2] / 10, 0.01, 0.01, z[3]) == hm.rho(pair, z[2].item() / 10, 0.01, 0.01, z[3].item())
    assert hm.rho(pair, np.zeros((3, 0)), 0, 0, 0).shape == (3, 0)
    assert isinstance(hm.rho(pair, -0.1, 0, 0, -1), float) and isinstance(hm.rho("rk4", -1), float)
    assert hm.matrix(pair, z, 0, 0, z).shape == (5, 2, 2)
    # Views that are not contiguous, and integers.
    grid = np.arange(24).reshape(4, 6)[::2, ::-3]
    assert np.array_equal(hm.rho("rk4", -grid / 10), [[hm.rho("rk4", -x / 10) for x in row] for row in grid])
    assert hm.rho(pair, z, 0, 0, z, threads=1).tolist() == hm.rho(pair, z, 0, 0, z).tolist()


def test_poles_and_overflow():
    euler = hm.method("implicit-euler" if "implicit-euler" in hm.library() else "backward-euler")
    assert hm.rho(euler, 1.0) == np.inf and np.isnan(hm.matrix(euler, 1.0)).all()
    assert hm.rho("shome-haug-jay-2-5", 0, 0, 0, 1e200) == np.inf


def test_limits():
    rk4 = hm.method("rk4")
    assert rk4.imaginary_stability_interval() == 8**0.5
    assert rk4.real_stability_interval() == pytest.approx(2.785293563405282, rel=1e-15)
    assert hm.method("gauss-2").real_stability_interval() == np.inf
    R = rk4.stability_function()
    z = np.exp(1j * np.linspace(0, 6, 9))
    assert np.allclose(abs(R(z)), hm.rho(rk4, z)) and "tfrac{1}{24}z^{4}" in R._repr_latex_()
    assert hm.method("gauss-2").stability_angle() == 90.0


def test_profile():
    found = hm.profile("shome-haug-jay-2-5", [0.1, 0.2])
    assert np.allclose(found.practical, [0.9286, 0.8738], atol=2e-2) and found.strict[0] <= found.practical[0]


def test_systems():
    J = np.array([[0, 1, 0, 0], [-1, -0.1, 0.2, 0], [0, 0, 0, 1], [2, 0, -100, -1.0]])
    system = hm.system(J, slow=[0, 1])
    assert system == hm.system(J, slow=slice(2)) == hm.system(J, slow=[True, True, False, False]) == hm.system(J, partition=[0, 0, 1, 1])
    found = system.stable_steps("mprk-p3")
    inside, outside = system.rho("mprk-p3", [0.999 * found.first_exit, 1.001 * found.first_exit])
    assert inside <= 1 + 1e-9 < outside
    M = system.step_matrix("mprk-p3", 0.1)
    assert max(abs(np.linalg.eigvals(M))) == pytest.approx(system.rho("mprk-p3", 0.1), rel=1e-12)
    assert abs(found.cost_of_coupling) < 0.05
    sparse = pytest.importorskip("scipy.sparse")
    assert hm.system(sparse.csr_array(J), slow=[0, 1]) == system


def test_polynomials():
    four = hm.polynomial(4, 4, certify=True)
    assert four.limit == 8**0.5 and four.proved and [str(beta) for beta in four.coefficients[:3]] == ["1", "1", "1/2"]
    assert hm.polynomial(5, 2).limit == 4.0
    upwind = hm.polynomial(5, 3, [-1 + 0.5j, -0.2 + 1j, -2])
    radii = abs(upwind(upwind.limit * np.array([-1 + 0.5j, -0.2 + 1j, -2])))
    assert radii.max() == pytest.approx(1.0, abs=1e-6)
    # Periodic central differences: eigenvalues on the imaginary axis.
    n = 16
    J = (np.roll(np.eye(n), 1, 1) - np.roll(np.eye(n), -1, 1)) / 2
    assert hm.polynomial(4, 4, jacobian=J).limit == pytest.approx(8**0.5, rel=1e-6)


def test_maps(tmp_path):
    found = hm.map(["rk4", "kutta-3"], cells=80, extents=True, samples=True)
    assert found.names == ("rk4", "kutta-3") and found.samples[0].shape == (81, 81)
    assert dict(found.extents)["rk4"][1] == pytest.approx(8**0.5)
    x, y = np.linspace(*found.x, 81), np.linspace(*found.y, 81)
    assert np.allclose(found.samples[0], hm.rho("rk4", x + 1j * y[:, None]), rtol=1e-12)
    for ending, start in [("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("tex", b"%"), ("json", b"{")]:
        found.figure.save(tmp_path / f"map.{ending}")
        assert (tmp_path / f"map.{ending}").read_bytes().startswith(start)
    assert found.figure._repr_svg_().startswith("<svg")
    coupled = hm.map("shome-haug-jay-2-5", "coupled:kappa=5,g=0.01", cells=40)
    assert len(coupled.areas) == 1 and coupled.areas[0] > 0


def test_models_on_meshes_know_their_parts_alone():
    """As ``hemiola system --model``: the same steps to the last bit."""
    text = "dg-advection:cells=4,nodes=lobatto"
    shown = subprocess.run(
        [sys.executable, "-m", "hemiola", "system", "perk-4-9-5", "--model", text, "--json"], capture_output=True, text=True, check=True
    )
    theirs = json.loads(shown.stdout)["methods"][0]
    system = hm.model("dg-advection", cells=4, nodes="lobatto").system()
    ours = system.stable_steps("perk-4-9-5")
    assert (ours.first_exit, ours.decoupled) == (theirs["first_exit"], theirs["decoupled"])
    again = pickle.loads(pickle.dumps(system))
    assert again == system and again.stable_steps("perk-4-9-5") == ours
    # The diagonal blocks are far from normal: they would say otherwise.
    blocks = hm.System(system.jacobian, system.partition)
    assert blocks != system and blocks.stable_steps("perk-4-9-5").decoupled > 1.05 * ours.decoupled
    assert system.figure("perk-4-9-5").marks()


def test_parts_alone_may_be_given():
    J = np.diag([-1.0, -1.0, -10.0, -10.0])
    plain, given = hm.system(J, slow=[0, 1]), hm.system(J, slow=[0, 1], alone=[[[-1.0]], [[-40.0]]])
    pair = "shome-haug-jay-2-5"
    assert given.stable_steps(pair).decoupled == pytest.approx(plain.stable_steps(pair).decoupled / 4)
    assert given.stable_steps(pair, 1.0).first_exit == pytest.approx(plain.stable_steps(pair, 1.0).first_exit, rel=1e-9)
    with pytest.raises(hm.HemiolaError, match="found 1 matrices"):
        hm.system(J, slow=[0, 1], alone=[J])
    with pytest.raises(hm.HemiolaError, match=r"alone\[1\].*square"):
        hm.system(J, slow=[0, 1], alone=[[[-1.0]], [[-1.0, 0.0]]])


def test_large_sparse_systems():
    """500 variables of upwind differences, sparse: a closed form tells the largest step, and a pair is searched for by products."""
    sparse = pytest.importorskip("scipy.sparse")
    n, width = 500, 1 / 500
    J = sparse.diags_array([-np.ones(n) / width, np.ones(n - 1) / width, [1 / width]], offsets=[0, -1, n - 1]).tocsr()
    system = hm.system(J, slow=slice(0, n // 2))
    euler = system.stable_steps("explicit-euler")
    assert euler.first_exit == pytest.approx(width, rel=1e-8)
    pair = system.stable_steps("mprk-p2", to=3 * width)
    assert 0.5 * width < pair.first_exit < 3 * width
    growth = system.rho("mprk-p2", [0.98 * pair.first_exit, 1.1 * pair.first_exit])
    assert growth[0] <= 1 + 1e-6 < growth[1]
