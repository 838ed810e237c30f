"""What is true now: the last shove's replay, and versions that grow."""

from hapenny.desktop import agree
from hapenny.rules import events
from hapenny_host.boards.state import StateKeeper
from hapenny_link.conversation import Disc, LinkState, Picture, Received


def received(seq, event):
    return Received("A", 7, 1, seq, events.encode(event), 1000.0)


def test_the_positions_before_a_shove_are_its_replay():
    """Live positions up to a shove event are kept as its replay; the next shove has its own."""
    keeper = StateKeeper()
    keeper.event(received(1, agree.start("encyclopedia", (1, 1))), None)
    for t in range(5):
        keeper.positions(10 + t / 20, [1000, 1000 * t])
    keeper.event(received(2, events.shove([(1000, 11748)])), None)
    assert keeper.state.replay_number == 1 and len(keeper.state.replay) == 5
    assert keeper.state.replay[2][1] == [(10.0, 20.0)]
    keeper.positions(10.5, [2000, 0])
    keeper.event(received(3, events.shove([(1000, 11748), (5000, 11748)])), None)
    assert keeper.state.replay_number == 2 and keeper.state.replay == [(10.5, [(20.0, 0.0)])]


def test_a_pause_begins_a_new_replay_and_it_is_bounded():
    """Positions after a pause belong to another shove; a stream of them does not fill the memory."""
    keeper = StateKeeper()
    keeper.positions(1.0, [1, 2])
    keeper.positions(5.0, [3, 4])
    assert [frame[0] for frame in keeper.frames] == [5.0]
    for t in range(2000):
        keeper.positions(5 + t / 20, [3, 4])
    assert len(keeper.frames) <= 400


def test_every_change_is_a_new_version():
    """Screens notice a new picture by its version."""
    keeper = StateKeeper()
    before = keeper.state
    keeper.picture(Picture("rest", "ok", (Disc(1.0, 2.0, "1", 0.5, 0.1, 0),)))
    assert keeper.state.version > before.version and keeper.state.positions == [(1.0, 2.0)] and before.positions == []


def test_discs_keep_their_places_in_a_replay():
    """A board lists discs as it finds them: the replay follows each by where it was, and one at rest does not shake."""
    keeper = StateKeeper()
    keeper.positions(1.00, [10000, 15000, 20000, 2000])
    keeper.positions(1.05, [20000, 8000, 10100, 15000])
    keeper.positions(1.10, [10000, 15100, 20000, 13000, 30000, 1000])
    assert [[round(y) for _, y in discs] for _, discs in keeper.frames] == [[150, 20], [150, 80], [150, 130, 10]]
    assert all(abs(discs[0][0] - 100) < 0.5 for _, discs in keeper.frames)


def lies(*flat):
    return Picture("rest", "ok", tuple(Disc(*flat[n : n + 2], "1", 0.5, 0.1, 0) for n in range(0, len(flat), 2)))


def test_what_lies_when_a_match_begins_is_of_another():
    """The places are kept; what comes to lie there later, is undone or seen in mid-turn is not."""
    keeper = StateKeeper()
    keeper.picture(lies(100.0, 120.0))
    keeper.event(received(1, agree.start("encyclopedia", (1, 1))), None)
    assert keeper.state.leftovers == ((100.0, 120.0),)
    keeper.picture(lies(200.0, 120.0))
    assert keeper.state.leftovers == ((100.0, 120.0),)
    keeper.event(received(2, events.power_cut()), None)
    assert keeper.state.leftovers == ((100.0, 120.0),)
    keeper.event(received(3, events.shove([(20000, 12000)])), None)
    assert keeper.state.leftovers == ()
    keeper.event(received(4, events.undo()), None)
    assert keeper.state.leftovers == ()
    keeper.event(received(5, agree.start("encyclopedia", (1, 1))), None)
    assert keeper.state.leftovers == ((200.0, 120.0),)


def test_after_a_restart_what_lies_in_a_match_just_begun_is_of_another():
    """The board's first picture tells; later ones, and those in mid-turn, do not."""
    begun = (1, events.encode(agree.start("encyclopedia", (1, 1))))
    keeper = StateKeeper()
    keeper.load("A", 7, [begun], {})
    keeper.picture(lies(100.0, 120.0))
    keeper.picture(lies(200.0, 120.0))
    assert keeper.state.leftovers == ((100.0, 120.0),)
    keeper = StateKeeper()
    keeper.load("A", 7, [begun, (2, events.encode(events.shove([(10000, 12000)])))], {})
    keeper.picture(lies(100.0, 120.0))
    assert keeper.state.leftovers == ()


def test_that_discs_may_lie_which_do_not_count_is_known_until_a_look_finds_none():
    """After an undo or a shove out of turn; later shoves change nothing, a picture of nothing else ends it."""
    keeper = StateKeeper()
    one, two = [(10000, 12000)], [(10000, 12000), (20000, 12000)]
    steps = agree.start("pub", (1, 1)), events.shove(one), events.undo(), events.shove(one), events.shove(two)
    known = []
    for seq, event in enumerate(steps, 1):
        keeper.event(received(seq, event), None)
        known.append(keeper.state.may_differ)
    assert known == [False, False, True, True, True]
    keeper.picture(lies(100.0, 120.0))
    assert keeper.state.may_differ, "one of the game's discs lies nowhere: people put it back"
    keeper.picture(lies(100.0, 120.0, 200.0, 120.0))
    assert not keeper.state.may_differ
    keeper.event(received(6, events.shove([*two, (25000, 12000)], by=2)), None)
    keeper.picture(Picture("moving", "ok", ()))
    assert keeper.state.may_differ and keeper.state.match.last == "Player 2 shoved out of turn"
    keeper.picture(lies(250.0, 120.0))
    assert keeper.state.may_differ
    keeper.picture(lies(100.0, 120.0, 200.0, 120.0))
    assert not keeper.state.may_differ


def test_who_shoves_out_of_turn_is_known_until_the_shove():
    """As people said; a decision in between changes nothing, a board that goes away forgets it."""
    keeper = StateKeeper()
    keeper.event(received(1, agree.start("pub", (1, 1))), None)
    keeper.out_of_turn(2)
    keeper.event(received(2, events.power_cut()), None)
    assert keeper.state.out_of_turn_player == 2
    keeper.event(received(3, events.shove([(10000, 12000)], by=2)), None)
    assert keeper.state.out_of_turn_player == -1
    keeper.out_of_turn(2)
    keeper.link(LinkState(connected=False))
    assert keeper.state.out_of_turn_player == -1
