"""`hapenny calibrate` and `hapenny health` say at once what they look for."""

import time

import pytest
from hapenny_host.commands.calibrate import calibrate
from hapenny_host.commands.health import health
from hapenny_link.errors import UserError


@pytest.mark.parametrize("command", [calibrate, health])
def test_without_a_board_it_is_said_at_once_what_is_looked_for_and_soon_what_to_do(command, capfd):
    """Three seconds, not a quarter of a minute."""
    begun = time.monotonic()
    with pytest.raises(UserError, match=r"no board answers at serial:NOSUCH \(no board NOSUCH is plugged in\): plug"):
        command("serial:NOSUCH")
    assert time.monotonic() - begun < 6
    assert "looking for a board at serial:NOSUCH" in capfd.readouterr().err
