"""Figures on matplotlib axes."""

import pickle
import subprocess
import sys

import pytest

import hemiola as hm

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
from matplotlib import pyplot as plt  # noqa: E402


def test_regions_and_order_stars_on_axes():
    figure, (left, right) = plt.subplots(1, 2)
    rk4 = hm.method("rk4")
    assert rk4.plot_stability_region(ax=left, facecolor="red") is left
    assert left.get_ylim()[1] > 8**0.5 and len(left.patches) == 1
    region = left.patches[0].get_path()
    assert region.contains_point((-1, 0)) and not region.contains_point((1, 0))
    rk4.plot_order_star(ax=right)
    assert right.get_xlim() == (-5, 5)
    figure.canvas.draw()
    plt.close(figure)


def test_a_second_region_leaves_room_for_the_first():
    small, large = hm.method("explicit-euler"), hm.method("dormand-prince-5")
    for first, second in ((small, large), (large, small)):
        ax = first.plot_stability_region(ax=plt.figure().gca())
        before = (*ax.get_xlim(), *ax.get_ylim())
        second.plot_stability_region(ax=ax, facecolor="none")
        left, right, bottom, top = (*ax.get_xlim(), *ax.get_ylim())
        assert left <= before[0] and before[1] <= right and bottom <= before[2] and before[3] <= top
        alone = second.plot_stability_region(ax=plt.figure().gca())
        assert left <= alone.get_xlim()[0] and alone.get_ylim()[1] <= top
    ax = small.stability_function().plot_stability_region(ax=plt.figure().gca(), bounds=(-3, 1, -2, 2), cells=20)
    small.stability_function().plot_order_star(ax=ax, bounds=(-1, 5, -1, 1), cells=20)
    assert (*ax.get_xlim(), *ax.get_ylim()) == (-3, 5, -2, 2)
    plt.close("all")


def test_bounds_and_current_axes():
    ax = hm.method("shome-haug-jay-2-5").plot_stability_region(partition="fast", bounds=[-4, 1, -5, 5])
    assert ax is plt.gca() and ax.get_xlim() == (-4, 1)
    plt.close("all")
    figure = hm.map("rk4", cells=60).figure
    assert figure.plot().lines
    plt.close("all")


def test_figures_pickle_and_restyle():
    figure = hm.method("rk4").figure()
    assert pickle.loads(pickle.dumps(figure)) == figure
    assert figure.svg(width=60.0, font="serif") != figure.svg()


def test_looks_are_those_of_the_command_line(tmp_path):
    figure = hm.map(["rk4", "kutta-3"], cells=60).figure
    look = dict(width=120.0, height=90.0, style="monochrome", title="*R*", legend="right", columns=1, x=(-3.0, 1.0), y=(-3.0, 3.0))
    names = {"rk4": hm.method("rk4").name, "kutta-3": hm.method("kutta-3").name}
    figure.save(tmp_path / "figure.json")
    options = "--width 120 --height 90 --style monochrome --title *R* --legend right --panels 1x1 --xrange -3 1 --yrange -3 3".split()
    labels = [word for id, name in names.items() for word in ("--label", f"{id}={name}")]
    draw = [sys.executable, "-m", "hemiola", "draw", "figure.json", *options, *labels, "--output", "theirs.svg"]
    subprocess.run(draw, cwd=tmp_path, check=True)
    figure.save(tmp_path / "mine.svg", labels=names, **look)
    assert (tmp_path / "mine.svg").read_bytes() == (tmp_path / "theirs.svg").read_bytes()
    assert hm.Figure.load(tmp_path / "figure.json") == figure
    figure.save(tmp_path / "figure.tex", standalone=True)
    assert "\\begin{document}" in (tmp_path / "figure.tex").read_text(encoding="utf-8")
    for bad, message in (
        ({"width": -1.0}, "width -1"), ({"height": float("nan")}, "height"), ({"font": "mono"}, "mono"), ({"style": "gray"}, "gray"),
        ({"legend": "left"}, "left"), ({"columns": 0}, "0 columns"), ({"x": (1.0, 0.0)}, "x 1 to 0"),
    ):  # fmt: skip
        with pytest.raises(hm.HemiolaError, match=message):
            figure.svg(**bad)
    with pytest.raises(TypeError, match="'colour'"):
        figure.svg(colour="red")
