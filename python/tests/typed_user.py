"""What a user writes, for mypy --strict and pyright: nothing here is run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import hemiola as hm


def slow(t: float, y: npt.NDArray[np.float64], z: npt.NDArray[np.float64]) -> list[float]:
    return [-y[0] + z[0]]


def fast(t: float, y: npt.NDArray[np.float64], z: npt.NDArray[np.float64]) -> list[float]:
    return [-40.0 * z[0]]


def use() -> None:
    half = hm.Event(lambda t, y, z: float(y[0] - 0.5), terminal=True)
    found = hm.integrate(slow, fast, (0.0, 1.0), [1.0], [1.0], "hemiola-4-8", steps=40, events=half)
    alone = hm.solve_ivp(lambda t, y: -y, (0.0, 1.0), [1.0], "RK45", rtol=1e-8, dense_output=True)
    count: int = alone.nfev + sum(found.evaluations)
    ids: list[str] = hm.library("gauss", kind=["implicit", "symplectic"], order=range(4, 7), dense=False)
    states: npt.NDArray[np.float64] = found.y
    times: list[npt.NDArray[np.float64]] = found.t_events or []
    spec = hm.DesignSpec(2, 5, structure={"shared_abscissae": True}, objective={"coupling": {"gammas": [0.2], "profile": [0.9]}})
    pair: hm.Design = hm.design(2, 5, starts=4, stability={"fast": {"axis": "imaginary", "damping": 0.05}, "slow": "free"})
    radius: float = hm.rho("rk4", 1j)
    picture: hm.Map = hm.map([pair.method, hm.linearized("gauss-2")], "coupled:kappa=5,g=0.01", cells=50)
    limits: tuple[float, float] = pair.limits["fast"]
    assert count and ids and limits and pair.proof
    picture.figure.save("a.svg", width=85.0, labels={"rk4": "RK4"})
    for one in hm.sweep([spec]):
        method: hm.Method | None = one.method
        assert states.size and times and radius < 2.0 and method is not None
