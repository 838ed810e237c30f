"""Order of play (RULES A3, F23): a disc each for bed 9, or a dart each at the bull."""

from hapenny.rules import events, geometry, lying, setup

# A shot is (side, rank of its offence or 0, how it lies, distance): by all but the side, the best comes first.
IN_NINE, ALIVE, GONE = 0, 1, 2
LAST = 1 << 14  # the rank of a side that is out


def open_order(state):
    """Begin with the sides as listed; with `nine_bed` or `bull` they first shove (throw) for their places."""
    state.order = list(range(len(state.players)))
    state.places = []
    state.shots = []
    state.nines = 0
    state.owners = []
    state.offenders = 0
    state.discs = []
    state.old = 0
    state.limit = 0
    state.groups = [] if state.opts[setup.ORDER] == setup.GIVEN else [list(state.order)]
    go_on(state)


def as_it_stands(state):
    """Nobody cared to shove for the order of play: the sides play as listed."""
    if state.groups:
        state.groups = []
        go_on(state)


def go_on(state):
    """Make the side due next be in turn, or the first in order once all places are known."""
    while state.groups:
        group = tied(state)
        if group is None:
            known(state)
        else:
            left = [side for side in group if side not in [s[0] for s in state.shots]]
            if left and state.is_in(left[0]):
                state.seat = left[0]
                state.shoves = 1
                return
            if left:
                state.shots.append((left[0], LAST, GONE, left[0]))
            else:
                share(state, group)
    state.shoves = state.opts[setup.SHOVES]
    state.seat = [side for side in state.order if state.is_in(side)][0]


def tied(state):
    """The first group that still has to share out its places, or None."""
    for group in state.groups:
        if len(group) > 1:
            return group
    return None


def share(state, group):
    """All of `group` have shot: part it by how good they were. Equals clear the board and shoot again."""
    shots = state.shots
    # MicroPython's sort keeps no order among equals: their place in the listed order goes with them
    ranked = [shots[key[-1]] for key in sorted([rank(shots[i]) + (i,) for i in range(len(shots))])]
    parts = []
    for i, shot in enumerate(ranked):
        if i and rank(shot) == rank(ranked[i - 1]):
            parts[-1].append(shot[0])
        else:
            parts.append([shot[0]])
        if shot[1]:
            state.offenders |= 1 << shot[0]
    place = state.groups.index(group)
    state.groups[place : place + 1] = parts
    state.shots = []
    if tied(state) is not None:
        state.discs = []
        state.owners = []


def rank(shot):
    return shot[1:]


def known(state):
    """All places are known: that is the order unless the best placed chooses another place."""
    state.places = [group[0] for group in state.groups]
    state.order = list(state.places)
    while state.limit < len(state.players) and not state.offenders >> state.order[state.limit] & 1:
        state.limit += 1
    state.groups = []
    state.owners = []
    state.old = 2 if state.discs else 0


def nine(state, event, out):
    """A disc shoved for bed 9."""
    _, by, discs, hit, gone = event
    if by not in (-1, state.player()):
        return "not_your_turn"
    if not state.groups or state.opts[setup.ORDER] != setup.NINE_BED:
        return "not_allowed"
    before = state.discs
    wrong_hit = hit is not None and any([not 1 <= h <= len(before) for h in hit])
    if wrong_hit or not (discs or gone) or lying.bad_list(discs, len(before) + (0 if gone else 1)):
        return "bad_position"
    struck = len(hit) > 0 if hit is not None else strikes(state, discs, gone)
    kept = lying.carry(before, discs)
    out.verdicts = lying.verdicts(state, kept)
    word = geometry.OFF if gone else out.verdicts[-1]
    stays = not gone and not lying.is_dead(state, word)
    lie(state, kept, gone, stays, struck)
    shot(state, struck, *quality(word, stays, 0 if gone else kept[-1][1]))
    return ""


def strikes(state, discs, gone):
    """Whether a disc was moved; the disc of an offender may also have been taken off."""
    moved = lying.moved(state.discs, discs)
    unexplained = len(discs) - (0 if gone else 1) - (len(state.discs) - len(moved))
    offenders = [s[0] for s in state.shots if s[1]]
    return len(moved) > 0 and (unexplained > 0 or any([state.owners[i] not in offenders for i in moved]))


def lie(state, kept, gone, stays, struck):
    """Struck discs go back, the new one lies where it came to rest; what was taken off is off."""
    places = list(range(len(state.discs)))
    if not gone and not struck:
        off = lying.moved(state.discs, kept)
        places = [i for i in places if i not in off]
    state.discs = lying.select(state.discs, places)
    state.owners = [state.owners[i] for i in places]
    if stays:
        state.discs.append(kept[-1][:3] + (0, lying.UNDECIDED))
        state.owners.append(state.seat)


def quality(word, stays, y):
    if not stays:
        return GONE, 0
    return (IN_NINE if word == 9 else ALIVE), geometry.from_nine(y)


def shot(state, struck, how, distance):
    state.nines += 1
    state.shots.append((state.seat, state.nines, GONE, 0) if struck else (state.seat, 0, how, distance))
    go_on(state)


def bull(state, hit):
    """A dart thrown at the bull: the bull, its ring, any number, a miss."""
    if hit == 0:
        shot(state, False, 3, 0)
    else:
        shot(state, False, (events.BULL, events.OUTER, hit).index(hit), 0)


def choose(state, place):
    """The best placed plays at `place` instead, though not behind an offender."""
    if state.started or not state.places or not 1 <= place <= state.limit:
        return "not_allowed"
    state.order = state.places[1:place] + state.places[:1] + state.places[place:]
    go_on(state)
    return ""
