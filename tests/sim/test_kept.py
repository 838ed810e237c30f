"""What a simulated board keeps from one run to the next, and that two hosts cannot use it at once."""

import pytest
from hapenny import layout
from hapenny_link.errors import UserError
from hapenny_sim.boards.acts import Lying
from hapenny_sim.boards.kept import Kept, default_folder
from hapenny_sim.boards.table import SimulatedTable


def run(folder, work=lambda table: None):
    """One run of a host: what lies on the table at its beginning."""
    kept, table = Kept(folder), SimulatedTable(layout)
    kept.keep(table)
    before = list(table.lying)
    work(table)
    kept.close()
    return before


def test_discs_lie_where_they_lay(tmp_path):
    """What was laid, shoved or taken off in one run is what the next one finds, turned and heaped alike."""
    heap = [Lying(2, 100.0, 150.0, 0.5), Lying(0, 105.0, 150.0, 0.0, (0,), 2.0)]

    def play(table):
        table.do(Shown(heap))
        table.advance(1.0)

    assert run(tmp_path / "a", play) == []
    assert run(tmp_path / "a", lambda table: table.lay([(4, 50.0, 60.0, 0.0)])) == heap
    assert run(tmp_path / "a", lambda table: (table.take_off(0), table.advance(1.0))) == [Lying(4, 50.0, 60.0)]
    assert run(tmp_path / "a") == []


class Shown:
    """An act that ends with these discs."""

    duration_s = 0.1

    def __init__(self, discs):
        self.discs = discs

    def now(self, t_s):
        return self.discs

    def hands(self, t_s):
        return ()

    def after(self):
        return self.discs


@pytest.mark.parametrize("damage", [b"", b"[1]", b"[{}]", b'[{"which": 7, "x_mm": 1, "y_mm": 1, "on": []}]'])
def test_a_damaged_note_is_an_empty_table(tmp_path, damage):
    """Half a file, another one, a disc that is not in the set: the board opens, and is bare."""
    run(tmp_path)
    (tmp_path / "discs.json").write_bytes(damage)
    assert run(tmp_path) == []


def test_one_board_is_used_by_one_host(tmp_path):
    """While it is in use another host is refused, with what to do; afterwards it is not."""
    kept = Kept(tmp_path)
    with pytest.raises(UserError, match="folder=PATH"):
        Kept(tmp_path)
    kept.close()
    Kept(tmp_path).close()


def test_where_nothing_can_be_kept_is_said(tmp_path):
    """A file stands where the folder would be."""
    (tmp_path / "f").write_bytes(b"")
    with pytest.raises(UserError, match="cannot be kept"):
        Kept(tmp_path / "f")


def test_every_make_of_board_has_a_folder_of_its_own():
    """Layout, build and seed are other boards, in the user's own data."""
    folders = {
        default_folder(*make) for make in (("a", "good", 1), ("b", "good", 1), ("a", "fair", 1), ("a", "good", 2))
    }
    assert len(folders) == 4 and all("hapenny" in folder.parts for folder in folders)
