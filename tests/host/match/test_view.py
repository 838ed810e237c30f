"""The folds for screens agree with the engine, and undo leaves no trace in them."""

from dataclasses import replace

from hapenny.desktop import agree
from hapenny.rules import events
from hapenny_host.match.view import MatchFold
from hypothesis import given
from hypothesis import strategies as st

BED = [10160 + 3175 * bed + 1587 for bed in range(9)]


def started(preset="encyclopedia", players=(1, 1), names=(("Ann",), ("Bob",)), **more):
    fold = MatchFold()
    fold.event(1, events.encode(agree.start(preset, players, **more)), [list(side) for side in names])
    return fold


def shoved(fold, beds, seq=2):
    """Shove discs into these beds, one after the other (bed 0: on the first line)."""
    discs = []
    for i, bed in enumerate(beds):
        discs.append((6000 + 4500 * i, BED[bed - 1] if bed else 10160))
        fold.event(seq + i, events.encode(events.shove(discs)))
    return fold.view


def test_a_turn_as_the_screens_show_it():
    """Five shoves: the marks of the side, what was called, whose turn it is, what is asked, the turn's line."""
    view = shoved(started(), [1, 1, 0, 9, 5])
    assert view.sides[0].marks == [2, 0, 0, 0, 1, 0, 0, 0, 1] and view.sides[1].marks == [0] * 9
    assert (view.player, view.turn, view.shoves_left, view.last) == ("Bob", 1, 5, "Bed 5")
    assert view.asks == ["clear"]
    assert calls(view) == ["1", "1", "line", "9", "5"]
    assert [disc["verdict"] for disc in view.discs] == ["1", "1", "line", "9", "5"]


def calls(view, turn=-1):
    """What the discs of a turn are called now, with a * where people said so."""
    return [row["calls"][-1] + "*" * row["person"] for row in view.log[turn]["rows"]]


def doubted(fold, *more):
    """Five shoves, the second and fourth of them in doubt; then more events."""
    discs = []
    for i in range(5):
        discs.append(events.disc(6000 + 4500 * i, BED[i] + (285 if i in (1, 3) else 0), doubt=i in (1, 3)))
        fold.event(2 + i, events.encode(events.shove(discs)))
    for i, event in enumerate(more):
        fold.event(7 + i, events.encode(event))
    return fold.view


def test_what_a_person_decided_stands_in_the_log_in_place_of_the_doubt():
    """Two doubts: each answer is called, marked as a person's, the next one is asked; then the turn is written up."""
    fold = started()
    view = doubted(fold)
    assert (view.asks, view.undecided, calls(view)) == (["decide"], [1, 3], ["1", "doubt", "3", "doubt", "5"])
    view = fold.event(7, events.encode(events.decide(2, True)))
    assert (view.last, view.ruled, view.last_disc, view.undecided) == ("Disc 2 decided: bed 2", True, 1, [3])
    assert view.log[-1]["rows"][1] == {"calls": ["doubt", "2"], "person": True, "at": 1, "hand": False}
    view = fold.event(8, events.encode(events.decide(4, False)))
    assert (view.last, view.player, view.asks) == ("Disc 4 decided: on the line", "Bob", ["clear"])
    assert calls(view) == ["1", "2*", "3", "line*", "5"]
    assert [(disc["number"], disc["verdict"], disc["person"]) for disc in view.discs] == [
        (1, "1", False),
        (2, "2", True),
        (3, "3", False),
        (4, "line", True),
        (5, "5", False),
    ]
    view = fold.event(9, events.encode(events.undo()))
    assert calls(view) == ["1", "2*", "3", "doubt", "5"] and not view.ruled


def test_extras_are_seen_as_given():
    """A fourth disc in a bed shows in the opponent's column as a gift."""
    view = shoved(started(), [1, 1, 1, 1, 2])
    assert view.sides[1].given == [1] + [0] * 8 and view.sides[1].marks[0] == 1


def test_a_win_is_told():
    """The last mark: the winner, and nobody in turn."""
    view = shoved(started(marks={0: [3] * 8 + [2]}), [9, 0, 0, 0, 0])
    assert (view.winner, view.turn, view.player) == (0, -1, "")


def test_where_turns_are_counted_the_screens_say_which_it_is_and_who_leads():
    """Marks stand with each side; level after the last turn, an extra one; nothing of it where turns do not count."""
    fold = started(options={"turns": 1, "shoves": 1})
    assert fold.view.limit == "turn 1 of 1, level" and [side.points for side in fold.view.sides] == [0, 0]
    assert shoved(fold, [5]).limit == "turn 1 of 1, Ann ahead"
    fold.event(3, events.encode(events.clear()))
    view = shoved(fold, [4], 4)
    assert view.limit == "an extra turn, level" and [side.points for side in view.sides] == [1, 1]
    view = started().view
    assert view.limit == "" and view.sides[0].points is None


