"""What is true now: the last shove's replay, and versions that grow."""

from hapenny.desktop import agree
from hapenny.rules import events
from hapenny_host.boards.state import Live
from hapenny_link.conversation import Disc, LinkState, Picture, Received


def received(seq, event):
    return Received("A", 7, 1, seq, events.encode(event), 1000.0)


def test_the_positions_before_a_shove_are_its_replay():
    """Live positions up to a shove event are kept as its replay; the next shove has its own."""
    live = Live()
    live.event(received(1, agree.start("encyclopedia", (1, 1))), None)
    for t in range(5):
        live.positions(10 + t / 20, [1000, 1000 * t])
    live.event(received(2, events.shove([(1000, 11748)])), None)
    assert live.now.replay_number == 1 and len(live.now.replay) == 5
    assert live.now.replay[2][1] == [(10.0, 20.0)]
    live.positions(10.5, [2000, 0])
    live.event(received(3, events.shove([(1000, 11748), (5000, 11748)])), None)
    assert live.now.replay_number == 2 and live.now.replay == [(10.5, [(20.0, 0.0)])]


def test_a_pause_begins_a_new_replay_and_it_is_bounded():
    """Positions after a pause belong to another shove; a stream of them does not fill the memory."""
    live = Live()
    live.positions(1.0, [1, 2])
    live.positions(5.0, [3, 4])
    assert [frame[0] for frame in live.frames] == [5.0]
    for t in range(2000):
        live.positions(5 + t / 20, [3, 4])
    assert len(live.frames) <= 400


def test_every_change_is_a_new_version():
    """Screens notice a new picture by its version."""
    live = Live()
    before = live.now
    live.picture(Picture("rest", "ok", (Disc(1.0, 2.0, "1", 0.5, 0.1, 0),)))
    assert live.now.version > before.version and live.now.positions == [(1.0, 2.0)] and before.positions == []


def test_discs_keep_their_places_in_a_replay():
    """A board lists discs as it finds them: the replay follows each by where it was, and one at rest does not shake."""
    live = Live()
    live.positions(1.00, [10000, 15000, 20000, 2000])
    live.positions(1.05, [20000, 8000, 10100, 15000])
    live.positions(1.10, [10000, 15100, 20000, 13000, 30000, 1000])
    assert [[round(y) for _, y in discs] for _, discs in live.frames] == [[150, 20], [150, 80], [150, 130, 10]]
    assert all(abs(discs[0][0] - 100) < 0.5 for _, discs in live.frames)


def lies(*flat):
    return Picture("rest", "ok", tuple(Disc(*flat[n : n + 2], "1", 0.5, 0.1, 0) for n in range(0, len(flat), 2)))


def test_what_lies_when_a_match_begins_is_of_another():
    """The places are kept; what comes to lie there later, is undone or seen in mid-turn is not."""
    live = Live()
    live.picture(lies(100.0, 120.0))
    live.event(received(1, agree.start("encyclopedia", (1, 1))), None)
    assert live.now.left == ((100.0, 120.0),)
    live.picture(lies(200.0, 120.0))
    assert live.now.left == ((100.0, 120.0),)
    live.event(received(2, events.power_cut()), None)
    assert live.now.left == ((100.0, 120.0),)
    live.event(received(3, events.shove([(20000, 12000)])), None)
    assert live.now.left == ()
    live.event(received(4, events.undo()), None)
    assert live.now.left == ()
    live.event(received(5, agree.start("encyclopedia", (1, 1))), None)
    assert live.now.left == ((200.0, 120.0),)


def test_after_a_restart_what_lies_in_a_match_just_begun_is_of_another():
    """The board's first picture tells; later ones, and those in mid-turn, do not."""
    begun = (1, events.encode(agree.start("encyclopedia", (1, 1))))
    live = Live()
    live.load("A", 7, [begun], {})
    live.picture(lies(100.0, 120.0))
    live.picture(lies(200.0, 120.0))
    assert live.now.left == ((100.0, 120.0),)
    live = Live()
    live.load("A", 7, [begun, (2, events.encode(events.shove([(10000, 12000)])))], {})
    live.picture(lies(100.0, 120.0))
    assert live.now.left == ()


def test_that_discs_may_lie_which_do_not_count_is_known_until_a_look_finds_none():
    """After an undo or a shove out of turn; later shoves change nothing, a picture of nothing else ends it."""
    live = Live()
    one, two = [(10000, 12000)], [(10000, 12000), (20000, 12000)]
    steps = agree.start("pub", (1, 1)), events.shove(one), events.undo(), events.shove(one), events.shove(two)
    known = []
    for seq, event in enumerate(steps, 1):
        live.event(received(seq, event), None)
        known.append(live.now.uncounted)
    assert known == [False, False, True, True, True]
    live.picture(lies(100.0, 120.0))
    assert live.now.uncounted, "one of the game's discs lies nowhere: people put it back"
    live.picture(lies(100.0, 120.0, 200.0, 120.0))
    assert not live.now.uncounted
    live.event(received(6, events.shove([*two, (25000, 12000)], by=2)), None)
    live.picture(Picture("moving", "ok", ()))
    assert live.now.uncounted and live.now.match.last == "Player 2 shoved out of turn"
    live.picture(lies(250.0, 120.0))
    assert live.now.uncounted
    live.picture(lies(100.0, 120.0, 200.0, 120.0))
    assert not live.now.uncounted


def test_who_shoves_out_of_turn_is_known_until_the_shove():
    """As people said; a decision in between changes nothing, a board that goes away forgets it."""
    live = Live()
    live.event(received(1, agree.start("pub", (1, 1))), None)
    live.out_of_turn(2)
    live.event(received(2, events.power_cut()), None)
    assert live.now.by == 2
    live.event(received(3, events.shove([(10000, 12000)], by=2)), None)
    assert live.now.by == -1
    live.out_of_turn(2)
    live.link(LinkState(connected=False))
    assert live.now.by == -1
