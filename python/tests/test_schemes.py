"""Schemes beside methods: maps and runs of them, compositions, polynomials as methods."""

from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

import hemiola as hm
from hemiola._hemiola import Drawing, command_line


def test_texts_and_objects_are_the_same():
    for text in ("linearized:gauss-2,q=2", "linearized:gauss-2,q=1,decoupled", "singular-perturbation", "singular-perturbation:heun-3"):
        scheme = hm.scheme(text)
        assert isinstance(scheme, hm.Scheme) and scheme.id == text
    assert hm.scheme("rk4") == hm.method("rk4")
    assert hm.linearized("gauss-2", 2) == hm.scheme("linearized:gauss-2,q=2") != hm.linearized("gauss-2")
    for text in ("linearized:", "linearized:gauss-2,q=x", "singular-perturbation:none"):
        with pytest.raises(hm.HemiolaError):
            hm.scheme(text)


def test_maps_of_all_schemes_have_the_bytes_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine = hm.Method([[0, 0], ["1/2", 0]], [0, 1], id="mine", name="Mine")
    mine.save("mine.json")
    texts = ["mine.json", "singular-perturbation", "linearized:gauss-2,q=1", "mprk-p2"]
    arguments = ["--slice", "coupled:kappa=5,g=0.04", "--points", "60", "--output", "theirs.json", "--data", "theirs.npy"]
    assert command_line(["hemiola", "map", *texts, *arguments]) == 0
    found = hm.map([mine, hm.singular_perturbation(), hm.linearized("gauss-2"), "mprk-p2"], "coupled:kappa=5,g=0.04", cells=60, samples=True)
    assert found.names == ("mine", "singular-perturbation", "linearized:gauss-2,q=1", "mprk-p2")
    theirs = np.load("theirs.npy")
    assert theirs.shape == (4, 61, 61) and all(np.array_equal(one, other) for one, other in zip(found.samples, theirs))
    assert [mark.points.tolist() for mark in found.figure.marks()] == [
        mark.points.tolist() for mark in hm.Figure(Drawing.from_json(Path("theirs.json").read_text(encoding="utf-8"))).marks()
    ]


def test_schemes_are_simulated():
    runs = hm.simulate("van-der-pol", ["radau-iia-3", hm.linearized("radau-iia-3", 2)], steps=500, to=0.5)
    assert [run.scheme for run in runs] == ["radau-iia-3", "linearized:radau-iia-3,q=2"] and all(run.finished for run in runs)
    with pytest.raises(hm.HemiolaError, match="decoupled"):
        hm.simulate("van-der-pol", hm.linearized("radau-iia-3", decoupled=True), steps=10, to=0.1)


def test_dispersion():
    marks = hm.dispersion("rk4", (0.0, 2.0)).marks()
    first = next(mark for mark in marks if mark.panel == 1)
    y, dissipation = first.points[1:].T
    R = hm.method("rk4").stability_function()
    assert np.allclose(dissipation, 1 - abs(R(1j * y)), atol=1e-6)


def test_compositions():
    pair = hm.method("mprk-p2")
    twice = hm.compose([pair, pair])
    z = [-0.3 + 0.1j, 0.2, 0.1j, -1.0]
    assert np.allclose(hm.matrix(twice, *z), np.linalg.matrix_power(hm.matrix(pair, *(np.array(z) / 2)), 2), rtol=1e-14)
    assert twice.partitions == pair.partitions and twice.evaluations == tuple(2 * count for count in pair.evaluations)
    # A method and then its adjoint have order 2, and the triple jump makes it 4.
    assert hm.compose(["explicit-euler", "implicit-euler"]).order() == 2
    outer = 1.3512071919596578
    triple = hm.compose(["implicit-midpoint"] * 3, [outer, 1 - 2 * outer, outer])
    assert triple.order(1e-12) == 4
    # Exact where both are, with roots, too.
    assert hm.compose(["rk4", "heun-3"], [F(1, 3), F(2, 3)]).exact.b.tolist() == [F(1, 18), F(1, 9), F(1, 9), F(1, 18), F(1, 6), 0, F(1, 2)]
    gauss = hm.compose(["gauss-2", "gauss-2"])
    assert gauss.exact_order() == 4 and gauss.order() == 4
    # Digits stay what they are.
    shome = hm.compose(["shome-haug-jay-2-5"] * 2)
    assert (shome.order(), shome.decimals) == (2, 8)
    for bad, message in (
        (lambda: hm.compose([]), "no method"),
        (lambda: hm.compose(["rk4", pair]), "partitions"),
        (lambda: hm.compose(["rk4"], [F(1, 2), F(1, 2)]), "2 fractions"),
    ):
        with pytest.raises(hm.HemiolaError, match=message):
            bad()


@pytest.mark.parametrize("stages, order, spectrum", [(5, 1, "imaginary"), (6, 4, "imaginary"), (9, 2, "real"), (30, 1, "real")])
def test_polynomials_as_methods(stages, order, spectrum):
    found = hm.polynomial(stages, order, spectrum)
    method = found.method()
    assert method.stability_function().numerator == found.coefficients
    limit = method.real_stability_interval() if spectrum == "real" else method.imaginary_stability_interval()
    assert limit == pytest.approx(found.limit, rel=1e-6)
    assert hm.map(method, cells=40).areas[0] > 0
