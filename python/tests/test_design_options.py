"""Every option of ``hemiola design``, beside what says the same here: the design files are equal."""

import re
import subprocess
import sys

import pytest

import hemiola as hm

#: From 0 here, from 1 on the command line.
BOUNDS = {"fast.b[3]": [0.0, 0.5], "fast.a[2][1]": "1/3"}
#: Options of the command line, and the same for DesignSpec.
WISHES = {
    "--order 1 --slow-stages 1,3 --seed 7": dict(order=1, slow_stages=[0, 2], seed=7),
    "--embedded 1 --dense 2 --first-same-as-last": dict(embedded=1, dense=2, structure={"first_same_as_last": True}),
    "--axis real --damping 0.05": dict(stability={"fast": {"axis": "real", "damping": 0.05}}),
    "--damping 0.05 --band 0.75": dict(stability={"fast": {"axis": "imaginary", "damping": 0.05, "band": 0.75}}),
    "--slow-polynomial free": dict(stability={"slow": "free"}),
    "--fast-polynomial free --slow-polynomial 1,1,1/2": dict(stability={"fast": "free", "slow": {"coefficients": ["1", "1", "1/2"]}}),
    "--largest 2 --shared-abscissae --shared-weights": dict(
        structure={"largest_coefficient": 2.0, "shared_abscissae": True, "shared_weights": True}
    ),
    "--non-negative-weights --abscissae-in-step --increasing-abscissae --sparsity 0.1": dict(
        structure={"non_negative_weights": True, "abscissae_in_step": True, "increasing_abscissae": True, "sparsity": 0.1}
    ),
    "--fast-chain": dict(structure={"fast_chain": True}),
    "--bound fast.a[3][2]=1/3 --bound fast.b[4]=0..0.5": dict(structure={"bounds": BOUNDS}),
    "--error-weights 1,2,3 --scaled-step 0.1,0.5": dict(objective={"error": {"slow": 1, "fast": 2, "coupling": 3}, "step": [0.1, 0.5]}),
    "--coefficient-weight 0.1 --internal-weight 0.2": dict(objective={"coefficients": 0.1, "internal": 0.2}),
    "--profile 0.2=0.9,0.1=0.95 --profile-damping-ratio 0.1 --profile-weight 2": dict(
        objective={"coupling": {"gammas": [0.2, 0.1], "profile": [0.9, 0.95], "damping": 0.1, "weight": 2}}
    ),
    "--for quarter-car --validation quarter-car:suspension-stiffness=1e4 --error 1e-3 --variables 1 --end 0.5 --fast-limit 2 --candidates 1 --rounds 1": dict(
        made_for=dict(
            training=["quarter-car"], held_out=["quarter-car:suspension-stiffness=1e4"], error=1e-3, variables=["1"], end=0.5, fast_limit=2.0,
            candidates=1, rounds=1,
        )
    ),
    "--for quarter-car --error 1e-3 --keep-polynomial --end 0.1 --candidates 1 --rounds 1": dict(
        made_for=dict(training=["quarter-car"], error=1e-3, keep_polynomial=True, end=0.1, candidates=1, rounds=1)
    ),
}  # fmt: skip
#: Options that are said elsewhere: where.
ELSEWHERE = {
    "slow fast starts effort smallest-error": hm.DesignSpec, "part": hm.merge, "resume": hm.design, "tune max-error-ratio tune-iterations": hm.tune, "pareto": hm.pareto,
    "levels spectrum spectrum-of step-fraction chain": hm.family, "for-jacobians": hm.linear_model, "output": hm.Design.save,
    "width height dpi style font title label legend panels xrange yrange curves standalone": hm.Figure.save,
    # Of files and of the terminal.
    "force json methods help fields": None,
    "set": hm.DesignSpec,
    "ssp stages ratio by-parts": hm.ssp_design, "storage": hm.low_storage_design,
    # Not yet in Python.
    "degree restarts sector slow-stability": None,
    "implicit joint": None,
}  # fmt: skip


@pytest.mark.parametrize("options", WISHES)
def test_the_same_design_file(options, tmp_path):
    spec = hm.DesignSpec(2, 4, starts=4, **WISHES[options])
    command = [sys.executable, "-m", "hemiola", "design", "--slow", "2", "--fast", "4", "--starts", "4", *options.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    written = tmp_path / "dual-rate-2-4.design.json"
    if written.exists():
        assert written.read_text(encoding="utf-8") == spec.to_json()
    else:
        # Without a pair no file is left: both say so, in the same words.
        with pytest.raises(hm.HemiolaError) as caught:
            hm.design(spec)
        assert str(caught.value).split(";")[0] in done.stderr.replace("\n", " ")


def test_no_option_is_left_out():
    shown = subprocess.run([sys.executable, "-m", "hemiola", "design", "--help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"^\s+(?:-\w, )?--([a-z-]+)", shown, re.MULTILINE))
    said = set(re.findall(r"--([a-z-]+)", " ".join(WISHES))) | set(" ".join(ELSEWHERE).split())
    assert known <= said, known - said
