"""The buttons on /play: what the rules need from a person at this moment."""

from hapenny.rules.geometry import bed_of
from hapenny.scorer import SHOVED, UNTOUCHED
from hapenny_link.board import Table

from hapenny_host.boards.actions import Action
from hapenny_host.boards.misplaced import (
    dead_discs,
    leftovers_lie,
    may_play_on,
    plural,
    take_off_sentence,
    to_put_back,
    uncounted_discs,
)
from hapenny_host.boards.state import BoardState
from hapenny_host.boards.table_hand import disc_at
from hapenny_host.match.view import MatchView

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def offered(state: BoardState, table: Table | None) -> list[Action]:
    """Every button that makes sense now. `table` is there if a simulated hand can move the discs."""
    match = state.match
    if match.number == 0:
        return [Action("New match", "new")]
    undo = [Action(f"Undo: {match.undoes}", "undo", match.undoes, "quiet")] if match.undoes else []
    referee = Action("Referee", "referee", style="quiet")
    if match.winner >= 0:
        always = [Action("New match", "new"), *undo, referee]
    else:
        always = [*undo, referee, Action("New match", "new", style="quiet")]
    return disc_buttons(state, table) + question_buttons(state) + gift_buttons(state) + place_buttons(state) + always


def disc_buttons(state: BoardState, table: Table | None) -> list[Action]:
    """What a hand would do with discs. What it has done already is not offered while the board makes up its mind."""
    asks, discs = state.match.asks, state.match.discs
    back = [Action("Take it back", "retake")] if "retake" in asks else []
    if may_play_on(state, table):
        return [Action("They are off: play on", "off")]
    if table is None:
        return back
    if table.moving():
        return []
    if "clear" in asks:
        return [Action("Take the discs off", "clear")] if table.discs() else []
    dead = [place for place in dead_discs(state) if disc_at(table, place) >= 0]
    if dead:
        return [Action(f"Take the dead disc{plural(dead)} off", "dead"), *back]
    if leftovers_lie(state):
        return [Action("Take the discs off", "clear")] if table.discs() else []
    if uncounted_discs(state, table):
        return [Action(take_off_sentence(state, table), "uncounted"), *back]
    if to_put_back(state):
        return [Action(f"Put the disc{plural(to_put_back(state))} back", "put_back"), *back]
    return back if discs and disc_at(table, (discs[-1]["x"], discs[-1]["y"])) >= 0 else []


def question_buttons(state: BoardState) -> list[Action]:
    """Answers that only a person can give."""
    match, asks = state.match, state.match.asks
    out = []
    if "decide" in asks and match.undecided:
        disc = match.undecided[0]
        bed = bed_of(round(100 * match.discs[disc]["y"]))
        out += [
            Action(f"Yes, bed {bed} scores", "decide", (disc, True)),
            Action("No, no score", "decide", (disc, False)),
        ]
    elif asks_who_moved(state):
        out += who_moved_buttons(match)
    if "record" in asks or ("retake" in asks and match.shoves_left == 0):
        out.append(Action("Write the score up", "record"))
    if "choose" in asks:
        out += [Action("Shove again", "choose", "replay"), Action("Put them back", "choose", "replace")]
    return out


def asks_who_moved(state: BoardState) -> bool:
    """Whether the board's first question is what happened to discs that lie elsewhere."""
    match = state.match
    decides = "decide" in match.asks and bool(match.undecided)
    return state.picture.state == "asking" and "clear" not in match.asks and not decides


def who_moved_buttons(match: MatchView) -> list[Action]:
    """All that may have happened when discs lie elsewhere and the board saw no shove."""
    shove = [Action(f"It was {match.player}'s shove", "answer", SHOVED)] if match.shoves_left else []
    return [
        *shove,
        Action(f"{match.player} touched them: turn lost", "answer", True),
        Action("Somebody else moved them", "answer", False),
        Action("Nobody did anything: play on", "answer", UNTOUCHED),
    ]


def gift_buttons(state: BoardState) -> list[Action]:
    """Who may be given the extra that waits."""
    match = state.match
    if "give" not in match.asks:
        return []
    what = bed_to_give(match).capitalize()
    able = [(side, " & ".join(match.sides[side].names)) for side in match.takers]
    return [Action(f"{what} to {name}", "give", (2 * side, match.give_bed)) for side, name in able]


def bed_to_give(match: MatchView) -> str:
    """The bed of the extra that waits; in darts its number."""
    return f"{'' if match.preset == 'darts' else 'bed '}{match.give_bed}"


def place_buttons(state: BoardState) -> list[Action]:
    """When the best placed side may play."""
    match = state.match
    if "place" not in match.asks:
        return []
    name = " & ".join(match.sides[match.best_placed].names)
    return [Action(f"{name} plays {ORDINALS[place]}", "place", place + 1) for place in range(match.places)]
