"""Designs: the bytes of the command line, progress, Ctrl-C, shares."""

import json
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import hemiola as hm
from hemiola.designs import share


def test_the_same_files_as_the_command_line(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "theirs").mkdir()
    hm.design(2, 4, starts=12, embedded=1, threads=1).save(tmp_path / "mine")
    spec = hm.DesignSpec(2, 4, starts=12, embedded=1)
    spec.save(tmp_path / "theirs" / "dual-rate-2-4.design.json")
    command = [sys.executable, "-m", "hemiola", "design", "dual-rate-2-4.design.json"]
    subprocess.run(command, cwd=tmp_path / "theirs", check=True, capture_output=True)
    for name in ("dual-rate-2-4.json", "dual-rate-2-4.certificate.json", "dual-rate-2-4.design.json"):
        assert (tmp_path / "mine" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name


def test_specifications(tmp_path):
    spec = hm.DesignSpec(2, 5, structure={"shared_abscissae": True}, stability={"fast": {"axis": "imaginary", "damping": 0.05}})
    assert pickle.loads(pickle.dumps(spec)) == spec and hm.DesignSpec.from_json(spec.to_json()) == spec
    spec.save(tmp_path / "pair.design.json")
    assert hm.DesignSpec.load(tmp_path / "pair.design.json").order == 2
    assert json.loads(spec.to_json())["structure"]["shared_abscissae"] is True


def test_what_a_design_is():
    told = []
    found = hm.design(2, 5, starts=16, progress=lambda *at: told.append(at))
    assert found.method.order() == 2 and found.method.evaluations == (2, 5) and not found.interrupted
    assert found.error_norm == pytest.approx(found.method.principal_error_norm(), rel=1e-6)
    assert pickle.loads(pickle.dumps(found)) == found
    assert all(phase in ("starts", "descents") and done <= all for phase, done, all, _ in told)


def test_shares():
    spec = hm.DesignSpec(1, 4, starts=9)
    whole = hm.design(spec)
    parts = [share(spec, f"{k}/3") for k in (1, 2, 3)]
    assert hm.merge(parts).method == hm.merge(parts[::-1] + parts[:1]).method == whole.method
    assert hm.merge(parts[:2]).method == whole.method, "missing starts are tried"


def test_pairs_made_to_measure():
    made_for = {"training": ["quarter-car"], "error": 1e-3, "candidates": 1, "rounds": 2, "end": 0.5}
    found = hm.design(2, 4, starts=6, made_for=made_for)
    assert found.method.order() == 2 and "for" in json.loads(found.spec.to_json())
    with pytest.raises(hm.HemiolaError, match="no model `bicycle`"):
        hm.design(2, 4, starts=6, made_for={"training": ["bicycle"], "error": 1e-3})
    with pytest.raises(hm.HemiolaError, match="no variable 'elbow'"):
        hm.design(2, 4, starts=6, made_for=made_for | {"variables": ["elbow"]})


def test_fronts_and_tuning():
    front = hm.pareto(hm.DesignSpec(2, 4, starts=12, objective={"coefficients": 0.1}), 5)
    assert [one.design.method.id for one in front] == [f"dual-rate-2-4-{k + 1}" for k in range(len(front))]
    assert all(first.error < second.error and first.others > second.others for first, second in zip(front, front[1:]))
    told = []
    spec = hm.DesignSpec(2, 4, starts=12, objective={"coupling": {"gammas": [0.2], "profile": [0.99]}})
    tuned = hm.tune(spec, price=1.5, iterations=2, progress=lambda *at: told.append(at))
    assert json.loads(tuned.to_json())["objective"]["coupling"]["gammas"] == [0.2]


def test_families(tmp_path):
    told = []
    found = hm.family([8, 4, 2], 2, "disk", progress=told.append)
    assert found.method.order() == 2 and found.method.evaluations == (2, 4, 8)
    assert all(level.limit > 0.94 * level.optimum for level in found.levels)
    assert [path.name.partition(".")[2] for path in found.save(tmp_path)] == ["json", "certificate.json", "family.json"]
    command = [sys.executable, "-m", "hemiola", "design", "family-2-2-4-8.family.json", "--output", "other.json"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    other, mine = (hm.method(tmp_path / name) for name in ("other.json", "family-2-2-4-8.json"))
    assert other.text.A.tolist() == mine.text.A.tolist()
    with pytest.raises(hm.HemiolaError):
        hm.family([4, 4], 2, "disk")


def test_progress_bars(capsys):
    pytest.importorskip("tqdm")
    assert hm.design(1, 3, starts=2000, progress=True).method.order() == 1


def test_no_such_pair():
    with pytest.raises(hm.NotFound):
        hm.design(2, 4, starts=2, structure={"bounds": {"fast.b[1]": [100, 101]}})


def interrupt_after(seconds):
    # Shells start background jobs with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=lambda: (time.sleep(seconds), signal.raise_signal(signal.SIGINT)), daemon=True).start()


def test_ctrl_c_keeps_what_there_is():
    spec = hm.DesignSpec(3, 6, starts=100_000)
    interrupt_after(1.0)
    begun = time.time()
    with pytest.raises(hm.Interrupted) as caught:
        hm.design(spec)
    assert time.time() - begun < 30
    assert isinstance(caught.value, KeyboardInterrupt)
    assert caught.value.result is None or caught.value.result.interrupted
    assert json.loads(caught.value.checkpoint)["done"]


def test_exceptions_of_progress_stop_the_search():
    def tell(*at):
        raise RuntimeError("enough")

    begun = time.time()
    with pytest.raises(RuntimeError, match="enough"):
        hm.design(3, 6, starts=100_000, progress=tell)
    assert time.time() - begun < 30
