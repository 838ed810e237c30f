"""The sentence on /play: what matters most now, and what exactly people are asked."""

from hapenny.rules.geometry import bed_of
from hapenny_link.board import Table

from hapenny_host.boards.misplaced import hands_done, off_again, put_back, strays, unwanted
from hapenny_host.boards.state import Now
from hapenny_host.match.view import MatchView
from hapenny_host.web.elements.board import hesitation
from hapenny_host.web.play.buttons import asks_who_moved, given
from hapenny_host.web.tv.page import trouble, urgent


def headline(now: Now, table: Table | None = None, opponent: bool = False) -> str:
    """What matters most now, in a sentence; `table` is there if hands are simulated; `opponent`: theirs is the turn."""
    match = now.match
    if not now.link.connected:
        return f"The board is away: {trouble(now)}"
    if urgent(now):
        return urgent(now)
    if match.number == 0:
        return "No match yet"
    if match.winner >= 0:
        names = match.sides[match.winner].names
        return f"{' & '.join(names)} {'win' if len(names) > 1 else 'wins'}!"
    called = "Turn lost. " if match.void else f"{match.last}. " if match.last else ""
    asked = question(now)
    if asked:
        return f"{called if match.ruled else ''}{asked}"
    first = on_the_board(now, table, opponent)
    hands = [words for words in (unwanted(now, table), put_back(now)) if words]
    return called + (first or ". ".join([*hands, out_of_turn(now) or to_shove(match)]))


def question(now: Now) -> str:
    """What only a person can say, "" if nothing is asked."""
    match, asks = now.match, now.match.asks
    if "decide" in asks and match.undecided:
        return doubt(now)
    if "give" in asks:
        return f"One more than needed in {given(match)}: who gets it?"
    if "choose" in asks:
        return "Discs were moved by somebody else: is the disc shoved again, or are they put back?"
    if "place" in asks:
        return f"{' & '.join(match.sides[match.best].names)} came nearest: when do they play?"
    if asks_who_moved(now):
        return "Discs lie otherwise than before, and the board saw no shove. What happened?"
    if match.shoves_left == 0 and "retake" in asks:
        return "Take it back, or write the score up?"
    return "Is the score right? Then write it up" if "record" in asks else ""


def doubt(now: Now) -> str:
    """Which disc a person is asked about, and what."""
    match = now.match
    disc = match.discs[match.undecided[0]]
    bed = bed_of(round(100 * disc["y"]))
    which = f"Disc {disc['number']}, the one ringed,"
    if disc["verdict"] == "doubt":
        reason = hesitation(now.picture.discs, disc)
        return f"{which} is too close to call{f' ({reason})' if reason else ''}. Look: is it wholly in bed {bed}?"
    return f"{which} lies in a heap. Look: does it score in bed {bed}?"


def on_the_board(now: Now, table: Table | None, opponent: bool) -> str:
    """What hands have to do before the next shove."""
    if "clear" not in now.match.asks:
        return "Discs of another match lie there: take them off" if strays(now) else ""
    if off_again(now, table):
        return "The discs are off: play on, or undo more"
    if hands_done(table):
        return "The board has a look whether all are off"
    if now.picture.state == "asking":
        return "One was shoved too early: take all discs off"
    return f"{now.match.player} is next{' and takes the discs off' if opponent else ': take the discs off'}"


def out_of_turn(now: Now) -> str:
    """Whose disc the next one is, if people have said that it is not of the side in turn."""
    sides = now.match.sides
    if now.by < 0 or now.by // 2 >= len(sides):
        return ""
    return f"The next disc is {sides[now.by // 2].names[now.by % 2]}'s, out of turn"


def to_shove(match: MatchView) -> str:
    """Whose turn it is, and how many are left."""
    does, aim = ("throw", "the bull") if match.preset == "darts" else ("shove", "bed 9")
    if "nine" in match.asks:
        return f"{match.player} to {does} for the order of play: nearest to {aim}"
    left = f"{match.shoves_left} to go" if match.shoves_left else "none left"
    return f"{match.player} to {does}, {left}"
