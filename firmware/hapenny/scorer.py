"""Turns what the tracker saw into events of the game and the journal, and asks people what no sensor can know."""

from hapenny.finding.tracker import GONE
from hapenny.finding.tracks import FAR, NOBODY
from hapenny.rules import events, geometry, setup
from hapenny.rules.game import ASK_CLEAR, ASK_DECIDE, ASK_RECORD, ASK_RETAKE

NO_QUESTION = 0
WHO_MOVED = 1  # discs moved without a shove: yes = the shover touched them, no = somebody else did, or a word below
DECIDE = 2  # a doubt or a heap: yes = it scores, no = it does not
CLEAR_FIRST = 3  # a disc was shoved while old discs lie: take them all off

# further answers to WHO_MOVED
SHOVED = 2  # it was a shove that no sensor saw
UNTOUCHED = 3  # nobody did anything: play goes on

SAME_DISC_HMM = 600  # a disc put back by hand lies this near its place
RIDING_HMM = 2500  # a disc whose centre is nearer than this to another's lies on it
LIFT_HMM = 200  # a raised lift stands out this far on each side of its groove
APART_STEPS = 50  # of 4 hmm (8 along the board): nearer than that two discs are a heap
BEYOND_HMM = 42000  # where a disc is put on record that ran past the far line and out of sight


