"""What a simulated board keeps from one run to the next: a folder that is its flash, and where its discs lie."""

import fcntl
import json
import os
from dataclasses import asdict
from pathlib import Path

import platformdirs
from hapenny_link.errors import UserError

from hapenny_sim.boards.acts import Lying
from hapenny_sim.boards.calibrated import fingerprint
from hapenny_sim.boards.table import SimulatedTable


def default_folder(layout: str, build: str, seed: int) -> Path:
    """Where that board is kept if nobody says otherwise. Another make of sensors is another board."""
    boards = Path(platformdirs.user_data_dir("hapenny", appauthor=False)) / "boards"
    return boards / f"{layout}-{build}-{seed}-{fingerprint()}"


class Kept:
    """The folder of one board, while it is in use; UserError if it cannot be made, or another hapenny uses it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "discs.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.lock = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise UserError(f"the simulated board cannot be kept in {folder}: {error.strerror}") from error
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self.lock)
            raise UserError(
                f"another hapenny uses the simulated board kept in {folder}: end it, or name another folder with "
                "--board 'unix:?folder=PATH'"
            ) from error

    def keep(self, table: SimulatedTable) -> None:
        """Lay the discs as they lay, and from now on write down how they lie whenever they have come to rest."""
        table.lying = self.read(table.size)
        table.watchers.append(lambda: self.write(table.lying))

    def read(self, size: int) -> list[Lying]:
        """The discs of the run before; none if that cannot be read."""
        try:
            found = [Lying(**{**disc, "on": tuple(disc["on"])}) for disc in json.loads(self.file.read_bytes())]
        except (OSError, ValueError, TypeError, KeyError):
            return []
        return found if all(disc.which < size for disc in found) else []

    def write(self, lying: list[Lying]) -> None:
        """All of it or nothing: the host may be killed meanwhile."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps([asdict(disc) for disc in lying]))
        fresh.replace(self.file)

    def close(self) -> None:
        os.close(self.lock)
