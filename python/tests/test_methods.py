"""Methods: what they are made of, and what they are as Python objects."""

import builtins
import copy
import pickle
from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest

import hemiola as hm

#: Ralston's method of order two, and its claim to be nothing else.
RALSTON = {"A": [[0, 0], [F(2, 3), 0]], "b": [F(1, 4), F(3, 4)]}


def test_the_same_method_from_all_kinds_of_numbers():
    texts = hm.Method([[0, 0], ["2/3", 0]], ["1/4", "3/4"])
    assert texts == hm.Method(**RALSTON)
    assert texts == hm.Method(np.array([[0, 0], [F(2, 3), 0]], dtype=object), (F(1, 4), F(3, 4)))
    # Explicit methods may end their rows early.
    assert texts == hm.Method([[], ["2/3"]], ["1/4", "3/4"])
    sympy = pytest.importorskip("sympy")
    exact = hm.Method(sympy.Matrix([[0, 0], [sympy.Rational(2, 3), 0]]), sympy.Matrix([sympy.Rational(1, 4), sympy.Rational(3, 4)]))
    assert exact == texts
    assert hm.Method([[0, 0], [Decimal("0.5"), 0]], [0, Decimal(1)]).exact.A[1, 0] == F(1, 2)
    assert hm.Method(np.array([[0, 0], [0.5, 0]], dtype=np.float32), np.array([0, 1])).exact.b.tolist() == [0, 1]


def test_floats_stand_for_the_decimals_that_they_show():
    method = hm.Method([[0.0, 0.0], [2 / 3, 0.0]], [0.25, 0.75])
    assert method.exact.A[1, 0] == F("0.6666666666666666")
    assert (method.order(), method.exact_order()) == (2, 1)


def test_roots():
    sympy = pytest.importorskip("sympy")
    gamma = (3 + sympy.sqrt(3)) / 6
    method = hm.Method([[gamma, 0], [1 - 2 * gamma, gamma]], [sympy.Rational(1, 2)] * 2)
    assert method.exact_order() == 3
    with pytest.raises(hm.HemiolaError, match="is no fraction"):
        method.exact.A
    assert abs(method.A[0, 0] - float(gamma)) < 1e-16


def test_partitions():
    pair = hm.method("shome-haug-jay-2-5")
    again = hm.Method(dict(zip(pair.partitions, pair.text.A.tolist())), dict(zip(pair.partitions, pair.text.b.tolist())), decimals=pair.decimals)
    assert (again.partitions, again.evaluations, again.A.shape) == (("slow", "fast"), (2, 5), (2, 5, 5))
    assert again.order() == 2
    assert np.array_equal(pair["fast"].b, pair.b[1]) and pair.partition(1) == pair["fast"]
    assert [part.id for part in pair] == [pair.id] * 2
    family = hm.method("hemiola-family-2-4-8")
    assert family.selected(["level-2", 2]).partitions == ("level-2", "level-8")
    three = hm.Method(A=[[[0]]] * 3, b=[[1]] * 3)
    assert three.partitions == ("slow", "medium", "fast")


def test_views():
    method = hm.method("dormand-prince-5")
    assert method.exact.A[6, 0] == F(35, 384) and method.text.A[6, 0] == "35/384"
    assert method.b_hat is not None and method.dense is not None and method.dense.shape[0] == 7
    assert method.embedded().order() == 4 and hm.method("rk4").embedded() is None
    # What is handed out is a copy.
    method.A[0, 0] = 1
    assert method.A[0, 0] == 0


@pytest.mark.parametrize("id", ["rk4", "gauss-3", "shome-haug-jay-2-5", "dormand-prince-5", "hemiola-family-2-4-8"])
def test_objects_pickle_copy_compare_and_hash(id):
    method = hm.method(id)
    assert pickle.loads(pickle.dumps(method)) == method
    assert copy.copy(method) is method and copy.deepcopy([method])[0] == method
    assert len({method, hm.method(id)}) == 1 and method != hm.method("explicit-euler") and method != id


