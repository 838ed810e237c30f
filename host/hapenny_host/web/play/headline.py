"""The sentence on /play: what matters most now, and what exactly people are asked."""

from hapenny.rules.geometry import bed_of
from hapenny_link.board import Table

from hapenny_host.boards.misplaced import leftovers_lie, may_play_on, put_back_sentence, take_off_sentence
from hapenny_host.boards.state import BoardState
from hapenny_host.boards.status import trouble, urgent
from hapenny_host.boards.table_hand import is_cleared
from hapenny_host.match.view import MatchView
from hapenny_host.web.elements.board import doubt_reason
from hapenny_host.web.play.buttons import asks_who_moved, bed_to_give


def headline(state: BoardState, table: Table | None = None, opponent: bool = False) -> str:
    """What matters most now. `table` is there if hands are simulated; `opponent`: the turn is the opponent's."""
    match = state.match
    if not state.link.connected:
        return f"The board is away: {trouble(state)}"
    if urgent(state):
        return urgent(state)
    if match.number == 0:
        return "No match yet"
    if match.winner >= 0:
        names = match.sides[match.winner].names
        return f"{' & '.join(names)} {'win' if len(names) > 1 else 'wins'}!"
    called = "Turn lost. " if match.void else f"{match.last}. " if match.last else ""
    asked = question(state)
    if asked:
        return f"{called if match.ruled else ''}{asked}"
    first = before_next_shove(state, table, opponent)
    hands = [words for words in (take_off_sentence(state, table), put_back_sentence(state)) if words]
    return called + (first or ". ".join([*hands, out_of_turn(state) or whose_turn(match)]))


def question(state: BoardState) -> str:
    """What only a person can answer, "" if nothing is asked."""
    match, asks = state.match, state.match.asks
    if "decide" in asks and match.undecided:
        return doubt_question(state)
    if "give" in asks:
        return f"One more than needed in {bed_to_give(match)}: who gets it?"
    if "choose" in asks:
        return "Somebody else moved discs. Shove again, or put them back?"
    if "place" in asks:
        return f"{' & '.join(match.sides[match.best_placed].names)} came nearest: when do they play?"
    if asks_who_moved(state):
        return "Discs have moved, and the board saw no shove. What happened?"
    if match.shoves_left == 0 and "retake" in asks:
        return "Take it back, or write the score up?"
    return "Is the score right? Then write it up" if "record" in asks else ""


def doubt_question(state: BoardState) -> str:
    """Which disc a person is asked about, and what."""
    match = state.match
    disc = match.discs[match.undecided[0]]
    bed = bed_of(round(100 * disc["y"]))
    which = f"Disc {disc['number']}, the one ringed,"
    if disc["verdict"] == "doubt":
        reason = doubt_reason(state.picture.discs, disc)
        return f"{which} is too close to call{f' ({reason})' if reason else ''}. Look: is it wholly in bed {bed}?"
    return f"{which} lies in a heap. Look: does it score in bed {bed}?"


def before_next_shove(state: BoardState, table: Table | None, opponent: bool) -> str:
    """What hands have to do before the next shove, "" if nothing."""
    if "clear" not in state.match.asks:
        return "Discs of another match lie there: take them off" if leftovers_lie(state) else ""
    if may_play_on(state, table):
        return "The discs are off: play on, or undo more"
    if is_cleared(table):
        return "The board is checking that all discs are off"
    if state.picture.state == "asking":
        return "One was shoved too early: take all discs off"
    return f"{state.match.player} is next{' and takes the discs off' if opponent else ': take the discs off'}"


def out_of_turn(state: BoardState) -> str:
    """Whose disc is next if people have said that it is out of turn, else ""."""
    sides, player = state.match.sides, state.out_of_turn_player
    if player < 0 or player // 2 >= len(sides):
        return ""
    return f"The next disc is {sides[player // 2].names[player % 2]}'s, out of turn"


def whose_turn(match: MatchView) -> str:
    """Whose turn it is, and how many shoves are left."""
    does, aim = ("throw", "the bull") if match.preset == "darts" else ("shove", "bed 9")
    if "nine" in match.asks:
        return f"{match.player} to {does} for the order of play: nearest to {aim}"
    left = f"{match.shoves_left} to go" if match.shoves_left else "none left"
    return f"{match.player} to {does}, {left}{f' ({match.limit})' if match.limit else ''}"
