"""A second model of the rules: slow, plain, from the seeds and RULES.md, sharing no code with the engine.

Players have names, everything is a dict or a list, nothing is clever. Marks are never kept: they are counted again
from all that ever happened whenever somebody asks. Undo puts a whole copy back.
"""

from __future__ import annotations

import copy
from typing import Any

TABLE: dict[str, tuple[Any, Any, Any]] = {
    #               S0             S1                S4
    "short": ("retake", "one_attempt", None),
    "wide": ("dead", "unscored", None),
    "stack": ("void", "referee", None),
    "lifts": (False, True, None),
    "excess": ("opponent", "each", "next"),
    "claim": ("auto", "auto", "auto"),
    "touch_window": ("until_fifth", "until_recorded", None),
    "order": ("given", "nine_bed", "bull"),
    "target": (3, 3, 3),
    "beds": (list(range(1, 10)), list(range(1, 10)), list(range(1, 10))),
    "shoves": (5, 5, 3),
    "doubt": ("ask", "ask", None),
}
BEDS = range(1, 10)


def options_of(preset: str, changes: dict[str, Any]) -> dict[str, Any]:
    column = {"pub": 1, "darts": 2}.get(preset, 0)
    found = {name: values[column] for name, values in TABLE.items()}
    found["turns"] = 10 if preset == "timed" else 0
    if preset == "quick":
        found["target"] = 1
    if preset == "pushpenny":
        found["shoves"] = 3
    return found | changes


class Refused(Exception):
    """The step is turned down with this code."""


def place_verdict(x: int, y: int) -> Any:
    """What the position says, straight from the page: grooves 80 wide, discs 1270 in radius."""
    lines = [10160 + 3175 * n for n in range(10)]
    if y >= 40045:
        return "over"
    if y <= 8850:
        return "short"
    if x < 4485 or x > 32345:
        return "wide"
    if any(abs(y - line) < 1310 for line in lines):
        return "line"
    return next(bed for bed in BEDS if lines[bed - 1] < y < lines[bed])


def centre_bed(y: int) -> int:
    for bed in BEDS:
        low = 10160 + 3175 * (bed - 1)
        if low <= y < low + 3175:
            return bed
    return 0


