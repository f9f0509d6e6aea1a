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
    command("design", "dual-rate-2-4.design.json", folder=tmp_path / "theirs")
    for name in ("dual-rate-2-4.json", "dual-rate-2-4.certificate.json", "dual-rate-2-4.design.json"):
        assert (tmp_path / "mine" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name


def test_specifications(tmp_path):
    spec = hm.DesignSpec(2, 5, structure={"shared_abscissae": True}, stability={"fast": {"axis": "imaginary", "damping": 0.05}})
    assert pickle.loads(pickle.dumps(spec)) == spec and hm.DesignSpec.from_json(spec.to_json()) == spec
    spec.save(tmp_path / "dual-rate-2-5.design.json")
    assert hm.DesignSpec.load(tmp_path / "dual-rate-2-5.design.json") == spec
    with pytest.raises(ValueError, match="dual-rate-2-5.design.json"):
        spec.save(tmp_path / "pair.design.json")
    assert json.loads(spec.to_json())["structure"]["shared_abscissae"] is True


def test_messages_count_stages_from_0():
    for wishes, message in (
        ({"slow_stages": [0, 0]}, r"slow_stages: found \[0, 0\]; expected 2 stages from 0 to 4 in increasing order"),
        ({"slow_stages": [1]}, r"slow_stages: found \[1\]"),
        ({"slow_stages": [0, 5]}, "found stage 5; expected 0 to 4"),
        ({"structure": {"bounds": {"fast.a[0][3]": 0.5}}}, r"fast\.a\[0\]\[3\]"),
    ):
        with pytest.raises(hm.HemiolaError, match=message):
            hm.DesignSpec(2, 5, **wishes)


def test_what_a_design_is():
    told = []
    found = hm.design(2, 5, starts=16, progress=lambda *at: told.append(at))
    assert found.method.order() == 2 and found.method.evaluations == (2, 5) and not found.interrupted
    assert found.error_norm == pytest.approx(found.method.principal_error_norm(), rel=1e-6)
    assert pickle.loads(pickle.dumps(found)) == found
    assert all(phase in ("starts", "descents") and done <= all for phase, done, all, _ in told)
    assert found.limits["fast"] == (found.method["fast"].imaginary_stability_interval(), found.method["fast"].real_stability_interval())
    # The view in notebooks: the norm, the limits, and what is proved.
    shown = found._repr_html_()
    assert found.certificate["status"]["proved"] == "enclosed" and "an exact solution" in found.proof
    assert f">{float(found.method.exact.b[1, 4]):.12g}<" in shown and "…" not in shown
    assert f">{found.error_norm:.10g}<" in shown and "4 on the imaginary axis" in shown and found.proof in shown and "<table" in shown


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
    # Variables are counted from 0 here, from 1 in files.
    spec = hm.DesignSpec(2, 4, made_for=made_for | {"variables": [0, "2"]})
    assert json.loads(spec.to_json())["for"]["variables"] == ["1", "2"]
    with pytest.raises(hm.HemiolaError, match="no variable 99; expected a number from 0 to 3"):
        hm.design(2, 4, starts=6, made_for=made_for | {"variables": [99]})


def command(*arguments, folder):
    subprocess.run([sys.executable, "-m", "hemiola", *arguments], cwd=folder, check=True, capture_output=True)


def test_fronts_have_the_bytes_of_the_command_line(tmp_path):
    for folder in ("mine", "theirs"):
        (tmp_path / folder).mkdir()
    spec = hm.DesignSpec(2, 4, starts=12, objective={"coefficients": 0.1})
    front = hm.pareto(spec, 5)
    assert all(first.error < second.error and first.others > second.others for first, second in zip(front, front[1:]))
    for one in front:
        one.design.save(tmp_path / "mine")
    spec.save(tmp_path / "theirs" / "dual-rate-2-4.design.json")
    command("design", "dual-rate-2-4.design.json", "--pareto", "5", folder=tmp_path / "theirs")
    names = [f"dual-rate-2-4-{k + 1}{ending}" for k in range(len(front)) for ending in (".json", ".certificate.json", ".design.json")]
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == sorted(names) and len(front) > 1
    for name in names:
        assert (tmp_path / "mine" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name


def test_tuning_goes_on_where_it_was_stopped(tmp_path):
    options = {"price": 1.5, "iterations": 5}
    spec = hm.DesignSpec(2, 4, starts=12, objective={"coupling": {"gammas": [0.2], "profile": [0.99]}})
    told = []
    whole = hm.tune(spec, **options, progress=lambda *at: told.append(at))
    assert json.loads(whole.to_json())["objective"]["coupling"]["gammas"] == [0.2]
    assert ("tuning", 5) in [(phase, done) for phase, done, _, _ in told]
    # The command line finds the same.
    wishes = ["--slow", "2", "--fast", "4", "--starts", "12", "--profile", "0.2=0.99", "--tune", "--tune-iterations", "5"]
    command("design", *wishes, folder=tmp_path)
    assert (tmp_path / "dual-rate-2-4.design.json").read_text(encoding="utf-8") == whole.to_json()

    def press(phase, done, all, best):
        if phase == "tuning":
            raise KeyboardInterrupt

    with pytest.raises(hm.Interrupted) as caught:
        hm.tune(spec, **options, progress=press)
    stopped = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(stopped.result, hm.DesignSpec) and hm.tune(spec, **options, resume=stopped.checkpoint) == whole
    if stopped.checkpoint:
        with pytest.raises(hm.HemiolaError, match="another design"):
            hm.tune(spec, price=2.0, iterations=5, resume=stopped.checkpoint)


def test_fronts_that_are_stopped_keep_what_there_is():
    def press(phase, done, all, best):
        if done >= 1:
            raise KeyboardInterrupt

    with pytest.raises(hm.Interrupted) as caught:
        hm.pareto(hm.DesignSpec(3, 6, starts=100_000, objective={"coefficients": 0.1}), 5, progress=press)
    assert all(one.design.interrupted for one in caught.value.result)


def test_families(tmp_path):
    told = []
    found = hm.family([8, 4, 2], 2, "disk", progress=told.append)
    assert found.method.order() == 2 and found.method.evaluations == (2, 4, 8)
    assert all(level.limit > 0.94 * level.optimum for level in found.levels)
    assert [path.name.partition(".")[2] for path in found.save(tmp_path)] == ["json", "certificate.json", "family.json"]
    command("design", "family-2-2-4-8.family.json", "--output", "other.json", folder=tmp_path)
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


SWEEP = """{ "format": "hemiola-sweep/1",
  "design": { "slow": 1, "fast": 3, "starts": 6 },
  "over": [
    { "name": "size", "values": [{ "slow": 1, "fast": 3 }, { "slow": 2, "fast": 4 }] },
    { "name": "damping", "values": [{}, { "stability": { "fast": { "axis": "imaginary", "damping": 0.05 } } }] }
  ] }
"""


def test_sweeps_have_the_bytes_of_the_command_line(tmp_path):
    for folder in ("mine", "theirs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pairs.sweep.json").write_text(SWEEP, encoding="utf-8")
    begun = hm.sweep(tmp_path / "pairs.sweep.json", tmp_path / "mine")
    # The first is written before the second begins; the same call goes on.
    assert next(begun).spec.id == "pairs-1" and len(list((tmp_path / "mine").iterdir())) == 3
    swept = list(hm.sweep(tmp_path / "pairs.sweep.json", tmp_path / "mine"))
    assert [one.spec.id for one in swept] == [f"pairs-{k}" for k in (1, 2, 3, 4)] and swept[0].design is None and swept[1].design is not None
    assert [one.method.evaluations for one in swept] == [(1, 3), (1, 3), (2, 4), (2, 4)] and len(swept[0].labels) == 2
    command("sweep", "pairs.sweep.json", "--folder", "theirs", folder=tmp_path)
    names = [f"pairs-{k}{ending}" for k in (1, 2, 3, 4) for ending in (".json", ".certificate.json", ".design.json")]
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == sorted(names)
    for name in names:
        assert (tmp_path / "mine" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name
    with pytest.raises(hm.HemiolaError, match="twice"):
        next(hm.sweep([hm.DesignSpec(1, 3), hm.DesignSpec(1, 3)], tmp_path))
    (tmp_path / "bad.sweep.json").write_text("{}", encoding="utf-8")
    with pytest.raises(hm.HemiolaError, match="bad.sweep.json"):
        next(hm.sweep(tmp_path / "bad.sweep.json"))
