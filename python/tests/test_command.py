"""The command line of the wheel, and what importing costs."""

import json
import subprocess
import sys

import hemiola as hm


def command(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "hemiola", *arguments], capture_output=True, text=True, **options)


def test_the_command_line():
    shown = command("check", "rk4", "--json")
    assert shown.returncode == 0 and json.loads(shown.stdout)[0]["order"] == hm.method("rk4").order()
    assert command("--version").stdout.split() == ["hemiola", hm.__version__]
    wrong = command("check", "rk5")
    assert wrong.returncode == 2 and "no method `rk5`" in wrong.stderr
    assert command("nothing").returncode == 2


def test_nothing_is_imported_before_it_is_used():
    code = "import sys, hemiola; print('numpy' in sys.modules); hemiola.method; print('numpy' in sys.modules, 'matplotlib' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "True", "False"]


def test_names():
    assert {*hm.__all__, "map"} == set(dir(hm)) and all(hasattr(hm, name) for name in hm.__all__)
