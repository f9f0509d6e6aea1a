"""Order: verdicts, diagnosis, completion, polish."""

import pytest

import hemiola as hm


def test_order_and_the_one_above():
    for id, order in [("rk4", 4), ("dormand-prince-5", 5), ("gauss-3", 6), ("shome-haug-jay-2-5", 2), ("hemiola-4-8", 4)]:
        report = hm.check(id, order + 1)
        assert report.order == order == hm.method(id).order()
        assert report.orders[order].failed == len(report.failures) > 0
        assert bool(report)


def test_stage_order_and_errors():
    assert [hm.method(id).stage_order() for id in ("rk4", "gauss-2", "gauss-3", "radau-iia-3")] == [1, 2, 3, 3]
    assert hm.method("rk4").principal_error_norm() == pytest.approx(0.014504582343198208, rel=1e-14)
    assert hm.method("shome-haug-jay-2-5").principal_error_norm() == pytest.approx(0.40372, abs=1e-5)


def test_a_table_without_a_claim_has_the_order_of_the_command_line():
    rows = [
        [0, 0, 0, 0, 0, 0, 0],
        ["1/3", 0, 0, 0, 0, 0, 0],
        [0, "2/3", 0, 0, 0, 0, 0],
        ["1/12", "1/3", "-1/12", 0, 0, 0, 0],
        ["25/48", "-55/24", "35/48", "15/8", 0, 0, 0],
        ["3/20", "-11/24", "-1/8", "1/2", "1/10", 0, 0],
        ["-261/260", "33/13", "43/156", "-118/39", "32/195", "80/39", 0],
    ]
    table = hm.Method(rows, ["13/200", 0, "11/40", "11/40", "4/25", "4/25", "13/200"])
    report = hm.check(table)
    assert (report.order, report.order_checked_to, report.order_capped, table.order()) == (6, 7, False, 6)
    assert report.principal_error_norm == pytest.approx(0.0052242381, rel=1e-7)
    assert report.verdict == "no claim; order 6"
    bounded = hm.check(table, 5)
    assert bounded.verdict == "no claim; order ≥ 5" and bounded.principal_error_norm is None


def test_the_claim_of_an_order_is_one_with_explicit_time():
    wrong = hm.Method([[0, 0, 0], ["1/2", 0, 0], [-1, 2, 0]], ["1/6", "2/3", "1/6"], [0, "1/3", 1], order=3)
    report = hm.check(wrong)
    assert (report.order, report.non_autonomous_order, bool(report)) == (3, 1, False)
    assert report.verdict == "claim order 3: FAILS: order 1 for y' = f(t, y), 3 for y' = f(y)"


def test_tolerances():
    rough = hm.Method([[0, 0], [0.67, 0]], [0.25, 0.75])
    assert rough.order() == 1 and rough.order(tol=1e-2) == 2
    # Three digits are presumed to be rounded.
    rounded = hm.check(hm.Method([[0, 0], [0.667, 0]], [0.25, 0.75]))
    assert (rounded.order, rounded.exact_order) == (2, 1)


def test_options_of_checks():
    assert hm.check("stormer-verlet", 3, problem="separable").order == 2
    assert hm.check("sdirk-2" if "sdirk-2" in hm.library() else "gauss-1", 2, linearized=1).order_checked_to == 2
    assert hm.check("rk4", 4, threads=1) == hm.check("rk4", 4)


def test_a_report_is_true_where_nothing_fails():
    assert hm.check("rk4", 3) and hm.check("rk4", 5)
    assert hm.check("rk4", 3).verdict == "claim order 4: verified exactly up to order 3, the highest checked"
    off = hm.check(hm.Method([[0, 0], [1, 0]], ["1/2", "1/3"], order=2))
    assert not off and off.verdict == "claim order 2: FAILS (order 0)"
    first = off.failures[0]
    assert first.residual == pytest.approx(first.value - first.expected) == pytest.approx(-1 / 6)


def test_a_separable_order_that_fails_is_diagnosed(tmp_path):
    text = hm.method("ruth-3").to_json()
    file = tmp_path / "ruth-3.json"
    file.write_text(text.replace('"7/24", "3/4", "0"', '"7/24", "-3/4", "0"'), encoding="utf-8")
    found = hm.diagnose(file)
    assert (found.claim, found.sound) == ("separable order", False)
    change = found.suggestions[0].changes[0]
    assert (change.partition, change.place, change.new) == ("momentum", "a22", "3/4")
    assert hm.diagnose("ruth-3").claim == "order" and hm.diagnose("ruth-3").sound


def test_diagnosis():
    typed = hm.Method(
        [[0, 0, 0, 0], ["1/3", 0, 0, 0], ["-1/3", 1, 0, 0], [1, 1, 1, 0]], ["1/8", "3/8", "3/8", "1/8"], order=4
    )
    assert not hm.check(typed)
    first, *_ = hm.diagnose(typed).plausible
    assert [(change.place, change.old, change.new) for change in first.changes] == [("a42", "1", "-1")]
    assert first.method.order() == 4 and hm.diagnose("rk4").sound
    assert first.changes[0].entry == "all.A[3][1]" and first.method.text.A[3][1] == "-1"


def test_changes_are_at_their_place_in_arrays():
    """One wrong entry of Dormand's and Prince's pair: ``entry`` names the entries that suggestions replace."""
    sound = hm.method("dormand-prince-5").text
    A, b_hat = sound.A.tolist(), sound.b_hat.tolist()
    A[5][0] = "1/7"
    for typed in (
        hm.Method(A, sound.b, order=5),
        hm.Method(sound.A, sound.b, b_hat=[*b_hat[:3], "1/7", *b_hat[4:]], order=5, embedded_order=4),
    ):
        changes = [change for suggestion in hm.diagnose(typed).suggestions for change in suggestion.changes]
        assert "1/7" in [change.old for change in changes]
        for change in changes:
            assert eval(f"view.{change.entry.removeprefix('all.')}", {"view": typed.text}) == change.old, change


def test_completion_and_why_not():
    completed = hm.complete("rk4", embedded=3, dense=3, extra_stage=True)
    assert (completed.claims["embedded_order"], completed.claims["dense_order"]) == (3, 3)
    with pytest.raises(hm.NotFound, match="no embedded weights of order 3"):
        hm.complete("rk4", embedded=3)


def test_polish():
    with pytest.raises(hm.NotFound):
        hm.polish("shome-haug-jay-2-5")
    found = hm.polish("shome-haug-jay-2-5", nearest=True)
    assert found.explained and found.radius < 1e-40 and found.method.order() == 2 and found.dimension > 0
    # The decimal that moved farthest, in units of the last digit of the table.
    partition, entry = found.farthest.split(".", 1)
    before, after = (eval(f"view.{entry}", {"view": one[partition].exact}) for one in (hm.method("shome-haug-jay-2-5"), found.method))
    assert float(abs(after - before)) * 1e8 == pytest.approx(found.moved, rel=1e-6)


def test_verdicts_are_sentences():
    report = hm.check("rk4", 5)
    assert str(report) == report.verdict == "claim order 4: verified exactly" and report.verdict in report._repr_html_()
    typed = hm.Method([[0, 0], [1, 0]], ["1/2", "1/3"], order=2)
    assert str(hm.check(typed)) == "claim order 2: FAILS (order 0)"
