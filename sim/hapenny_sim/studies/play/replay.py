"""One shove in detail: what every look of the board saw, beside where the discs truly were."""

from collections.abc import Iterator, Sequence
from typing import Any

from hapenny.finding.tracks import NOBODY
from hapenny.rules import geometry
from hapenny_link.errors import UserError

from hapenny_sim.studies.play.board import PlayBoard
from hapenny_sim.studies.play.study import Settings, jobs, session


class Lines:
    """Writes a line of every look of a board, while it is `on`: time, state, true places, tracks."""

    def __init__(self, board: PlayBoard) -> None:
        self.board = board
        self.lines: list[str] = []
        self.began_s = board.table.now_s
        self.last_seq = board.app.journal.last_seq
        self.still = False
        board.looked = self.look

    def look(self) -> None:
        tracker = self.board.app.tracker
        if tracker.active or not self.still:
            state = "moves" if tracker.active else "rests"
            seen = " ".join(tracks(self.board.app)) if tracker.active else " ".join(picture(self.board))
            true = " ".join(f"({d.x_mm:.1f}, {d.y_mm:.1f})" for d in self.board.table.present())
            ms = 1000 * (self.board.table.now_s - self.began_s)
            self.lines.append(f"{ms:6.0f} ms {state}  true {true or '-'}  seen {seen or '-'}")
        self.still = not tracker.active
        for event in self.board.recorded(self.last_seq):
            self.lines.append(f"          journal {event}")
        self.last_seq = self.board.app.journal.last_seq


def tracks(app: Any) -> Iterator[str]:
    """The locator's discs: number of the track (a: one that arrived), place, standard error of y, speed."""
    locator, known = app.locator, app.tracker.tracks
    for i in range(locator.count):
        k = known.ident[i]
        if k == NOBODY:
            name, speed = "?", ""
        else:
            name = f"a{k - len(known.ident)}" if k >= len(known.ident) else str(k)
            speed = f" {known.speed_x[k] / 1e5:+.2f} {known.speed_y[k] / 1e5:+.2f} m/s"
        x, y, se = locator.x_hmm[i] / 100, locator.y_hmm[i] / 100, locator.se_y_um[i] / 1000
        yield f"{name}({x:.1f}, {y:.1f} +-{se:.1f}{speed})"


def picture(board: PlayBoard) -> Iterator[str]:
    """The discs of the picture, and what each is called."""
    for x, y, verdict, _ in board.seen():
        yield f"({x:.1f}, {y:.1f}) {geometry.VERDICTS[verdict]}"


def replay(settings: Settings, number: int) -> str:
    """Plays the study again up to shove `number`, and that one in detail."""
    for _, first, count in jobs(settings):
        if first <= number < first + count:
            return _replay(settings, first, count, number - first)
    raise UserError(f"--replay {number}: the study has shoves 0 to {settings.shoves - 1}.")


def _replay(settings: Settings, first: int, count: int, wanted: int) -> str:
    at = session(settings, first, count)
    shown: list[Lines] = []

    def before(number: int) -> None:
        if number == wanted:
            shown.append(Lines(at.board))

    at.before = before
    try:
        while at.tally.shoves <= wanted:
            at.turn()
    finally:
        at.board.close()
    faults = [f"{f.kind}: {f.what}" for f in at.tally.faults if f.shove == wanted]
    return "\n".join([*(line for lines in shown for line in lines.lines), *faults])


def see(shoves: Sequence[tuple[float, float, float]], layout: str = "standard", build: str = "good", seed: int = 1,
        preset: str = "pub") -> list[str]:  # fmt: skip
    """What a board saw of these shoves (x_mm, speed_m_s, degrees), one after another: a line of every look."""
    from hapenny.desktop import agree

    board = PlayBoard(layout, build, seed)
    try:
        board.say(agree.start(preset, (1, 1), {"order": "given"}))
        lines = Lines(board)
        for x_mm, speed_m_s, degrees in shoves:
            board.table.shove(x_mm, speed_m_s, degrees * 0.017453292519943295)
            board.until(lambda: not board.table.acts, 20.0)
            board.until(lambda: board.at_rest, 3.0)
            board.advance(0.5)
        return lines.lines
    finally:
        board.close()


def see_lying(places: Sequence[tuple[float, float]], layout: str = "standard", build: str = "good", seed: int = 1
              ) -> list[tuple[float, float, str]]:  # fmt: skip
    """Where a board sees discs that are laid down by hand one after another: (x_mm, y_mm, verdict)."""
    board = PlayBoard(layout, build, seed)
    try:
        for place in places:
            board.table.put(place)
            board.until(lambda: not board.table.acts, 5.0)
            board.until(lambda: board.at_rest, 3.0)
            board.advance(0.3)
        return [(x, y, str(geometry.VERDICTS[verdict])) for x, y, verdict, _ in board.seen()]
    finally:
        board.close()
