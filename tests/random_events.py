"""Random events for hypothesis: every kind there is."""

from hapenny.desktop import agree
from hapenny.rules import events
from hypothesis import strategies as st

word = st.integers(0, 0xFFFF)
byte = st.integers(0, 254)
by = st.integers(-1, 15)
disc = st.builds(events.disc, word, word, st.integers(0, 0x7FFF), st.booleans(), st.booleans())
discs = st.lists(disc, max_size=15)
hits = st.none() | st.lists(st.integers(1, 15), max_size=9)
marks = st.dictionaries(st.integers(0, 7), st.lists(st.integers(0, 10), min_size=9, max_size=9))
anything = st.one_of(
    st.builds(events.shove, discs, by, hits, st.booleans()),
    st.builds(events.nine, discs, by, hits, st.booleans()),
    st.builds(events.attempt, by),
    st.builds(events.touch, by, st.none() | discs),
    st.builds(events.damp, by),
    st.builds(events.interfere, discs),
    st.builds(events.choose, st.sampled_from(["replay", "replace", "place"]), byte),
    st.builds(events.claim, by, byte),
    st.builds(events.give, by, byte),
    st.builds(events.decide, byte, st.booleans()),
    st.builds(events.overrule_marks, marks),
    st.builds(events.overrule_winner, byte),
    st.builds(events.correct, word, discs),
    st.builds(events.dart, st.sampled_from(["7", "D7", "T20", "bull", "outer", "miss"]), by),
    st.sampled_from(
        [events.retake(), events.clear(), events.record(), events.undo(), events.power_cut(), events.overrule_void()]
    ),
    st.just(agree.start("pub", (1, 2, 1), {"shoves": 3}, [7, 0, -4], {1: [1] * 9})),
    st.just(agree.options({"beds": [1, 9], "excess": "chooser"})),
)
