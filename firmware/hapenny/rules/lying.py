"""The discs lying on the board: what may be listed, what moved, and the verdict of each.

A listed disc is (x, y, flags, on); one in the state carries a person's decision too: (x, y, flags, on, decision).
"""

from hapenny.rules import events, geometry, setup

UNDECIDED, SCORES, TOUCHES = 0, 1, 2  # decisions


def bad_list(discs, most):
    """Whether discs cannot lie like this: too many, off the board, or in each other without a heap."""
    count = len(discs)
    if count > most or count > events.MAX_DISCS:
        return True
    for i, disc in enumerate(discs):
        if not geometry.on_board(disc[0], disc[1]) or disc[3] >> count or disc[3] >> i & 1 or disc[2] & ~3:
            return True
    return collide(discs)


def collide(discs):
    """Whether two discs are in the same place without being in the same heap."""
    apart = geometry.APART_HMM
    for i in range(1, len(discs)):
        disc, x = discs[i], discs[i][0]
        close = [j for j in range(i) if -apart < x - discs[j][0] < apart and geometry.overlap(disc, discs[j])]
        if close:
            heaps = heap_of_each(discs)
            if any([heaps[j] != heaps[i] for j in close]):
                return True
    return False


def heap_of_each(discs):
    """A number for each disc, the same for discs that lie on each other, directly or not."""
    heaps = list(range(len(discs)))
    for i, disc in enumerate(discs):
        for j in range(len(discs)):
            if disc[3] >> j & 1 and heaps[i] != heaps[j]:
                gone = heaps[j]
                heaps = [heaps[i] if h == gone else h for h in heaps]
    return heaps


def pair(before, discs):
    """For each of `discs` the place of the disc in `before` at the very same position, -1 if there is none."""
    used = 0
    places = []
    for n, disc in enumerate(discs):
        found = n  # most discs lie where they lay
        if n >= len(before) or used >> n & 1 or before[n][0] != disc[0] or before[n][1] != disc[1]:
            found = find(before, disc, used)
        if found >= 0:
            used |= 1 << found
        places.append(found)
    return places


def find(before, disc, used):
    """The first place in `before`, not among the bits of `used`, at the position of `disc`, or -1."""
    for i, old in enumerate(before):
        if old[0] == disc[0] and old[1] == disc[1] and not used >> i & 1:
            return i
    return -1


def moved(before, discs):
    """Places in `before` of the discs whose positions are no longer listed."""
    still = pair(before, discs)
    return [i for i in range(len(before)) if i not in still]


def carry(before, discs):
    """`discs` as the state keeps them: what was decided of a disc holds until it moves."""
    still = pair(before, discs)
    kept = []
    for i, disc in enumerate(discs):
        kept.append((disc[0], disc[1], disc[2], disc[3], before[still[i]][4] if still[i] >= 0 else UNDECIDED))
    return kept


def plain_verdict(state, discs, i):
    """The verdict of disc `i` as if nobody had decided anything."""
    x, y, flags, on = discs[i][:4]
    place = geometry.verdict(x, y)
    if place in (geometry.OVER, geometry.SHORT, geometry.WIDE):
        return place
    if on or any([d[3] >> i & 1 for d in discs]):
        return geometry.STACKED
    if flags & events.LIFT and state.opts[setup.LIFTS]:
        return geometry.LIFTED
    return geometry.DOUBTED if flags & events.DOUBT else place


def verdict(state, discs, i):
    """The verdict of disc `i` of `discs` (as the state keeps them)."""
    plain = plain_verdict(state, discs, i)
    if discs[i][4] == UNDECIDED or plain in (geometry.OVER, geometry.SHORT, geometry.WIDE):
        return plain
    return geometry.bed_of(discs[i][1]) if discs[i][4] == SCORES else geometry.LINE


def verdicts(state, discs):
    """The verdict of each of `discs`."""
    below = 0
    for disc in discs:
        below |= disc[3]
    words = []
    for i, disc in enumerate(discs):
        if disc[2] or disc[3] or disc[4] or below >> i & 1:
            words.append(verdict(state, discs, i))
        else:
            words.append(geometry.verdict(disc[0], disc[1]))
    return words


def is_dead(state, word):
    return word == geometry.OVER or (word == geometry.WIDE and state.opts[setup.WIDE] == setup.DEAD)


def select(discs, places):
    """The discs at `places`, in that order; who lay on one that is not among them lies on it no more."""
    kept = []
    for i in places:
        on = 0
        for new, old in enumerate(places):
            on |= (discs[i][3] >> old & 1) << new
        kept.append((discs[i][0], discs[i][1], discs[i][2], on, discs[i][4]))
    return kept


def without(discs, places):
    return select(discs, [i for i in range(len(discs)) if i not in places])


def alive(state, discs, words):
    """`discs` without the dead, given their verdicts."""
    dead = [i for i in range(len(discs)) if is_dead(state, words[i])]
    return without(discs, dead) if dead else discs


def decidable(state, discs, i):
    """Whether disc `i` is a case for a person: in doubt, or in a heap where the referee judges those."""
    plain = plain_verdict(state, discs, i)
    if plain == geometry.DOUBTED:
        return state.opts[setup.DOUBT] == setup.ASK
    return plain == geometry.STACKED and state.opts[setup.STACK] == setup.REFEREE


def undecided(state, words):
    """Places of the discs, given their verdicts, on which a person's word is still out."""
    if not words or max(words) < geometry.STACKED:
        return []
    ask = state.opts[setup.DOUBT] == setup.ASK
    judge = state.opts[setup.STACK] == setup.REFEREE
    found = []
    for i, word in enumerate(words):
        if (word == geometry.DOUBTED and ask) or (word == geometry.STACKED and judge):
            found.append(i)
    return found


def counts(words):
    """How many discs are wholly in each bed."""
    found = bytearray(geometry.OFF + 1)
    for word in words:
        found[word] += 1
    return found[1:10]
