"""The command line: what a person gets wrong is said in one line, with exit code 2 and no traceback."""

import socket
import subprocess
import sys
from importlib.metadata import version

import pytest
from hapenny_host import cli, serve
from hapenny_link.conversation import LinkState
from hapenny_link.urls import OURS


def said(monkeypatch, capsys, *arguments):
    """Exit code, standard output and standard error of a call."""
    monkeypatch.setattr(sys, "argv", ["hapenny", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out = capsys.readouterr()
    return ended.value.code, out.out, out.err


FAR = "socket://127.0.0.1:9"  # a board that is opened at once and never there


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
        (["run", "--host", "not an address"], "is not an address of this machine; --host can be 0.0.0.0"),
        (["run", "--host", "192.0.2.7"], "192.0.2.7 is not an address of this machine; --host can be 0.0.0.0"),
        (["run", "--store", "/proc/nothing/here"], "--store"),
        (["run", "--hopefully"], "--hopefully"),
        (["dance"], "dance"),
    ],
)
def test_misuse_is_one_clear_line(monkeypatch, capsys, tmp_path, arguments, clue):
    """Unknown URLs, ports, stores, options and commands: exit code 2 and one line that names what was wrong."""
    if "--store" not in arguments and arguments[0] == "run":
        arguments = [*arguments, "--store", str(tmp_path / "s.sqlite")]
    if "--board" not in arguments and arguments[0] == "run":
        arguments = [*arguments, "--board", FAR]
    code, out, err = said(monkeypatch, capsys, *arguments)
    assert code == 2 and clue in err and "Traceback" not in out
    assert err.startswith("hapenny: ") and err.count("\n") == 1


def test_a_busy_port_is_one_clear_line(monkeypatch, capsys, tmp_path, busy):
    """Somebody serves there already: the port is named, and the option that helps."""
    arguments = ["run", "--port", busy, "--store", str(tmp_path / "s.sqlite"), "--board"]
    code, _, err = said(monkeypatch, capsys, *arguments, FAR)
    assert code == 2 and busy in err and "--port N" in err and err.count("\n") == 1
    code, _, err = said(monkeypatch, capsys, *arguments, "nowhere:")
    assert code == 2 and "there is no board 'nowhere:'" in err, "a wrong board is not hidden behind a busy port"


def test_a_busy_port_is_said_before_a_board_is_opened(monkeypatch, capsys, tmp_path, busy):
    """A simulated one takes its time to begin, and leaves a folder."""
    monkeypatch.setattr(serve, "open_board", lambda url: pytest.fail("a board is opened"))
    code, _, err = said(monkeypatch, capsys, "run", "--port", busy, "--store", str(tmp_path / "s.sqlite"))
    assert code == 2 and busy in err


def test_the_version_is_said(monkeypatch, capsys):
    code, out, _ = said(monkeypatch, capsys, "--version")
    assert code == 0 and out == f"hapenny {version('hapenny')}\n"


def test_help_names_every_kind_of_board(monkeypatch, capsys):
    """`hapenny run --help` lists all that can be opened."""
    code, out, _ = said(monkeypatch, capsys, "run", "--help")
    assert code == 0 and all(f"{scheme}:" in out for scheme in OURS)


@pytest.mark.parametrize("study", ["shove", "spread", "match", "surface", "accuracy"])
@pytest.mark.parametrize(
    ("plot", "clue"), [("/no/such/folder/a.png", "no folder"), ("/proc/a.png", "cannot be written"), ("a.doc", ".svg")]
)
def test_a_plot_that_cannot_be_drawn_is_refused_before_anything_is_computed(monkeypatch, capsys, study, plot, clue):
    """A path without a folder, one that may not be written, a kind of file nobody can draw: said at once."""
    monkeypatch.setattr("hapenny_sim.studies.command.show", lambda go, as_json: pytest.fail("it computes"))
    code, _, err = said(monkeypatch, capsys, "study", study, "--plot", plot)
    assert code == 2 and clue in err and plot in err and err.count("\n") == 1


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


def test_the_terminal_says_why_there_is_no_board_and_when_it_comes(capsys):
    """Each thing once; that it is being looked for is no news."""
    printer = serve.LinkPrinter()
    gone = LinkState(trouble="there is no port /dev/nope")
    for state in (LinkState(), gone, gone, LinkState(connected=True, board="E66"), gone):
        printer(state)
    missing = "No board yet: there is no port /dev/nope"
    assert capsys.readouterr().out.splitlines() == [missing, "Board E66 is connected", missing]
