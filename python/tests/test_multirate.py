"""Multirate methods: verdicts, expansion, files and tables."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import hemiola as hm
import numpy as np
import pytest


def test_orders_of_the_library_are_as_claimed() -> None:
    for id in hm.multirate_library():
        method = hm.multirate(id)
        report = method.check()
        assert report.order == method.claimed_order, id
        embedded = None if report.embedded is None else report.embedded.order
        assert embedded == method.claimed_embedded_order, id
        assert report.step.error is not None and report.step.failures
        # The ten decimals of mis4 leave its last abscissa 8e-11 away.
        assert method.is_internally_consistent and abs(method.abscissae[-1] - 1) < 1e-10, id


def test_norms_are_as_printed() -> None:
    error = hm.multirate("merk43").check().step.error
    assert error is not None and error.order == 5
    assert abs(error.total - 0.0193887141040) < 1e-13
    assert abs(error.total**2 - error.fast**2 - error.slow**2 - error.coupling**2) < 1e-16
    assert hm.multirate("merk43").check(3).step.error is None


def test_expansions_are_ordinary_methods() -> None:
    pair = hm.multirate("mri-gark-erk33a").expand("kutta-3", 2)
    assert pair.order() == 3 and len(pair) == 2
    assert hm.multirate("mri-gark-erk33a").expand(hm.method("heun-2"), 1).order() == 2
    with pytest.raises(hm.HemiolaError, match="expected 1 substep or more"):
        hm.multirate("merk32").expand("rk4", 0)
    with pytest.raises(hm.HemiolaError, match="has 2 partitions; expected one"):
        hm.multirate("merk32").expand("shome-haug-jay-2-5", 1)


def test_methods_are_files_and_can_be_copied(tmp_path: Path) -> None:
    method = hm.multirate("imex-mri-sr43")
    file = tmp_path / "imex-mri-sr43.json"
    file.write_text(method.to_json(), encoding="utf-8")
    assert hm.multirate(file) == method and hash(hm.multirate(file)) == hash(method)
    assert pickle.loads(pickle.dumps(method)) == method == copy.deepcopy(method)
    assert method.evaluations == (6, 6) and method.partitions == ("fast", "explicit", "implicit")
    with pytest.raises(FileNotFoundError):
        hm.multirate(tmp_path / "none.json")
    with pytest.raises(hm.UnknownMethod, match="mri-gark-erk33a"):
        hm.multirate("erk33a")


def test_tables_are_written() -> None:
    assert "MRISTEP_SR" in hm.multirate("imex-mri-sr21").to("sundials")
    assert "MRIGARKTableau" in hm.multirate("mri-gark-esdirk34a").to("julia")
    with pytest.raises(hm.HemiolaError, match="expected sundials, julia, json or latex"):
        hm.multirate("merk32").to("fortran")
    with pytest.raises(hm.HemiolaError, match="found the language"):
        hm.multirate("merk32").to("cobol")


def _slow(t, y, z):
    return -y + np.sin(t) + 0.1 * z


def _fast(t, y, z):
    return 20.0 * (y - z) + np.cos(15.0 * t)


def test_runs_take_functions_of_the_user() -> None:
    exact = hm.integrate(_slow, _fast, (0.0, 2.0), [1.0], [0.0], "dormand-prince-8", rtol=1e-12, atol=1e-12).y[:, -1]

    def error(steps: int) -> float:
        found = hm.integrate(_slow, _fast, (0.0, 2.0), [1.0], [0.0], "merk43", inner="rk4", substeps=10, steps=steps)
        assert found.success and found.evaluations == (6 * steps, 6 * 10 * 4 * steps) and found.method.partitions == ("slow", "fast")
        return float(max(abs(found.y[:, -1] - exact)))

    assert 3.5 < np.log2(error(10) / error(20)) < 4.5
    # The stepper takes the steps of the expanded pair.
    pair = hm.multirate("merk43").expand("rk4", 2)
    one, other = (hm.integrate(_slow, _fast, (0.0, 2.0), [1.0], [0.0], how, steps=10) for how in (pair, "merk43:inner=rk4,substeps=2"))
    assert np.allclose(one.y, other.y, rtol=0, atol=1e-13)
    # Without a number of substeps both scales adapt.
    found = hm.integrate(_slow, _fast, (0.0, 2.0), [1.0], [0.0], hm.multirate("merk43"), rtol=1e-8, atol=1e-8, t_eval=[0.5, 2.0])
    assert found.success and found.evaluations[1] > found.evaluations[0] and max(abs(found.y[:, -1] - exact)) < 1e-6


def test_studies_take_multirate_methods() -> None:
    run, other = hm.simulate("kpr", ["merk43:inner=rk4,substeps=4", hm.realization("hemiola-mri-5-4", "rk4", 4)], steps=200)
    assert run.scheme == "merk43:inner=rk4,substeps=4" and run.evaluations == (1200, 19200)
    assert other.evaluations == (1000, 16000) and other.error < 1e-5
    (found,) = hm.converge("kpr", hm.multirate("mri-gark-erk33a"), levels=6).methods
    assert found.claimed == 3 and abs(found.order - 3) < 0.3
    assert hm.model("kpr").integrate(hm.multirate("merk43"), steps=100).success


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(hm.HemiolaError, match="expected them with a multirate method"):
        hm.integrate(_slow, _fast, (0.0, 1.0), [1.0], [0.0], "rk4", inner="rk4")
    with pytest.raises(hm.HemiolaError, match="expected at least 1"):
        hm.realization("merk43", "rk4", 0)
    with pytest.raises(hm.HemiolaError, match="expected a multirate method"):
        hm.realization("rk4")
    with pytest.raises(hm.HemiolaError, match="expected an ordinary one"):
        hm.map("merk43")
    with pytest.raises(hm.HemiolaError, match="has 2 partitions, but the system has 1"):
        hm.integrate_partitions([lambda t, y: -y], (0.0, 1.0), [[1.0]], "merk43", steps=2)
