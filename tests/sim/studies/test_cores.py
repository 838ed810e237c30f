"""A study's jobs on this machine's cores or on a Dask cluster: the same results in the same order."""

import gc
import json
import socket

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.studies import cores
from hapenny_sim.studies.command import app
from typer.testing import CliRunner

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'hapenny[dask]'")


def half(number):
    return number / 2


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and a worker in this process."""
    quiet = {"dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", **quiet) as there:
        yield there


def test_results_come_in_the_order_of_the_jobs(cluster):
    """Cores and cluster give the same list."""
    jobs = [(number,) for number in range(7)]
    there = cores.each(half, jobs, cluster.scheduler_address, "halving")
    assert there == cores.each(half, jobs, None, "halving") == [number / 2 for number in range(7)]


@pytest.mark.parametrize("words", [
    ("shove", "--lying", "184.15,200"), ("shove", "--times", "300", "--seed", "2"),
    ("spread", "--turns", "200"), ("match", "--preset", "quick", "--games", "2"),
    ("surface", "--shoves", "12", "--resamples", "2"),
    ("accuracy", "--discs", "5", "--calibration", "none"),
])  # fmt: skip
def test_every_study_runs_on_a_cluster(cluster, words):
    """With --scheduler a study gives exactly the figures that it gives on this machine."""
    found = [
        CliRunner().invoke(app, [*words, "--json", *more]) for more in ([], ["--scheduler", cluster.scheduler_address])
    ]
    assert [result.exit_code for result in found] == [0, 0], found[1].output
    assert json.loads(found[0].stdout) == json.loads(found[1].stdout)


def test_no_scheduler_is_one_sentence(monkeypatch):
    """Nobody there, or no address at all: a sentence that says what to do."""
    monkeypatch.setattr(cores, "ANSWER_S", 1)
    port = closed_port()
    for address, says in ((f"tcp://127.0.0.1:{port}", "is it running"), ("nowhere:at:all", "tcp://HOST:8786")):
        with pytest.raises(UserError, match=says) as told:
            cores.each(half, [(1,)], address, "halving")
        assert address in str(told.value) and "\n" not in str(told.value)


def test_no_client_is_left_half_open(monkeypatch):
    """Closed when it is collected, by whatever thread, it would wait for a lock that whoever starts a loop holds."""
    monkeypatch.setattr(cores, "ANSWER_S", 1)
    for address in (f"tcp://127.0.0.1:{closed_port()}", "nowhere:at:all"):
        with pytest.raises(UserError):
            cores.each(half, [(1,)], address, "halving")
        clients = [each for each in gc.get_objects() if type(each) is distributed.Client]
        assert {client.status for client in clients} <= {"closed"}


def test_no_workers_is_one_sentence(monkeypatch):
    """A scheduler without workers does not keep a study waiting for ever."""
    monkeypatch.setattr(cores, "ANSWER_S", 1)
    quiet = {"dashboard_address": ":0", "silence_logs": 50}
    with (
        distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp", **quiet) as idle,
        pytest.raises(UserError, match="no workers"),
    ):
        cores.each(half, [(1,)], idle.scheduler_address, "halving")
