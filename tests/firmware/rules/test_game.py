"""The engine's front door: exact undo, refusals that change nothing, and games that can always end."""

from random import Random

import pytest
from both_rules import Both
from hapenny.desktop import agree, exact
from hapenny.rules import events, game, geometry, score, setup
from hapenny.rules.game import Game
from hapenny.rules.state import State
from hapenny_sim.scenario.steps import REFUSALS
from hypothesis import given, settings
from hypothesis import strategies as st
from random_events import anything

MIDDLE = [10160 + 3175 * bed + 1587 for bed in range(9)]


def started(preset="encyclopedia", players=(1, 1), **agreed):
    new = Game()
    assert new.do(agree.start(preset, players, **agreed)).refused == ""
    return new


def shove_all(match, *beds):
    """Shove a disc into each of `beds` (1 to 9)."""
    for count in range(1, len(beds) + 1):
        discs = [(5000 + 2600 * i, MIDDLE[beds[i] - 1]) for i in range(count)]
        assert match.do(events.shove(discs)).refused == ""


@given(st.lists(anything, max_size=12), st.integers(0, 3))
@settings(max_examples=150)
def test_any_event_is_accepted_or_refused_with_a_known_code_and_nothing_changed(happenings, kind):
    presets = [("encyclopedia", (1, 2)), ("pub", (1, 1, 1)), ("darts", (1, 1)), ("timed", (2, 2))]
    match = started(*presets[kind], options={"order": "given"})
    for event in happenings:
        before = exact.whole(match.state)
        refused = match.do(event).refused
        assert refused == "" or refused in REFUSALS
        assert not refused or exact.whole(match.state) == before


def test_without_a_match_everything_but_a_start_is_refused():
    match = Game()
    assert match.do(events.shove([(18000, 20000)])).refused == "not_allowed"
    assert match.do(events.undo()).refused == "not_allowed"
    assert match.do(events.power_cut()).refused == ""
    assert match.asks() == 0 and match.state.player() == -1


@pytest.mark.parametrize(
    ("preset", "players", "agreed"),
    [
        ("encyclopedia", (1, 1, 1), {}),
        ("quick", (1, 1, 1), {}),
        ("pub", (1,), {}),
        ("pub", (1,) * 9, {}),
        ("pub", (1, 3), {}),
        ("billiards", (1, 1), {}),
        ("pub", (1, 1), {"options": {"claim": "claim", "excess": "next"}}),
        ("darts", (1, 1), {"options": {"order": "nine_bed"}}),
        ("darts", (1, 1), {"options": {"stack": "void"}}),
        ("pub", (1, 1), {"options": {"order": "bull"}}),
        ("pub", (1, 1), {"options": {"turns": 100}}),
        ("timed", (1, 1), {"options": {"turns": 0}}),
        ("pub", (1, 1), {"options": {"target": 0}}),
        ("pub", (1, 1), {"options": {"target": True}}),
        ("pub", (1, 1), {"options": {"lifts": 1}}),
        ("pub", (1, 1), {"options": {"beds": []}}),
        ("pub", (1, 1), {"options": {"beds": [1, 1]}}),
        ("pub", (1, 1), {"options": {"wood": "slate"}}),
        ("pub", (1, 1), {"handicaps": [13, 0]}),
        ("pub", (1, 1), {"handicaps": [-10, 0]}),
        ("pub", (1, 1), {"handicaps": [1]}),
        ("timed", (1, 1), {"handicaps": [-1, 0]}),
        ("quick", (1, 1), {"handicaps": [9, 0]}),
        ("pub", (1, 1), {"marks": {0: [4] + [0] * 8}}),
        ("pub", (1, 1), {"marks": {0: [3] * 9}}),
        ("pub", (1, 1), {"marks": {2: [1] * 9}}),
    ],
)
def test_a_match_that_cannot_be_is_refused_with_a_sentence(preset, players, agreed):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        agree.start(preset, players, **agreed)