class Plain:
    """One match, driven by scenario steps: `do(what, keys)` returns (refusal, what a scenario may expect)."""

    def __init__(self, sides, preset, options, handicaps, start, explicit=False):
        self.names = [side[0] for side in sides]
        self.members = {side[0]: list(side) for side in sides}
        self.preset = preset
        self.changes = dict(options)
        self.options = options_of(preset, self.changes)
        self.handicaps = dict(handicaps)
        self.begin = copy.deepcopy(start)
        self.explicit = explicit
        # what happened that marks depend on, in order
        self.story: list[dict[str, Any]] = []
        # the flow of play
        self.order = list(self.names)
        self.misses = {name: 0 for name in self.names}
        self.offended: set[str] = set()
        self.side = self.names[0]
        self.left = self.options["shoves"]
        self.lying: list[dict[str, Any]] = []
        self.left_over = ""  # "turn" or "nine": whose discs still lie
        self.begun = False
        self.in_play = False
        self.may_retake = False
        self.badges_given = False
        self.before_trouble: list[dict[str, Any]] | None = None
        self.nine: dict[str, Any] | None = None
        self.placing: list[str] = []
        self.offenders: list[str] = []
        self.past: list[dict[str, Any]] = []
        if self.options["order"] != "given":
            self.open_nine()

    # ---- asking -----------------------------------------------------------------------------------------------

    def target(self, side, bed):
        if bed not in self.options["beds"]:
            return 0
        plus = -self.handicaps.get(side, 0)
        return self.options["target"] + (1 if bed <= plus else 0)

    def first_marks(self, side):
        marks = dict.fromkeys(BEDS, 0)
        if self.preset == "timed":
            return marks
        for bed in BEDS:
            marks[bed] = 0
        points = max(0, self.handicaps.get(side, 0))
        for bed in BEDS:
            while points and marks[bed] < self.target(side, bed):
                marks[bed] += 1
                points -= 1
        if side in self.begin:
            marks = {bed: self.begin[side][bed - 1] for bed in BEDS}
        return marks

    def tally(self):
        """Count the whole story again."""
        return Tally(self).count()

    def player(self, tally):
        if tally.winner:
            return ""
        members = self.members[self.side]
        return members[tally.turns[self.side] % len(members)]

    def side_of(self, player):
        for side, members in self.members.items():
            if player in members:
                return side
        raise Refused("unknown_side")

    def verdict(self, discs, i):
        disc = discs[i]
        place = place_verdict(disc["x"], disc["y"])
        if place in ("over", "short", "wide"):
            return place
        if "decided" in disc:
            return centre_bed(disc["y"]) if disc["decided"] else "line"
        return self.sensed(discs, i)

    def sensed(self, discs, i):
        """The verdict as long as nobody has decided."""
        disc = discs[i]
        place = place_verdict(disc["x"], disc["y"])
        if place in ("over", "short", "wide"):
            return place
        if disc["on"] or any(i + 1 in other["on"] for other in discs):
            return "stacked"
        if disc["lift"] and self.options["lifts"]:
            return "lift"
        return "doubt" if disc["doubt"] else place

    def verdicts(self, discs):
        return [self.verdict(discs, i) for i in range(len(discs))]

    def dead(self, verdict):
        return verdict == "over" or (verdict == "wide" and self.options["wide"] == "dead")

    def open_case(self, discs, i):
        """Whether a person may decide on this disc."""
        sensed = self.sensed(discs, i)
        if sensed == "doubt":
            return self.options["doubt"] == "ask"
        return sensed == "stacked" and self.options["stack"] == "referee"

    def undecided(self):
        return any(self.open_case(self.lying, i) and "decided" not in d for i, d in enumerate(self.lying))

    def waiting(self):
        return self.in_play and self.left == 0 and self.preset != "darts"

    # ---- doing ------------------------------------------------------------------------------------------------

    def do(self, what, keys):
        backup = copy.deepcopy({k: v for k, v in self.__dict__.items() if k != "past"})
        self.out = {"verdicts": None, "badges": [], "void": False, "given": {}, "last": None}
        refused = ""
        try:
            self.perform(what, keys)
        except Refused as code:
            self.__dict__.update(backup)
            refused = str(code)
            self.out = {"verdicts": None, "badges": [], "void": False, "given": {}, "last": None}
        if not refused and what not in ("undo", "power_cut"):
            self.past.append(backup)
        return refused, self.report()

    def perform(self, what, keys):
        for key in ("by", "to"):
            if key in keys:
                self.side_of(keys[key])
        if what == "overrule":
            for name in [*keys.get("marks", {}), *([keys["winner"]] if "winner" in keys else [])]:
                self.side_of(name)
        over = self.tally().winner
        if over and what not in ("clear", "undo", "overrule", "correct", "power_cut"):
            raise Refused("game_over")
        getattr(self, "do_" + what)(**keys)

    def report(self):
        tally = self.tally()
        out = self.out
        words = out["verdicts"] if out["verdicts"] is not None else self.verdicts(self.lying)
        got = {
            "marks": {s: [tally.marks[s][bed] for bed in BEDS] for s in self.names},
            "points": dict(tally.points),
            "turn": self.player(tally),
            "shoves_left": 0 if tally.winner else self.left,
            "winner": tally.winner,
            "order": list(self.order),
            "verdicts": words,
            "extras": {s: row for s, row in out["given"].items() if any(row)},
            "badges": out["badges"],
            "void": out["void"],
        }
        if out["last"] is not None:
            got["last"] = {"disc": out["last"][0], "verdict": out["last"][1]}
        return got

    def tell(self, entry):
        """Add to the story; what it gave to others counts for this step."""
        before = self.tally()
        self.story.append(entry)
        after = self.tally()
        for side in self.names:
            row = [after.gifts[side][bed] - before.gifts[side][bed] for bed in BEDS]
            old = self.out["given"].get(side, [0] * 9)
            self.out["given"][side] = [a + b for a, b in zip(old, row, strict=True)]
        return after

    # -- checks on what is listed

    def check_discs(self, discs, most):
        if len(discs) > min(most, 15):
            raise Refused("bad_position")
        for disc in discs:
            if not (0 <= disc["x"] <= 36830 and 0 <= disc["y"] <= 61000):
                raise Refused("bad_position")
        group = list(range(len(discs)))
        for _ in discs:
            for i, disc in enumerate(discs):
                for j in disc["on"]:
                    low = min(group[i], group[j - 1])
                    group[i] = group[j - 1] = low
        for i, a in enumerate(discs):
            for j, b in enumerate(discs):
                near = (a["x"] - b["x"]) ** 2 + (a["y"] - b["y"]) ** 2 < 2538**2
                if i < j and near and group[i] != group[j]:
                    raise Refused("bad_position")

    def partners(self, before, discs):
        """For each old disc the number of the new one at the same place, or None.

        Where two discs are in the very same place, one that keeps its number in the list is the same disc.
        """
        found = [None] * len(before)
        for n, new in enumerate(discs):
            same = [i for i, old in enumerate(before) if (old["x"], old["y"]) == (new["x"], new["y"])]
            free = [i for i in same if found[i] is None]
            if free:
                found[n if n in free else free[0]] = n
        return found

    def with_decisions(self, before, discs):
        new = copy.deepcopy(discs)
        for old, n in zip(before, self.partners(before, discs), strict=True):
            if n is not None and "decided" in old:
                new[n]["decided"] = old["decided"]
        return new

    def keep(self, discs, wanted):
        """Only some of the discs, by place, with `on` renumbered."""
        renumber = {old + 1: new + 1 for new, old in enumerate(wanted)}
        kept = []
        for i in wanted:
            disc = copy.deepcopy(discs[i])
            disc["on"] = [renumber[n] for n in disc["on"] if n in renumber]
            kept.append(disc)
        return kept

    def living(self, discs):
        words = self.verdicts(discs)
        return self.keep(discs, [i for i, word in enumerate(words) if not self.dead(word)])

    # -- B. shoving

    def ready_for_shove(self):
        if self.preset == "darts" or self.before_trouble is not None or self.tally().pending:
            raise Refused("not_allowed")
        if self.left_over == "turn" or (self.nine is not None and self.nine["begun"]):
            raise Refused("not_allowed")

    def start_play(self):
        if self.nine is not None:  # nobody shoved for it
            self.nine = None
            self.left = self.options["shoves"]
            self.side = next(s for s in self.order if s not in self.tally().out)
        self.begun = True
        if self.left_over == "nine":
            self.lying, self.left_over = [], ""

    def do_shove(self, discs, by=None, hit=None, gone=False):
        by_side = self.side_of(by) if by else self.side
        if by_side == self.side and by and by != self.player(self.tally()):
            raise Refused("not_your_turn")
        if self.waiting():
            raise Refused("no_shoves_left")
        self.ready_for_shove()
        before = [] if self.left_over == "nine" else self.lying
        if hit and any(h > len(before) or h < 1 for h in hit):
            raise Refused("bad_position")
        self.check_discs(discs, len(before) + (0 if gone else 1))
        self.start_play()
        before = self.lying
        new = self.with_decisions(before, discs)
        words = self.verdicts(new)
        self.out["verdicts"] = words
        self.out["last"] = (0, "off") if gone else (len(words), words[-1])
        gone_places = [n for n, match in enumerate(self.partners(before, discs)) if match is None]
        if self.options["claim"] == "claim":
            self.tell({"what": "lapse", "side": by_side})
        if by_side != self.side:
            self.out_of_turn(by_side, before, new, words, gone)
            return
        struck = gone_places if hit is None else [h - 1 for h in hit]
        on_line = any(abs(before[n]["y"] - 10160) < 1310 for n in struck)
        self.lying = self.living(new)
        self.may_retake = self.out["last"][1] == "short" and not on_line and self.options["short"] == "retake"
        self.shove_used()

    def shove_used(self):
        self.in_play = True
        self.left -= 1
        if self.left == 0:
            if not self.badges_given:
                self.badges_given = True
                beds = [word for word in self.verdicts(self.lying) if word in BEDS]
                if any(beds.count(bed) >= 3 for bed in BEDS):
                    self.out["badges"].append("sergeant")
                if len(beds) == self.options["shoves"] and len(beds) >= 5:
                    self.out["badges"].append("sergeant-major")
            self.maybe_record()

    def do_attempt(self, by=None):
        if by and by != self.player(self.tally()):
            raise Refused("not_your_turn")
        if self.waiting():
            raise Refused("no_shoves_left")
        self.ready_for_shove()
        if self.options["short"] == "one_attempt":
            self.start_play()
            self.shove_used()

    def do_retake(self):
        if not self.may_retake or self.before_trouble is not None:
            raise Refused("not_allowed")
        self.lying = self.keep(self.lying, range(len(self.lying) - 1))
        self.may_retake = False
        self.left += 1

    def do_clear(self):
        if self.tally().pending:
            raise Refused("not_allowed")
        if self.nine is not None:
            self.nine["owners"] = []
        elif not self.tally().winner and not self.left_over:
            if self.waiting() and not self.explicit:
                if self.before_trouble is not None:
                    self.lying, self.before_trouble = self.before_trouble, None
                self.record()
            elif self.lying:
                self.void()
        self.lying, self.left_over = [], ""

    def do_record(self):
        if not self.waiting() or self.before_trouble is not None:
            raise Refused("not_allowed")
        self.record()

    def do_decide(self, disc, scores):
        if self.nine is not None or self.left_over or not 1 <= disc <= len(self.lying):
            raise Refused("not_allowed")
        chosen = self.lying[disc - 1]
        if not self.open_case(self.lying, disc - 1) or (scores and not centre_bed(chosen["y"])):
            raise Refused("not_allowed")
        if self.before_trouble is not None:
            where = self.partners(self.before_trouble, self.lying)
            if disc - 1 in where:
                self.before_trouble[where.index(disc - 1)]["decided"] = scores
        chosen["decided"] = scores
        self.maybe_record()

    # -- the end of a turn

    def maybe_record(self):
        held_up = self.may_retake or self.before_trouble is not None or self.undecided()
        if self.waiting() and not self.explicit and not held_up:
            self.record()

    def record(self):
        words = self.verdicts(self.lying)
        beds = [word for word in words if word in BEDS]
        if self.preset == "progressive":
            tally = self.tally()
            marks = dict(tally.marks[self.side])
            drawn = []
            for i, word in enumerate(words):
                if word in BEDS and marks[word] < self.target(self.side, word):
                    marks[word] += 1
                    drawn.append(i)
            won = all(marks[bed] == self.target(self.side, bed) for bed in BEDS)
            if drawn and not won:
                self.tell({"what": "stage", "side": self.side, "beds": beds})
                self.lying = self.keep(self.lying, [i for i in range(len(words)) if i not in drawn])
                self.left = len(drawn)
                self.may_retake = False
                return
        self.tell({"what": "turn", "side": self.side, "beds": beds, "void": False})
        self.over()

    def void(self):
        self.out["void"] = True
        if self.story and self.tally().pending and self.left == 0 and self.preset != "darts":
            last = [e for e in self.story if e["what"] == "turn"][-1]
            last["void"] = True
        else:
            self.story.append({"what": "turn", "side": self.side, "beds": [], "void": True})
        self.over()

    def over(self):
        """The turn is over; the next side plays unless the game is won or extras wait."""
        self.shut()
        tally = self.tally()
        if not tally.winner and not tally.pending:
            self.next_turn()

    def shut(self):
        self.left = 0
        self.in_play = self.may_retake = self.badges_given = False
        self.before_trouble = None
        self.left_over = "turn" if self.lying else ""

    def next_turn(self):
        self.offended = set()
        tally = self.tally()
        side = tally.last or self.order[-1]
        for _ in range(1000):
            if tally.winner:
                return
            ring = self.order[self.order.index(side) + 1 :] + self.order[: self.order.index(side) + 1]
            side = next(s for s in ring if s not in tally.out and tally.may_play(s))
            if not self.misses[side]:
                self.side, self.left = side, self.options["shoves"]
                return
            self.misses[side] -= 1
            self.story.append({"what": "miss", "side": side})
            tally = self.tally()

    # -- D. penalties and interference

    def out_of_turn(self, side, before, new, words, gone):
        if side not in self.offended:
            self.offended.add(side)
            self.misses[side] += 1
        stay = [i for i in range(len(new)) if not self.dead(words[i])]
        if not gone and len(new) - 1 in stay:
            stay.remove(len(new) - 1)
        self.trouble(before, self.keep(new, stay))

    def trouble(self, before, new):
        if any(match is None for match in self.partners(before, new)):
            self.before_trouble = before
            self.lying = new
        else:
            self.before_trouble = None
            self.lying = before

    def do_touch(self, by=None, discs=None):
        if self.nine is not None or not self.lying:
            raise Refused("not_allowed")
        if discs is not None:
            self.check_discs(discs, len(self.lying))
        if by and self.side_of(by) != self.side:
            if discs is not None:
                self.do_interfere(discs)
            return
        if self.left_over or (self.waiting() and self.options["touch_window"] == "until_fifth"):
            return
        if discs is not None:
            new = self.with_decisions(self.lying, discs)
            self.out["verdicts"] = self.verdicts(new)
            self.lying = self.living(new)
        self.void()

    def do_interfere(self, discs):
        self.check_discs(discs, len(self.lying))
        if self.nine is not None or self.left_over:
            return
        before = self.lying if self.before_trouble is None else self.before_trouble
        new = self.with_decisions(before, discs)
        self.out["verdicts"] = self.verdicts(new)
        self.trouble(before, self.living(new))

    def do_choose(self, choice, place=0):
        if choice == "place":
            self.choose_place(place)
            return
        if self.before_trouble is None:
            raise Refused("not_allowed")
        before, now = self.before_trouble, self.lying
        self.before_trouble = None
        if choice == "replace":
            self.lying = before
        else:
            where = self.partners(before, now)
            if where[-1] is None:
                self.may_retake = False
            self.lying = self.keep(now, [n for n in where if n is not None])
            self.left += where.count(None)
        self.maybe_record()

    def do_damp(self, by):
        side = self.side_of(by)
        tally = self.tally()
        if side in tally.out:
            raise Refused("not_allowed")
        own = side == self.side and self.nine is None
        was_pending = bool(tally.pending)
        if own:
            self.out["void"] = True
            last = [e for e in self.story if e["what"] == "turn"]
            if was_pending and self.left == 0 and self.preset != "darts":
                last[-1]["void"] = last[-1]["damped"] = True
            else:
                self.story.append({"what": "turn", "side": side, "beds": [], "void": True, "damped": True})
        tally = self.tell({"what": "out", "side": side})
        if self.nine is not None:
            self.nine_on()
        elif own:
            self.over()
        else:
            self.follow(won_before="")

    def extras_done(self):
        if self.preset == "darts" and self.in_play:
            self.story.append({"what": "turn", "side": self.side, "beds": [], "void": False})
            self.over()
        else:
            self.next_turn()

    def do_overrule(self, marks=None, winner=None, void=None):
        before = self.tally()
        if winner is not None:
            self.story.append({"what": "winner", "side": self.side_of(winner)})
        elif marks is not None:
            rows = {self.side_of(name): row for name, row in marks.items()}
            if self.preset == "timed":
                raise Refused("not_allowed")
            for side, row in rows.items():
                if any(row[bed - 1] > self.target(side, bed) for bed in BEDS):
                    raise Refused("not_allowed")
            self.tell({"what": "marks", "rows": rows})
            self.follow(won_before="anybody")
        elif not before.winner and (self.in_play or (before.pending and self.left == 0)):
            self.void()
        else:
            turns = [e for e in self.story if e["what"] == "turn"]
            if not turns:
                raise Refused("not_allowed")
            self.out["void"] = not turns[-1]["void"]
            turns[-1]["void"] = True
            self.follow(before.winner)

    def do_correct(self, turn_no, discs):
        turns = [e for e in self.story if e["what"] == "turn"]
        if self.preset == "darts" or not 1 <= turn_no <= len(turns):
            raise Refused("not_allowed")
        self.check_discs(discs, self.options["shoves"])
        before = self.tally()
        words = self.verdicts(discs)
        self.out["verdicts"] = words
        if turn_no == len(turns) and self.left_over == "turn":
            self.lying = self.living(discs)
            self.left_over = "turn" if self.lying else ""
        turns[turn_no - 1]["void"] = False
        turns[turn_no - 1]["beds"] = [word for word in words if word in BEDS]
        self.follow(before.winner)

    def follow(self, won_before):
        """The story was changed, perhaps in its past: what follows for the flow of play."""
        tally = self.tally()
        dropped = tally.cut is not None
        if dropped:
            self.story = tally.story
        if tally.pending and self.in_play and self.preset != "darts":
            self.story.append({"what": "forget"})  # too late to give those
            tally = self.tally()
        if tally.winner:
            if dropped or not won_before:
                self.shut()
        elif tally.pending:
            if self.preset != "darts":
                while self.story[-1]["what"] == "miss":
                    self.misses[self.story.pop()["side"]] += 1
                self.side, self.left = tally.thrower, 0
        elif self.left == 0 and (self.preset == "darts" or not self.in_play):
            self.extras_done()

    def do_claim(self, by, bed):
        side = self.side_of(by)
        tally = self.tally()
        if not tally.offers[side][bed] or not tally.can_take(side, bed):
            raise Refused("not_allowed")
        self.tell({"what": "claim", "side": side, "bed": bed})

    def do_give(self, to, bed):
        side = self.side_of(to)
        tally = self.tally()
        if not tally.pending or tally.pending[0] != bed or side == tally.thrower or not tally.can_take(side, bed):
            raise Refused("not_allowed")
        tally = self.tell({"what": "give", "side": side, "bed": bed})
        if not tally.pending and self.left == 0:
            self.extras_done()

    # -- G. undo and options

    def do_undo(self):
        if not self.past:
            raise Refused("nothing_to_undo")
        before = self.past.pop()
        out = self.out
        self.__dict__.update(before)
        self.out = out

    def do_power_cut(self):
        pass

    def do_options(self, set):
        if self.begun:
            raise Refused("locked")
        changes = self.changes | set
        options = options_of(self.preset, changes)
        if not self.sound(options):
            raise Refused("not_allowed")
        reorder = options["order"] != self.options["order"]
        self.changes, self.options = changes, options
        if reorder:
            self.order = list(self.names)
            self.placing, self.offenders, self.nine = [], [], None
            self.lying, self.left_over = [], ""
            self.left = options["shoves"]
            self.side = next(s for s in self.order if s not in self.tally().out)
            if options["order"] != "given":
                self.open_nine()
        elif self.nine is None:
            self.left = options["shoves"]

    def sound(self, options):
        if options["claim"] == "claim" and options["excess"] not in ("opponent", "each"):
            return False
        if self.preset == "timed" and not options["turns"]:
            return False
        if options["order"] == ("nine_bed" if self.preset == "darts" else "bull"):
            return False
        old, self.options = self.options, options
        try:
            if any(row[bed - 1] > self.target(s, bed) for s, row in self.begin.items() for bed in BEDS):
                return False
            full = [all(self.first_marks(s)[bed] == self.target(s, bed) for bed in BEDS) for s in self.names]
            return self.preset == "timed" or not any(full)
        finally:
            self.options = old

    # -- A. order of play

    def open_nine(self):
        self.nine = {"groups": [list(self.order)], "shots": {}, "owners": [], "begun": False, "count": 0}
        self.nine_on()

    def nine_on(self):
        """Find who shoves for order next; settle places; begin the game once all are known."""
        nine = self.nine
        while True:
            group = next((g for g in nine["groups"] if len(g) > 1), None)
            if group is None:
                self.order = [g[0] for g in nine["groups"]]
                self.placing = list(self.order)
                self.nine = None
                self.left_over = "nine" if self.lying else ""
                self.left = self.options["shoves"]
                self.side = next(s for s in self.order if s not in self.tally().out)
                return
            due = [s for s in group if s not in nine["shots"]]
            if due and due[0] not in self.tally().out:
                self.side, self.left = due[0], 1
                return
            if due:
                nine["shots"][due[0]] = (2, self.names.index(due[0]), 0)
                self.offenders.append(due[0])
                continue
            ranked: dict[tuple, list[str]] = {}
            for side in group:
                ranked.setdefault(nine["shots"][side], []).append(side)
            place = nine["groups"].index(group)
            # a tie keeps the listed order among the tied
            nine["groups"][place : place + 1] = [ranked[key] for key in sorted(ranked)]
            nine["shots"] = {}
            if any(len(g) > 1 for g in nine["groups"]):
                self.lying, nine["owners"] = [], []

    def do_nine(self, by, discs, hit=None, gone=False):
        if by != self.player(self.tally()):
            raise Refused("not_your_turn")
        if self.nine is None or self.options["order"] != "nine_bed":
            raise Refused("not_allowed")
        before, nine = self.lying, self.nine
        if hit and any(h > len(before) or h < 1 for h in hit):
            raise Refused("bad_position")
        self.check_discs(discs, len(before) + (0 if gone else 1))
        new = self.with_decisions(before, discs)
        words = self.verdicts(new)
        self.out["verdicts"] = words
        self.out["last"] = (0, "off") if gone else (len(words), words[-1])
        missing = [n for n, match in enumerate(self.partners(before, discs)) if match is None]
        strangers = len(discs) - (0 if gone else 1) - (len(before) - len(missing))
        blamed = [s for s, shot in nine["shots"].items() if shot[0] == 1]
        only_taken_off = strangers <= 0 and all(nine["owners"][n] in blamed for n in missing)
        struck = bool(hit) if hit is not None else bool(missing) and not only_taken_off
        if not struck and not gone:
            stay = [n for n in range(len(before)) if n not in missing]
            self.lying = self.keep(before, stay)
            nine["owners"] = [nine["owners"][n] for n in stay]
        alive = not gone and not self.dead(words[-1])
        if alive:
            lone = copy.deepcopy(discs[-1])
            lone["on"] = []
            self.lying = [*self.lying, lone]
            nine["owners"].append(self.side)
        nine["begun"] = True
        nine["count"] += 1
        if struck:
            self.offenders.append(self.side)
            nine["shots"][self.side] = (1, nine["count"], 0)
        elif not alive:
            nine["shots"][self.side] = (0, 2, 0)
        else:
            nine["shots"][self.side] = (0, 0 if words[-1] == 9 else 1, abs(2 * discs[-1]["y"] - 74295))
        self.nine_on()

    def choose_place(self, place):
        allowed = 0
        for side in self.placing:
            if side in self.offenders:
                break
            allowed += 1
        if self.begun or not self.placing or self.nine is not None or not 1 <= place <= allowed:
            raise Refused("not_allowed")
        best, *others = self.placing
        self.order = [*others[: place - 1], best, *others[place - 1 :]]
        self.side = next(s for s in self.order if s not in self.tally().out)
        self.left = self.options["shoves"]

    # -- F. darts

    def do_dart(self, hit, by=None):
        if by and by != self.player(self.tally()):
            raise Refused("not_your_turn")
        if self.preset != "darts" or self.tally().pending:
            raise Refused("not_allowed")
        if self.nine is not None:
            rank = {"bull": 0, "outer": 1, "miss": 3}.get(hit, 2)
            self.nine["begun"] = True
            self.nine["shots"][self.side] = (0, rank, 0)
            self.nine_on()
            return
        self.begun = self.in_play = True
        self.left -= 1
        if self.options["claim"] == "claim":
            self.tell({"what": "lapse", "side": self.side})
        times = {"D": 2, "T": 3}.get(hit[0], 1)
        number = hit.lstrip("DT")
        if number.isdigit() and 1 <= int(number) <= 9:
            self.tell({"what": "dart", "side": self.side, "beds": [int(number)] * times})
        tally = self.tally()
        if tally.winner or (self.left == 0 and not tally.pending):
            self.story.append({"what": "turn", "side": self.side, "beds": [], "void": False})
            self.over()


