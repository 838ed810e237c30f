"""A simulated board that was never calibrated."""

from pathlib import Path

import pytest
from hapenny_link.calibration import procedure
from hapenny_link.errors import UserError


@pytest.fixture
def board(tmp_path: Path, monkeypatch):
    """A board fresh from its maker's bench: nothing was ever swept."""
    unix = pytest.importorskip("hapenny_sim.boards.unix")
    monkeypatch.setattr(unix, "calibrate", lambda *_: None)
    monkeypatch.setattr(procedure.platformdirs, "user_data_dir", lambda _: str(tmp_path / "data"))
    try:
        opened = unix.open_board(f"unix:?seed=5&folder={tmp_path / 'flash'}")
    except UserError as missing:
        pytest.skip(str(missing))
    yield opened
    opened.close()