def test_files(tmp_path):
    method = hm.Method(**RALSTON, id="mine", name="Mine", order=2, source={"authors": "A. Ralston", "year": 1962})
    method.save(tmp_path / "mine.json")
    assert hm.method(tmp_path / "mine.json") == method
    assert hm.method("mine", folders=[tmp_path]).source["authors"] == "A. Ralston"
    with pytest.raises(FileNotFoundError):
        hm.method(tmp_path / "none.json")


def test_notebooks():
    method = hm.method("shome-haug-jay-2-5")
    assert "<table" in method._repr_html_() and "0.52737769" in method._repr_html_()
    # One display: MathJax refuses one within another.
    latex = method._repr_latex_()
    assert "\\begin{array}" in latex and latex.startswith("$$") and latex.endswith("$$")
    assert latex.count("$") == 4 and "\\[" not in latex and "\\]" not in latex
    assert "fast" in str(method) and repr(method) == "<Method shome-haug-jay-2-5: 5 stages, 2 partitions>"
    assert "order 4" in hm.check("rk4")._repr_html_()


def test_every_method_of_the_library():
    for id in hm.library():
        method = hm.method(id)
        A, b = method.A, method.b
        assert A.shape[-2:] == (method.stages, method.stages) and b.shape == A.shape[:-1]
        assert pickle.loads(pickle.dumps(method)) == method


def test_tables_in_notebooks_show_numbers():
    shown = hm.method("shome-haug-jay-2-5")._repr_html_()
    # Abscissae that are sums of decimals.
    assert ">0.52737769<" in shown and ">1.59661865<" in shown and "/" not in shown.replace("</", "")
    long = hm.Method([[0, 0], ["12345678901234567890/98765432109876543211", 0]], ["1/3", "2/3"])._repr_html_()
    assert ">0.124999998861<" in long and ">1/3<" in long


def test_a_method_is_a_sequence_of_its_partitions():
    for id in ("rk4", "shome-haug-jay-2-5", "hemiola-family-2-4-8"):
        method = hm.method(id)
        assert len(method) == len(list(method)) == len(method.partitions)
        assert [method[k] for k in range(len(method))] == list(method)


def test_everything_is_exported_and_hides_nothing_of_python():
    names = {}
    exec("from hemiola import *", names)
    assert set(hm.__all__) <= set(names)
    hidden = {name for name in names if hasattr(builtins, name) and not name.startswith("__")}
    assert not hidden and hm.map("rk4", cells=10).figure.svg()


def test_filters_of_the_library():
    everything = {id: hm.method(id) for id in hm.library()}
    assert list(everything) == sorted(everything)
    for filters, is_wanted in [
        ({"order": 4}, lambda one: one.claims.get("order") == 4),
        ({"order": range(5, 7), "stages": [6, 7]}, lambda one: one.claims.get("order") in (5, 6) and one.stages in (6, 7)),
        ({"partitions": np.int64(3)}, lambda one: len(one) == 3),
        ({"implicit": True, "dense": False}, lambda one: not one.is_explicit() and one.dense is None),
        ({"embedded": True, "kind": ["explicit", "pair"]}, lambda one: one.is_explicit() and len(one) > 1 and one.b_hat is not None),
        ({"kind": "imex"}, lambda one: len({part.is_explicit() for part in one}) == 2),
    ]:
        wanted = [id for id, one in everything.items() if is_wanted(one)]
        assert 0 < len(wanted) < len(everything) and hm.library(**filters) == wanted, filters
    assert hm.library("Gauss") == [f"gauss-{stages}" for stages in (1, 2, 3, 4)] and hm.library("gauss", order=5) == []
    assert "stormer-verlet" in hm.library(kind="symplectic")
    with pytest.raises(hm.HemiolaError, match='kind: found "stiff"; expected one of: explicit, dirk'):
        hm.library(kind="stiff")
    with pytest.raises(TypeError, match="order: found 'four'"):
        hm.library(order="four")
