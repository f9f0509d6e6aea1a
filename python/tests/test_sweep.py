"""Numbers at the edges in every public function: none crashes, hangs or takes all memory, and errors name the argument."""

import inspect
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hemiola as hm
import sweep

#: Processes that share the calls, and how long a call may take that Ctrl-C does not end, in seconds.
SHARES = 2
LONGEST = 20.0


def swept(share):
    """How the calls of one process ended; the last one of a process that was killed or crashed did not."""
    found = {}
    with subprocess.Popen([sys.executable, sweep.__file__, str(share), str(SHARES)], stdout=subprocess.PIPE, text=True) as process:
        while True:
            timer = threading.Timer(LONGEST, process.kill)
            timer.start()
            line = process.stdout.readline()
            timer.cancel()
            if not line:
                break
            kind, *told = json.loads(line)
            if kind == "begins":
                found[told[0]] = "! no end"
            else:
                found[list(found)[-1]] = told[0]
    return found, process.returncode


def test_no_number_crashes_hangs_or_goes_unnamed():
    with ThreadPoolExecutor(SHARES) as pool:
        shares = list(pool.map(swept, range(SHARES)))
    found = {call: end for share, _ in shares for call, end in share.items()}
    faults = [f"{call}: {end}" for call, end in found.items() if end.startswith("!")]
    assert not faults, "\n".join(faults)
    assert [code for _, code in shares] == [0] * SHARES
    assert len(found) == len({text for text, *_ in sweep.cases()}) > 1000
    # Neither is everything refused nor everything taken.
    ends = list(found.values())
    assert ends.count("refused") > 500 and ends.count("returned") > 100, {end: ends.count(end) for end in set(ends)}


def test_every_function_is_swept():
    swept = {function.__qualname__ for function in sweep.CALLS}
    functions = {name for name in hm.__all__ if inspect.isfunction(getattr(hm, name))}
    assert functions - sweep.WITHOUT_NUMBERS <= swept
    for name in hm.__all__:
        kind = getattr(hm, name)
        methods = inspect.getmembers(kind, inspect.isfunction) if inspect.isclass(kind) else []
        for method, function in methods:
            takes = [one for one in inspect.signature(function).parameters.values() if sweep.of_kind(one.annotation, 0)]
            if takes and not method.startswith("_"):
                assert function.__qualname__ in swept, (function.__qualname__, takes)


def test_nan_goes_through_numbers_that_broadcast():
    pair = hm.method("shome-haug-jay-2-5")
    assert np.isnan(hm.rho("rk4", np.nan)) and hm.rho("rk4", np.inf) == np.inf
    assert np.isnan(hm.rho(pair, 0.1, np.nan, 0.1, 0.1)) and np.isnan(hm.rho(pair, -1, 0, 0, [np.nan])[0])
    z = np.array([-1.0, np.nan, complex(0, np.nan)])
    assert np.isnan(hm.rho("rk4", z)).tolist() == [False, True, True]
    assert np.isnan(hm.rho(pair, z, 0.1, 0.1, -1.0)).tolist() == [False, True, True]
    assert np.isnan(hm.matrix("rk4", z)).ravel().tolist() == [False, True, True]


@pytest.mark.parametrize("read", [hm.read, hm.Figure.load, hm.DesignSpec.load, lambda path: next(hm.sweep(path)), hm.method, hm.model])
def test_files_without_end_are_refused(read, tmp_path):
    endless = tmp_path / "endless.json"
    endless.symlink_to("/dev/zero")
    with pytest.raises(hm.HemiolaError):
        read(endless)