def test_a_damaged_start_is_refused_by_the_engine_itself():
    start = agree.start("encyclopedia", (1, 1))
    for damaged in (
        (start[0], b"\x01", *start[2:]),
        (start[0], start[1], b"", *start[3:]),
        (*start[:2], bytes([9]) + start[2][1:], *start[3:]),
        (*start[:2], start[2][:-1] + bytes([128 + 100]), *start[3:]),
        (*start[:3], b"\x80\x00", start[4]),
        (*start[:4], b"\x05" + bytes(5)),
        (*start[:4], b"\x00"),
    ):
        match = Game()
        assert match.do(damaged).refused == "not_allowed"
        assert match.state.sides == 0


def test_turns_of_an_older_journal_hold_in_a_timed_game_alone():
    """Starts written before `turns` belonged to every preset carry its usual 10, which meant nothing but in `timed`."""
    old = {"encyclopedia": "00000000000000000003ff010500000a", "pub": "01010101010100010103ff010500000a",
           "darts": "02000000000200000203ff010300000a", "timed": "05000000000000000003ff010500000a"}  # fmt: skip
    for preset, data in old.items():
        assert agree.start(preset, (1, 1))[2] == bytes.fromhex(data)
        assert setup.turns(bytes.fromhex(data)) == (10 if preset == "timed" else 0)
    seven = (events.START, b"\x01\x01", bytes.fromhex(old["pub"])[:-1] + b"\x07", b"\x80\x80", b"")
    match = Game()
    assert match.do(seven).refused == "" and match.state.quota == 0


def test_turns_can_be_agreed_until_the_first_shove_and_taken_back():
    match = started("encyclopedia")
    for turns in (10, 0, 5):
        assert match.do(agree.options({"turns": turns})).refused == "" and match.state.quota == turns
    match.do(events.undo())
    assert match.state.quota == 0
    assert started("timed").do(agree.options({"turns": 0})).refused == "not_allowed"


def test_undo_back_to_the_start_passes_every_state_again():
    for seed in range(10):
        rng = Random(seed)
        both = Both(rng)
        match = both.engine.game
        past = [exact.whole(match.state)]
        for _ in range(25):
            tape = match.tape.count
            both.step(rng)
            if match.tape.count > tape:
                past.append(exact.whole(match.state))
            elif match.tape.count < tape:
                past.pop()
        while len(past) > 1:
            assert exact.whole(match.state) == past.pop()
            assert match.do(events.undo()).refused == ""
        assert match.do(events.undo()).refused == "nothing_to_undo"
        assert exact.whole(match.state) == past[0]


def test_a_snapshot_and_the_ledger_bring_a_state_back():
    match = started("pub", (1, 1, 2), options={"order": "given"})
    shove_all(match, 9, 9, 9)
    match.do(events.interfere([(5000, MIDDLE[0])]))
    copy = State()
    copy.restore(match.state.snapshot())
    for entry in match.state.ledger.items():
        copy.ledger.append(entry)
    assert exact.whole(copy) == exact.whole(match.state) and copy.saved == match.state.saved


def test_a_journal_with_undos_leads_to_the_very_same_state():
    for seed in range(10):
        rng = Random(1000 + seed)
        both = Both(rng)
        for _ in range(40):
            both.step(rng)
        assert exact.whole(both.engine.recovered().state) == exact.whole(both.engine.game.state)


@pytest.mark.parametrize("seed", range(40))
def test_from_wherever_it_got_to_a_game_can_be_played_to_its_end(seed):
    rng = Random(7000 + seed)
    both = Both(rng)
    for _ in range(30):
        both.step(rng)
    match = both.engine.game
    for _ in range(600):
        if match.state.winner >= 0:
            return
        assert match.do(next_move(match)).refused == ""
    raise AssertionError("the game does not end")


