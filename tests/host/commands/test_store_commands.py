"""The commands that look after what is kept, as a person calls them."""

import re
import sys

import pytest
from hapenny_host import cli, settings
from hapenny_host.store import Store
from host.store.stores import contents, play


@pytest.fixture
def call(monkeypatch, capsys, tmp_path):
    """Runs a command in a home of its own; exit code, standard output, standard error."""
    monkeypatch.setattr(settings, "default_path", lambda: tmp_path / "hapenny.toml")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["hapenny", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return run


@pytest.fixture
def path(tmp_path, call):
    """A store with a match, which the configuration file names."""
    path = tmp_path / "scores.sqlite"
    store = Store(path)
    play(store)
    store.close()
    assert call("config", "store.at", path)[0] == 0
    return path


def test_a_store_is_backed_up_listed_and_restored(call, path, tmp_path):
    """By the configuration file's words alone."""
    code, out, _ = call("backup")
    made = out.partition(":")[0]
    assert code == 0 and re.search(r"/backups/[-_0-9]+: 7 events, kept \d{4}-", out)
    store = Store(path)
    before = contents(store)
    play(store, "C", 9)
    store.close()
    code, out, _ = call("restore")
    assert code == 0 and made in out and "Choose one: hapenny restore FOLDER" in out
    code, out, _ = call("restore", made)
    assert code == 0 and "Restored: 7 events" in out and "The store before is" in out
    store = Store(path)
    assert contents(store) == before
    store.close()


def test_a_store_is_exported_and_pruned(call, path, tmp_path):
    """What is written is listed; for ever is not pruned unless one says how long."""
    code, out, _ = call("export", tmp_path / "out")
    assert code == 0 and "matches.csv" in out and "store.jsonl" in out
    code, out, _ = call("prune", "--days", 1)
    assert code == 0 and "0 measurements older than 1 days are gone" in out
    assert call("config", "store.evidence_days", 0)[0] == 0
    code, _, err = call("prune")
    assert code == 2 and "--days N" in err


@pytest.mark.parametrize("command", [["backup"], ["export", "out"], ["prune"]])
def test_a_store_that_is_not_there_is_not_made(call, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    code, _, err = call(*command, "--store", "nothing.sqlite")
    assert code == 2 and "there is no store nothing.sqlite" in err and not (tmp_path / "nothing.sqlite").exists()


def test_the_configuration_is_told_without_the_password(call, tmp_path):
    """And that there is no file, where there is none."""
    code, out, _ = call("config")
    assert code == 0 and "not there" in out and "store.evidence_days    365" in out
    code, out, _ = call("config", "store.at", "postgresql://ann:secret@pi/scores")
    assert code == 0 and "postgresql://ann:***@pi/scores" in out and "secret" not in out


def test_what_cannot_be_configured_is_one_clear_line(call):
    code, _, err = call("config", "run.prot", "1")
    assert code == 2 and "did you mean 'run.port'?" in err and err.count("\n") == 1
    code, _, err = call("config", "run.port")
    assert code == 2 and "hapenny config run.port VALUE" in err


def test_run_goes_by_the_configuration_unless_told_otherwise(call, monkeypatch, tmp_path):
    """What is said on the command line counts more."""
    served = []
    monkeypatch.setattr("hapenny_host.serve.run", lambda *arguments: served.append(arguments))
    for key, value in (("run.boards", "serial:"), ("run.port", "9000"), ("store.at", tmp_path / "a.sqlite")):
        call("config", key, value)
    call("run")
    call("run", "--port", 9001, "--board", "unix:", "--store", "postgresql://pi/scores", "--host", "0.0.0.0")
    (board, port, host, keep, _), (board2, port2, host2, keep2, _) = served
    assert (board, port, host, keep.place()) == ("serial:", 9000, "127.0.0.1", tmp_path / "a.sqlite")
    assert (board2, port2, host2, keep2.place()) == ("unix:", 9001, "0.0.0.0", "postgresql://pi/scores")
    call("config", "run.boards", "unix:, serial:")
    code, _, err = call("run")
    assert code == 2 and "one board a host so far" in err