class Tally:
    """Marks, points, offers and the winner, counted from the whole story of a match."""

    def __init__(self, match: Plain):
        self.match = match
        self.options = match.options
        self.marks = {side: match.first_marks(side) for side in match.names}
        self.goal = {side: {bed: match.target(side, bed) for bed in BEDS} for side in match.names}
        timed = match.preset == "timed"
        self.points = {s: max(0, match.handicaps.get(s, 0)) if timed else 0 for s in match.names}
        self.gifts = {side: dict.fromkeys(BEDS, 0) for side in match.names}
        self.offers = {side: dict.fromkeys(BEDS, 0) for side in match.names}
        self.turns = dict.fromkeys(match.names, 0)
        self.out: set[str] = set()
        self.pending: list[int] = []
        self.thrower = ""
        self.last = ""
        self.winner = ""
        self.contest = list(match.names)
        self.allowed = self.options["turns"]
        self.cut: int | None = None
        self.story: list[dict[str, Any]] = []

    def count(self):
        story = self.match.story
        skip_end = False
        for i, entry in enumerate(story):
            what = entry["what"]
            if skip_end and what == "turn":
                skip_end = False
                self.story.append(entry)
                continue
            if self.winner and what in ("turn", "stage", "dart"):
                self.cut = i
                break
            self.story.append(entry)
            if what in ("stage", "dart") and self.void_later(story, i):
                self.pending = []
                continue
            getattr(self, "count_" + what)(entry)
            if self.winner and what == "stage":
                self.story[-1] = {**entry, "what": "turn", "void": False}
                self.ended(entry["side"])
            if self.winner and what == "dart":
                self.ended(entry["side"])
                following = [e["what"] for e in story[i + 1 :] if e["what"] in ("turn", "stage", "dart")]
                skip_end = following[:1] == ["turn"]
                if following[:1] == ["dart"]:
                    self.story.append({"what": "turn", "side": entry["side"], "beds": [], "void": False})
        return self

    def void_later(self, story, i):
        for entry in story[i:]:
            if entry["what"] == "turn":
                return entry["void"]
        return False

    def need(self, side, bed):
        return self.goal[side][bed] - self.marks[side][bed]

    def all_needs(self, side):
        return sum(self.goal[side].values()) - sum(self.marks[side].values())

    def can_take(self, side, bed):
        return side not in self.out and self.need(side, bed) >= 1 and self.all_needs(side) >= 2

    def others(self, side):
        order = self.match.order
        return order[order.index(side) + 1 :] + order[: order.index(side)]

    def may_play(self, side):
        if not self.options["turns"]:
            return True
        return side in self.contest and self.turns[side] < self.allowed

    def gift(self, side, bed):
        self.marks[side][bed] += 1
        self.gifts[side][bed] += 1

    def ended(self, side):
        self.pending = []
        self.turns[side] += 1
        self.last = side

    def count_turn(self, entry):
        side = entry["side"]
        self.ended(side)
        if self.match.preset == "timed":
            if not entry["void"]:
                self.points[side] += sum(bed in self.options["beds"] for bed in entry["beds"])
        elif not entry["void"]:
            self.score(side, entry["beds"], extras=True)
        if not entry.get("damped"):  # else the offender is still to be ruled out
            self.time_up()

    def count_stage(self, entry):
        self.pending = []
        self.score(entry["side"], entry["beds"], extras=False)

    def count_dart(self, entry):
        self.pending = []
        self.score(entry["side"], entry["beds"], extras=True)

    def score(self, side, beds, extras):
        spare = []
        for bed in sorted(beds):
            if self.need(side, bed) > 0:
                self.marks[side][bed] += 1
            elif bed in self.options["beds"]:
                spare.append(bed)
        if self.all_needs(side) == 0:
            self.winner = side
        elif extras:
            self.thrower = side
            for bed in spare:
                self.extra(side, bed)

    def extra(self, side, bed):
        kind = self.options["excess"]
        inside = [s for s in self.others(side) if s not in self.out]
        able = [s for s in inside if self.can_take(s, bed)]
        if self.options["claim"] == "claim":
            for other in inside:
                self.offers[other][bed] += 1
        elif kind in ("opponent", "each"):
            for other in able:
                self.gift(other, bed)
        elif kind == "next":
            if inside[0] in able:
                self.gift(inside[0], bed)
        elif kind == "neediest":
            for amount in range(10, 0, -1):
                most = [s for s in able if self.need(s, bed) == amount]
                if most:
                    self.gift(most[0], bed)
                    break
        else:
            self.pending.append(bed)
            self.settle()

    def settle(self):
        while self.pending and not self.winner:
            able = [s for s in self.others(self.thrower) if self.can_take(s, self.pending[0])]
            if len(able) >= 2:
                return
            bed = self.pending.pop(0)
            for other in able:
                self.gift(other, bed)
        if self.winner:
            self.pending = []

    def count_give(self, entry):
        side, bed = entry["side"], entry["bed"]
        if self.pending and self.pending[0] == bed and side != self.thrower and self.can_take(side, bed):
            self.pending.pop(0)
            self.gift(side, bed)
            self.settle()
            self.time_up()

    def count_claim(self, entry):
        side, bed = entry["side"], entry["bed"]
        if self.offers[side][bed] and self.can_take(side, bed):
            self.offers[side][bed] -= 1
            self.gift(side, bed)

    def count_lapse(self, entry):
        self.offers[entry["side"]] = dict.fromkeys(BEDS, 0)

    def count_forget(self, entry):
        self.pending = []
        self.time_up()

    def count_marks(self, entry):
        for side, row in entry["rows"].items():
            self.marks[side] = {bed: min(row[bed - 1], self.match.target(side, bed)) for bed in BEDS}
        full = [
            s for s in [*sorted(entry["rows"], key=self.match.names.index), *self.match.order] if not self.all_needs(s)
        ]
        self.winner = full[0] if full else ""
        self.last_one()
        self.settle()
        self.time_up()

    def count_winner(self, entry):
        self.winner = entry["side"]

    def count_out(self, entry):
        self.out.add(entry["side"])
        self.offers[entry["side"]] = dict.fromkeys(BEDS, 0)
        self.last_one()
        self.settle()
        self.time_up()

    def count_miss(self, entry):
        self.turns[entry["side"]] += 1
        self.last = entry["side"]
        self.time_up()

    def last_one(self):
        inside = [s for s in self.match.names if s not in self.out]
        if len(inside) == 1 and not self.winner:
            self.winner = inside[0]

    def worth(self, side):
        return self.points[side] if self.match.preset == "timed" else sum(self.marks[side].values())

    def time_up(self):
        """Have all had the turns agreed, extras given? Then the most win; equals play one more."""
        while self.options["turns"] and not self.winner and not self.pending:
            contest = [s for s in self.contest if s not in self.out]
            if len(contest) > 1 and any(self.turns[s] < self.allowed for s in contest):
                return
            best = max(self.worth(s) for s in contest)
            first = [s for s in contest if self.worth(s) == best]
            if len(first) == 1:
                self.winner = first[0]
                return
            self.contest = first
            self.allowed += 1
