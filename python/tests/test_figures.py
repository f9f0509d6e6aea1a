"""Figures on matplotlib axes."""

import pickle

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
