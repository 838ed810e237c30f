"""A calibration of a simulated board: nothing half done replaces what was there."""

from io import StringIO

import pytest
from hapenny import layout
from hapenny.keeping.slots import Store
from hapenny.sensing.calibration import Calibration
from hapenny_link.calibration import operators, procedure
from hapenny_link.calibration.measurements import Measurements
from hapenny_link.errors import LinkDown, UserError
from rich.console import Console


def stored(board) -> bytes | None:
    return Store(str(board.transport.board.folder / "calibration")).load()


def quiet() -> Console:
    return Console(file=StringIO(), width=500)


def said(console: Console) -> str:
    return console.file.getvalue()  # type: ignore[attr-defined]


def pull(board, monkeypatch) -> None:
    """Pulls the board's cable."""

    def gone(*_):
        raise LinkDown("no board is plugged in")

    for what in ("open", "read", "write"):
        monkeypatch.setattr(board.transport, what, gone)


@pytest.mark.slow
@pytest.mark.timeout(280)
def test_a_board_is_taught_and_refined_and_interruption_leaves_the_old_calibration(board, monkeypatch):
    """From nothing to swept to refined over the link; then Ctrl-C in mid sweep: what is on flash stays."""
    console = quiet()
    procedure.calibrate(board, layout, 2, 10, console)
    swept = stored(board)
    learned = Calibration(layout)
    learned.decode(swept or b"")
    assert learned.level == 1 and 0 < learned.quality_ut < 40 and learned.date > 9800
    assert "Next: play" in said(console) and "swept on" in said(console)
    procedure.refine(board, layout, 12, quiet())
    refined = stored(board)
    learned.decode(refined or b"")
    assert learned.level == 2

    def interrupted(self, x_mm):
        raise KeyboardInterrupt

    monkeypatch.setattr(operators.SimulatedHand, "slide_to", interrupted)
    console = quiet()
    with pytest.raises(KeyboardInterrupt):
        procedure.calibrate(board, layout, 1, 10, console)
    assert stored(board) == refined
    assert "stopped; nothing was stored, the old calibration stays" in said(console)


@pytest.mark.timeout(120)
def test_a_pulled_cable_is_one_sentence_and_nothing_is_stored(board, monkeypatch):
    """In the spin test, where no disc was seen before; it is noticed in seconds."""
    monkeypatch.setattr(operators.SimulatedHand, "turn", lambda self, disc, n: n == 2 and pull(board, monkeypatch))
    with pytest.raises(UserError, match=r"^the board is gone, its cable or its power; nothing was stored, the old .*$"):
        procedure.calibrate(board, layout, 1, 10, quiet())
    assert stored(board) is None


@pytest.mark.timeout(120)
def test_a_cable_pulled_while_play_is_listened_to_ends_it(board, monkeypatch, tmp_path):
    """Nobody waits for readings of a board that is gone."""
    (tmp_path / "kept.npz").touch()
    monkeypatch.setattr(Measurements, "load", lambda *_: None)
    monkeypatch.setattr(Measurements, "calibrate", lambda *_: None)
    monkeypatch.setattr(procedure, "NEXT_REST_S", 0.5)
    monkeypatch.setattr(procedure, "recording_path", lambda _: tmp_path / "kept.npz")
    monkeypatch.setattr(operators.SimulatedHand, "lay_at_random", lambda self: pull(board, monkeypatch))
    with pytest.raises(UserError, match="the board is gone"):
        procedure.refine(board, layout, 12, quiet())


@pytest.mark.parametrize(("radius", "says"), [
    (0.04, "0.04 mm when turned: good"), (0.0999, "0.10 mm when turned: good"),
    (0.1001, "0.11 mm when turned: its magnet leans a little, good to play with"), (0.2, "0.20 mm when turned: its"),
    (0.2001, "0.21 mm when turned, more than the 0.20 allowed: its magnet leans, do not"), (9.0, "was not seen"),
])  # fmt: skip
def test_the_spin_test_s_figure_lies_on_its_verdict_s_side_of_the_limit(radius, says):
    """A bad disc never shows the figure of a good one."""
    assert says in procedure.spin_result(radius)
