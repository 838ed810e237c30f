"""A calibration over the link: readings that cannot be used are refused in one sentence."""

import time
from io import StringIO

import pytest
from hapenny import layout, layout_lite
from hapenny.keeping.slots import Store
from hapenny.sensing.calibration import Calibration
from hapenny_link.calibration import report
from hapenny_link.calibration.client import CalibrationClient
from hapenny_link.errors import UserError
from rich.console import Console


def stored(board) -> bytes | None:
    return Store(str(board.transport.board.folder / "calibration")).load()


def quiet() -> Console:
    return Console(file=StringIO(), width=500)


def said(console: Console) -> str:
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.timeout(120)
def test_a_frame_of_another_length_is_said_and_teaches_nothing(board):
    """The board sends as many channels as the standard layout has; the lite one has fewer."""
    client = CalibrationClient(board, layout)
    client.connect()
    client.check_layout()
    client.layout = layout_lite
    with pytest.raises(UserError, match="of another layout; say --layout"):
        client.read(4, 2)
    client.layout = layout
    assert len(client.read(4, 2).halls) == layout.HALLS
    client.leave()


@pytest.mark.timeout(120)
def test_sensors_that_stand_still_teach_nothing_and_are_said(board):
    """Two readings with not one sensor changed: a sentence, not an endless sweep; `hapenny health` says it, too."""
    client = CalibrationClient(board, layout)
    client.connect()
    client.check_layout()
    client.read(4, 2)
    board.table.sensors.faults.frozen = True
    client.read(4, 2)
    with pytest.raises(UserError, match="have stopped, not one changes"):
        client.read(4, 2)
    end = time.monotonic() + 20
    while client.status.state != "frozen" and time.monotonic() < end:
        time.sleep(0.05)
    console = quiet()
    report.print_report(client, console)
    assert "have stopped, not one changes" in said(console)
    client.leave()


@pytest.mark.timeout(120)
def test_a_damaged_calibration_is_refused_over_the_link_and_guidance_lights_the_bed(board):
    """The board says why; its flash stays as it was. While it is taught the pegs show the bed, afterwards the game."""
    client = CalibrationClient(board, layout)
    client.connect()
    client.check_layout()
    blob = bytearray(Calibration(layout).encode())
    blob[100] ^= 1
    with pytest.raises(UserError, match=r"damaged.*the old one stays"):
        client.store(bytes(blob))
    assert stored(board) is None
    client.guide(12, 3, 2)
    lit = set()
    end = time.monotonic() + 20  # they blink, and a busy machine sees them seldom
    while not {12, 13, 14} <= lit and time.monotonic() < end:
        client.read(4, 2)
        lit |= {k for k, colour in enumerate(board.table.pixels()) if any(colour)}
    assert {12, 13, 14} <= lit <= {12, 13, 14, 27, 28, 44, 45, 46, 59, 60}
    client.leave()
