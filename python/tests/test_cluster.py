"""Searches by Dask: the bytes of one process, whatever happens to workers."""

import os
import signal
import time

import pytest

import hemiola as hm

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def client():
    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_the_same_bytes_with_a_worker_killed(client):
    spec = hm.DesignSpec(3, 6, starts=240)
    whole = hm.design(spec)
    told = []
    workers = client.run(os.getpid)

    def tell(phase, done, all, best):
        if not told:
            os.kill(next(iter(workers.values())), signal.SIGKILL)
        told.append((phase, done, all))

    found = hm.design(spec, client=client, shares=24, progress=tell)
    assert found.method.to_json() == whole.method.to_json() and found.tried == whole.tried == 240
    assert told[-1] == ("shares", 24, 24)


def test_ctrl_c_keeps_what_there_is(client):
    spec = hm.DesignSpec(3, 6, starts=240)

    def press(phase, done, all, best):
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(hm.Interrupted) as caught:
        hm.design(spec, client=client, shares=24, progress=press)
    found = caught.value.result
    assert found.interrupted and found.method.order() == 3 and 40 <= found.tried < 240
    resumed = hm.design(spec, resume=caught.value.checkpoint)
    assert resumed.method == hm.design(spec).method and not resumed.interrupted


def test_sweeps(client):
    specs = [hm.DesignSpec(slow, fast, starts=8) for slow, fast in ((1, 3), (1, 4), (2, 4), (2, 5))]
    impossible = hm.DesignSpec(2, 4, starts=2, id="none", structure={"bounds": {"fast.b[1]": [100, 101]}})
    begun = time.time()
    swept = {one.spec.id: one for one in hm.sweep([*specs, impossible], client=client)}
    assert time.time() - begun < 120
    assert isinstance(swept["none"].error, hm.NotFound)
    for spec in specs:
        assert swept[spec.id].design.method == hm.design(spec).method