class Scorer:
    """The game of this board: `game` is the fold, `journal` its events; `question` is what people are asked."""

    def __init__(self, game, journal, tracker, judge, hardware):
        self.game = game
        self.journal = journal
        self.tracker = tracker
        self.judge = judge
        self.hardware = hardware
        self.question = NO_QUESTION
        self.by = -1  # who shoves next, when the host knows better than the order of play
        self.putting_back = False  # people bring the discs to where the game has them: that is no touch
        self.owner = []  # of each disc of the picture: its number in game.state.discs, -1 if the game does not count it
        self.told = ()  # discs as they stood after people's last word, which holds until a disc moves
        self.outcome = None
        self.changed = True

    def resume(self):
        """Plays the journal's match again after power-up."""
        for _, data in self.journal.match_events():
            self.game.do(events.decode(data))

    # Events

    def do(self, event):
        """One event: into the game, then into the journal. Returns the refusal code, "" when done."""
        starts = event[0] == events.START
        outcome = self.game.do(event)
        if outcome.refused:
            return outcome.refused
        if starts:
            self.journal.begin_match()
        self.journal.append(events.sealed(outcome.coded or events.body(event)))
        self.outcome = outcome
        self.question = NO_QUESTION
        self.relate()
        # the game has a disc where none lies (a struck one goes back, an undo, a choice): people will put it there
        self.putting_back = len([i for i in self.owner if i >= 0]) < len(self.game.state.discs)
        self.ask()
        self.changed = True
        return ""

    def propose(self, event):
        """An event from a person; a touch or an interference without places means the discs as they lie now."""
        kind = event[0]
        if kind == events.TOUCH and event == events.touch(event[1]):
            event = events.touch(event[1], self.living())
        code = self.do(event)
        if not code and kind in (events.START, events.UNDO, events.CHOOSE, events.CORRECT, events.OVERRULE):
            self.by = -1
        self.told = self.game.state.discs
        return code

    def ask(self):
        """Puts the question that the game waits for."""
        if self.question == NO_QUESTION and self.game.asks() & ASK_DECIDE and self.game.undecided():
            self.question = DECIDE

    def answer(self, yes):
        """A person answers the question: True, False or a further answer; returns the refusal code."""
        if yes > UNTOUCHED:
            return "not_allowed"
        if self.question == WHO_MOVED:
            if yes == SHOVED:
                self.tracker.shoved = self.owner.index(-1) if -1 in self.owner else GONE
                return self.shove()
            if yes == UNTOUCHED:
                self.question = NO_QUESTION
                self.changed = True
                self.ask()
                return ""
            here = self.living()
            return self.do(events.touch(-1, here) if yes else events.interfere(here))
        if self.question == DECIDE:
            return self.do(events.decide(self.game.undecided()[0], yes))
        return "not_allowed"

    def next(self):
        """The third button: it was a shove, start a match, take the score as it stands, a shove that moved no disc."""
        state = self.game.state
        if self.question == WHO_MOVED:
            return self.answer(SHOVED)
        if not state.players or state.winner >= 0:
            return self.do(setup.FRIENDLY)
        if self.game.asks() & (ASK_RECORD | ASK_RETAKE) and state.shoves == 0:
            return self.do(events.record())
        return self.do(events.attempt())

    # Pictures

    def settled(self):
        """A new picture stands: it is shown, whatever came of it."""
        tracker = self.tracker
        state = self.game.state
        owner = self.carried()
        if not state.players:
            self.owner = owner
            return
        if tracker.shoved != NOBODY and not (self.putting_back and self.put_back()):
            self.owner = owner
            self.shove()
            return
        living = len(state.discs)
        if self.putting_back and not (state.old and not tracker.count):
            self.relate()
            return
        gone = [j for j in range(living) if j not in owner]
        moved = [i for i in range(tracker.count) if tracker.moved[i] and owner[i] >= 0]
        self.owner = owner
        if gone and gone == [living - 1] and not moved and self.game.asks() & ASK_RETAKE:
            self.do(events.retake())
        elif living and len(gone) == living:
            self.do(events.clear())
        elif not state.old and (gone or moved):
            self.question = WHO_MOVED

    def put_back(self):
        """Whether the disc that seems to have been shoved was laid where the game wants one."""
        self.relate()
        return self.tracker.shoved >= 0 and self.owner[self.tracker.shoved] >= 0

    def carried(self):
        """Owners of the new picture, from the old picture's."""
        tracker = self.tracker
        owner = []
        for i in range(tracker.count):
            prior = tracker.prior[i]
            owner.append(self.owner[prior] if 0 <= prior < len(self.owner) else -1)
        return owner

    def shove(self):
        """A disc came from the front; returns the refusal code."""
        tracker = self.tracker
        self.putting_back = False
        discs = self.living()
        hit = self.struck()
        gone = tracker.shoved == GONE and tracker.shoved_fate != FAR
        if tracker.shoved != GONE:
            discs.append(self.disc(tracker.shoved, len(discs), discs))
        elif not gone:
            discs.append(events.disc(tracker.gone_x, BEYOND_HMM))
        if self.game.state.groups:
            code = self.do(events.nine(discs, self.by, hit, gone))
        else:
            code = self.do(events.shove(discs, self.by, hit, gone))
        self.by = -1
        if code and self.game.asks() & ASK_CLEAR:
            self.question = CLEAR_FIRST
        return code

    def struck(self):
        """Numbers (from 1) of the game's discs that were moved or pushed off."""
        tracker = self.tracker
        found = []
        for j in range(len(self.game.state.discs)):
            i = self.place_of(j)
            if i < 0 or tracker.moved[i]:
                found.append(j + 1)
        return found

    def place_of(self, j):
        for i in range(len(self.owner)):
            if self.owner[i] == j:
                return i
        return -1

    def living(self):
        """The game's discs as they lie now, in the game's order; those that are gone are left out."""
        found = []
        for j in range(len(self.game.state.discs)):
            i = self.place_of(j)
            if i >= 0:
                known = self.game.state.discs[j]
                held = known in self.told and not known[3] and not self.tracker.moved[i]
                found.append(known[:4] if held else self.disc(i, len(found), found))
        return found

    def disc(self, i, number, listed):
        """Disc i of the picture as the rules take it."""
        tracker = self.tracker
        x, y = tracker.x[i], tracker.y[i]
        k = tracker.found[i]
        verdict = self.judge.verdict[k]
        inside = x
        doubt = verdict == geometry.DOUBTED
        if doubt:  # people are asked where a bed is at stake; else it is what it likely is, or may be retaken
            verdict = self.judge.best[k]
            doubt = verdict < geometry.LINE
            if verdict <= geometry.LINE:
                inside = min(max(x, geometry.LEFT_HMM), geometry.RIGHT_HMM)
        reach = RIDING_HMM
        if verdict != geometry.STACKED:
            x, y = apart(inside, y, listed, inside == x)
            reach = geometry.APART_HMM
        on = self.under(x, y, listed, reach)
        if on or verdict == geometry.STACKED:
            return events.disc(x, y, on)
        if geometry.verdict(x, y) != verdict and not doubt:
            x, y = geometry.settle(x, y, verdict, 200)
        return events.disc(x, y, 0, self.lifted(y), doubt)

    def under(self, x, y, listed, reach):
        """Bitmask of the listed discs that a disc at (x, y) lies on."""
        mask = 0
        for j in range(len(listed)):
            dx, dy = listed[j][0] - x, listed[j][1] - y
            if -reach < dx < reach and -reach < dy < reach and dx * dx + dy * dy < reach * reach:
                mask |= 1 << j
        return mask

    def lifted(self, y):
        """Whether a raised lift touches a disc at y."""
        y += geometry.LINE_PITCH_HMM // 2 - geometry.FIRST_LINE_HMM
        line = y // geometry.LINE_PITCH_HMM
        if not 0 <= line <= geometry.BEDS or not self.hardware.lifts() >> line & 1:
            return False
        return abs(y % geometry.LINE_PITCH_HMM - geometry.LINE_PITCH_HMM // 2) < geometry.CLEAR_HMM + LIFT_HMM

    def doubtful_bed(self):
        """The bed of the disc that people are asked about, 0 if it is in none."""
        undecided = self.game.undecided()
        return geometry.bed_of(self.game.state.discs[undecided[0] - 1][1]) if undecided else 0

    def empty_beds(self):
        """Beds in which the game has a disc and none lies: people put it back there."""
        if not self.putting_back or self.game.state.old:
            return ()
        return self.beds_without_discs()  # apart: MicroPython allocates at every call what a comprehension holds

    def beds_without_discs(self):
        discs = self.game.state.discs
        return [geometry.bed_of(discs[j][1]) for j in range(len(discs)) if self.place_of(j) < 0]

    def relate(self):
        """After the game has changed: which disc of the picture is which of the game's, by place."""
        tracker = self.tracker
        discs = self.game.state.discs
        self.owner = [-1] * tracker.count
        for j in range(len(discs)):
            best = SAME_DISC_HMM
            found = -1
            for i in range(tracker.count):
                apart = max(abs(tracker.x[i] - discs[j][0]), abs(tracker.y[i] - discs[j][1]))
                if self.owner[i] < 0 and apart < best:
                    best = apart
                    found = i
            if found >= 0:
                self.owner[found] = j


def apart(x, y, listed, sideways):
    """(x, y), brought clear of the discs listed, two that touch may be read a little too close; `sideways` as well."""
    for other in listed:
        dx, dy = x - other[0], y - other[1]
        for _ in range(APART_STEPS):
            if not geometry.overlap((x, y), other):
                break
            if sideways and abs(dx) >= abs(dy):
                x += 4 if dx > 0 else -4
            else:
                y += 8 if dy > 0 else -8
    return x, y
