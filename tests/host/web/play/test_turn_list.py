"""What /play makes of a turn's calls."""

import pytest
from hapenny_host.web.play.turn_list import struck_out


@pytest.mark.parametrize(
    ("calls", "row", "before"),
    [
        (["doubt", "1"], {}, []),
        (["1", "doubt", "1"], {}, []),
        (["2", "doubt"], {}, ["2"]),
        (["3", "5"], {}, ["3"]),
        (["doubt", "1"], {"person": True}, ["doubt"]),
        (["1", "line"], {"person": True}, ["1"]),
        (["short"], {"hand": True}, ["short"]),
    ],
)
def test_only_what_was_moved_or_decided_is_struck_out(calls, row, before):
    """That the board itself hesitated for a shove has overruled nothing."""
    assert struck_out({"calls": calls, "person": False, "hand": False, **row}) == before