def test_partners_alternate_by_name():
    """In a pair the player in turn is named, the partner at the next turn."""
    fold = started(players=(2, 1), names=(("Ann", "Cat"), ("Bob",)))
    players = []
    for turn in range(3):
        players.append(fold.view.player)
        shoved(fold, [1, 2, 3, 4, 5], 10 * turn + 2)
        fold.event(10 * turn + 8, events.encode(events.clear()))
    assert players == ["Ann", "Bob", "Cat"]


def test_players_without_names_have_numbers_and_a_rematch_keeps_names():
    """A match begun on the board itself shows the same people again, or numbers."""
    fold = MatchFold()
    start = events.encode(agree.start("encyclopedia", (1, 1)))
    fold.event(1, start)
    assert [side.names for side in fold.view.sides] == [["Player 1"], ["Player 2"]]
    fold.event(2, start, [["Ann"], ["Bob"]])
    fold.event(3, start)
    assert [side.names for side in fold.view.sides] == [["Ann"], ["Bob"]]


def thrown(fold, *hits):
    for i, hit in enumerate(hits):
        fold.event(2 + i, events.encode(events.dart(hit)))
    return fold.view


def test_darts_are_called_as_they_hit():
    """A treble is three marks; what was hit is called, and stands in the turn's line."""
    view = thrown(started("darts", options={"order": "given"}), "T7", "D20", "7")
    assert view.sides[0].marks[6] == 3 and view.sides[1].marks[6] == 1
    assert (view.last, view.player, calls(view)) == ("7", "Bob", ["T7", "D20", "7"])
    fold = started("darts", options={"order": "given"})
    called = [thrown(fold, hit).last for hit in ("D3", "outer", "miss")]
    assert called == ["Double 3", "Outer bull", "Miss"]


def test_a_throw_at_the_bull_is_no_dart_of_the_turn():
    """Who throws first is a line of its own, and then there are three darts."""
    fold = started("darts")
    assert (fold.view.shoves, fold.view.shoves_left) == (1, 1)
    view = thrown(fold, "bull", "miss", "T1")
    assert [calls(view, turn) for turn in range(3)] == [["bull"], ["miss"], ["T1"]]
    assert (view.shoves, view.shoves_left) == (3, 2)


def test_who_may_be_given_an_extra():
    """The thrower chooses: only sides that still need the number are offered, and one of them gets it."""
    names = (("Ann",), ("Bob",), ("Cat",), ("Dan",))
    options = {"order": "given", "excess": "chooser"}
    fold = started("darts", (1, 1, 1, 1), names, options=options, marks={1: [0] * 4 + [3] + [0] * 4})
    view = thrown(fold, "T5", "5")
    assert (view.asks, view.give_bed, view.takers) == (["give"], 5, [2, 3])
    fold.event(9, events.encode(events.give(2 * view.takers[1], view.give_bed)))
    assert fold.view.sides[3].marks[4] == 1 and fold.view.takers == []


def test_extras_that_may_be_claimed():
    """Where extras are claimed, a fourth disc in a bed waits for each of the others, and for each once."""
    fold = started("pub", (1, 1, 1), (("Ann",), ("Bob",), ("Cat",)), options={"order": "given", "claim": "claim"})
    assert shoved(fold, [4, 4, 4, 4, 1]).claims == [(1, 4), (2, 4)]
    fold.event(9, events.encode(events.claim(4, 4)))
    assert fold.view.claims == [(1, 4)]


def test_what_cannot_be_read_changes_nothing():
    """A damaged or refused event leaves the view alone."""
    fold = started()
    before = fold.view
    fold.event(2, b"\xff\x00")
    fold.event(3, events.encode(events.record()))
    assert fold.view == before


steps = st.one_of(
    st.lists(st.integers(0, 9), min_size=1, max_size=5).map(lambda beds: ("shove", beds)),
    st.just(("clear", [])),
)


@given(st.lists(steps, max_size=6), st.integers(0, 9))
def test_undo_leaves_no_trace_on_the_screens(course, bed):
    """After any course of play: one more shove, then undo, and the view is what it was."""
    fold = started()
    seq = 2
    for what, beds in course:
        if what == "clear":
            fold.event(seq, events.encode(events.clear()))
        else:
            shoved(fold, beds, seq)
        seq += 10
    before = fold.view
    one_more = [(round(100 * d["x"]), round(100 * d["y"])) for d in before.discs]
    one_more.append((33000, BED[bed - 1] if bed else 10160))
    fold.event(seq, events.encode(events.shove(one_more)))
    if fold.view == before:
        return  # not allowed now
    fold.event(seq + 1, events.encode(events.undo()))
    now = replace(fold.view, seq=0, last="", last_disc=-1, ruled=False, badges=[], void=False)
    assert now == replace(before, seq=0, last="", last_disc=-1, ruled=False, badges=[], void=False, sides=now.sides)
    assert [side.marks for side in now.sides] == [side.marks for side in before.sides]