def next_move(match):
    """A sensible move that is allowed in any state of a game that goes on."""
    state = match.state
    asks = match.asks()
    if asks & game.ASK_CHOOSE:
        return events.choose("replace")
    if asks & game.ASK_GIVE:
        able = [s for s in range(state.sides) if s != state.thrower and score.can_take(state, s, state.queue[0])]
        return events.give(able[0] * 2, state.queue[0] + 1)
    darts = state.opts[setup.PRESET] == setup.DARTS
    if asks & game.ASK_NINE:
        better = len(state.shots)  # who shoves first is best: ties part in the end
        if darts:
            return events.dart(["bull", "outer", "20", "miss"][min(better, 3)])
        return events.nine([d[:4] for d in state.discs] + [free(state, MIDDLE[8] + 7 * better)])
    if state.waiting:
        return events.record()
    if asks & game.ASK_CLEAR and state.old == 1:
        return events.clear()
    beds = [bed for bed in range(9) if score.need(state, state.seat, bed)] or [0]
    if darts:
        return events.dart(str(beds[0] + 1))
    lying = [] if state.old else [d[:4] for d in state.discs]
    # where turns are counted only the first side scores: ties must not go on for ever
    wanted = 15 if state.quota and state.seat else MIDDLE[beds[0]]
    return events.shove([*lying, free(state, wanted, lying)], hit=[])


def free(state, y, lying=None):
    """A place at height `y` where no disc lies."""
    discs = state.discs if lying is None else lying
    for x in range(4500, 32300, 50):
        if not any(geometry.overlap((x, y), d) for d in discs):
            return (x, y)
    raise AssertionError("no room")


def test_asks_say_what_the_board_is_waiting_for():
    match = started(explicit=True, options={"shoves": 1})
    match.do(events.shove([(18000, 5000)]))
    assert match.asks() == game.ASK_RECORD | game.ASK_RETAKE
    match.do(events.record())
    assert match.asks() == game.ASK_CLEAR
    match = started("pub", (1, 1), options={"shoves": 1})
    assert match.asks() == game.ASK_NINE
    match.do(events.nine([(18000, 37000)]))
    match.do(events.nine([(18000, 37000), (25000, 30000)]))
    assert match.asks() == game.ASK_CLEAR | game.ASK_PLACE
    match.do(events.shove([events.disc(18000, 12000, doubt=True)]))
    assert match.asks() == game.ASK_DECIDE and match.undecided() == [1]
    match.do(events.interfere([events.disc(18000, 19000)]))
    assert match.asks() & game.ASK_CHOOSE
    match.do(events.choose("replace"))
    match.do(events.decide(1, True))
    assert match.asks() == game.ASK_CLEAR and match.undecided() == []


def test_options_change_everything_that_hangs_on_them():
    match = started(handicaps=[7, -2])
    assert match.do(agree.options({"target": 2, "beds": [1, 2, 3, 4, 5], "shoves": 3})).refused == ""
    assert list(match.state.marks[:9]) == [2, 2, 2, 1, 0, 0, 0, 0, 0]
    assert list(match.state.targets[9:]) == [3, 3, 2, 2, 2, 0, 0, 0, 0]
    assert match.state.shoves_left == 3
    before = exact.whole(match.state)
    for bad in (
        (events.OPTIONS, b"\x00\x01"),
        (events.OPTIONS, b"\x01"),
        (events.OPTIONS, b"\x63\x01"),
        agree.options({"excess": "next", "claim": "claim"}),
        agree.options({"order": "bull"}),
        agree.options({"target": 1, "beds": [1]}),
    ):
        assert match.do(bad).refused == "not_allowed"
        assert exact.whole(match.state) == before


def test_each_of_seven_opponents_gets_each_extra():
    match = started("pub", (1,) * 8, options={"order": "given", "excess": "each"})
    shove_all(match, 9, 9, 9, 9, 9)
    assert [match.state.marks[side * 9 + 8] for side in range(8)] == [3, 2, 2, 2, 2, 2, 2, 2]
