"""NodePy's own doctests with our methods, and the radii of all its methods; see :mod:`nodepy_doctests`."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hemiola as hm

SCRIPT = Path(__file__).with_name("nodepy_doctests.py")


def test_differences_from_nodepy_are_explained():
    pytest.importorskip("nodepy.runge_kutta_method")
    run = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "UNEXPLAINED" not in run.stdout and int(re.search(r"(\d+) radii are equal", run.stdout)[1]) > 60


@pytest.mark.parametrize("name", ["ssp-rk-2-2", "ssp-rk-3-3", "ssp-rk-10-4", "tr-bdf2", "imex-ssp2-222"])
def test_optimal_shu_osher_forms_give_the_tableau_back(name):
    method = hm.method(name).partition(0)
    alpha, beta = method.optimal_shu_osher_form()
    s = method.stages
    assert alpha.min() >= -1e-15 and beta.min() >= -1e-15
    # (I − α)⁻¹β = [A 0; bᵀ 0]
    K = np.linalg.solve(np.eye(s + 1) - alpha, beta)
    assert np.allclose(K[:s, :s], method.A, atol=1e-13) and np.allclose(K[s, :s], method.b, atol=1e-13)


def test_methods_without_a_form_have_none():
    assert hm.method("rk4").optimal_shu_osher_form() is None
    assert hm.method("implicit-euler").optimal_shu_osher_form() is None
    assert hm.method("gauss-2").linear_absolute_monotonicity_radius() is None
    with pytest.raises(hm.HemiolaError):
        hm.method("rk4").monotonicity_outline()
    with pytest.raises(hm.HemiolaError, match="digits"):
        hm.method("rk4").ssp_digits(0)
