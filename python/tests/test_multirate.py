"""Multirate methods: verdicts, expansion, files and tables."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import hemiola as hm
import pytest


def test_orders_of_the_library_are_as_claimed() -> None:
    for id in hm.multirate_library():
        method = hm.multirate(id)
        report = method.check()
        assert report.order == method.claimed_order, id
        embedded = None if report.embedded is None else report.embedded.order
        assert embedded == method.claimed_embedded_order, id
        assert report.step.error is not None and report.step.failures
        assert method.is_internally_consistent and method.abscissae[-1] == 1


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
    with pytest.raises(hm.HemiolaError, match="expected sundials, julia or latex"):
        hm.multirate("merk32").to("fortran")
    with pytest.raises(hm.HemiolaError, match="found the language"):
        hm.multirate("merk32").to("cobol")
