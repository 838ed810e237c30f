"""The command line: what a person gets wrong is said in one line, with exit code 2 and no traceback."""

import socket
import subprocess
import sys

import pytest
from hapenny_host import cli


def said(monkeypatch, capsys, *arguments):
    """Exit code, standard output and standard error of a call."""
    monkeypatch.setattr(sys, "argv", ["hapenny", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out = capsys.readouterr()
    return ended.value.code, out.out, out.err


@pytest.fixture
def busy():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield str(server.getsockname()[1])


@pytest.mark.parametrize(
    ("arguments", "clue"),
    [
        (["run", "--board", "nowhere:"], "unix:"),
        (["run", "--board", "replay:/no/such"], "No such file"),
        (["run", "--board", "serial:a b"], "serial:SERIALNUMBER"),
        (["run", "--port", "0"], "--port"),
        (["run", "--port", "many"], "--port"),
        (["run", "--host", "not an address"], "--port N"),
        (["run", "--store", "/proc/nothing/here"], "--store"),
        (["run", "--hopefully"], "--hopefully"),
        (["dance"], "dance"),
    ],
)
def test_misuse_is_one_clear_line(monkeypatch, capsys, tmp_path, arguments, clue):
    """Unknown URLs, ports, stores, options and commands: exit code 2 and one line that names what was wrong."""
    if "--store" not in arguments and arguments[0] == "run":
        arguments = [*arguments, "--store", str(tmp_path / "s.sqlite")]
    code, out, err = said(monkeypatch, capsys, *arguments)
    assert code == 2 and clue in err and "Traceback" not in out
    assert err.startswith("hapenny: ") and err.count("\n") == 1


def test_a_busy_port_is_one_clear_line(monkeypatch, capsys, tmp_path, busy):
    """Somebody serves there already: the port is named, and the option that helps."""
    code, _, err = said(monkeypatch, capsys, "run", "--port", busy, "--store", str(tmp_path / "s.sqlite"))
    assert code == 2 and busy in err and "--port N" in err and err.count("\n") == 1


def test_a_missing_extra_names_what_to_install(monkeypatch, capsys):
    """A pub with a real board has no simulator: `hapenny study` says so."""
    monkeypatch.setitem(cli.AREAS, "study", ("hapenny_sim.not_here:app", "Studies.", "sim"))
    code, _, err = said(monkeypatch, capsys, "study")
    assert code == 2 and "pip install 'hapenny[sim]'" in err and err.count("\n") == 1


def test_help_lists_every_area_without_importing_them(monkeypatch, capsys):
    """`hapenny --help` is quick: it names the areas, but imports no physics and no web server."""
    code, out, _ = said(monkeypatch, capsys, "--help")
    assert code == 0 and all(name in out for name in ("run", *cli.AREAS))
    script = "import sys; sys.argv = ['hapenny', '--help']; from hapenny_host import cli\n"
    script += "try: cli.main()\nexcept SystemExit: pass\n"
    script += "print([m for m in sys.modules if m.startswith(('nicegui', 'hapenny_sim', 'sqlalchemy'))])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert run.stdout.rstrip().endswith("[]"), run.stdout + run.stderr
