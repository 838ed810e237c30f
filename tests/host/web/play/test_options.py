"""What the New match dialog offers is what the rules know, by one set of names; what is chosen is played."""

import re
from pathlib import Path

import pytest
from hapenny.desktop import agree
from hapenny.rules import setup
from hapenny_host.web.play.options import OPTIONS, PRESETS, changed, choices, preset_choices, usual

RULES = (Path(__file__).parents[4] / "docs" / "rules.md").read_text(encoding="utf-8")


def test_presets_and_options_have_the_names_of_the_rules_page():
    """The dialog's words begin with the name that docs/rules.md, scenarios and commands use."""
    assert set(PRESETS) == set(setup.PRESETS) and set(OPTIONS) == set(agree.CHOICES)
    for name, text in preset_choices().items():
        assert text.lower().startswith(name) and f"`{name}`" in RULES
    assert set(re.findall(r"^\| `(\w+)` \|", RULES, re.MULTILINE)) == set(OPTIONS)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_own_options_change_nothing_and_start(preset):
    """Left alone, the match is the preset's own; each value offered can be played, and is then in the match."""
    common = usual(preset)
    assert changed(preset, common) == {}
    for name in common:
        for value in choices(preset, name):
            wanted = [value] if name == "beds" else value
            picked = changed(preset, common | {name: wanted})
            if name == "claim" and value == "claim" and common["excess"] not in ("opponent", "each"):
                continue
            event = agree.start(preset, (1, 1), picked)
            assert event == agree.start(preset, (1, 1), {name: wanted})


def test_values_say_what_they_are_called_and_what_they_mean():
    """A number is a number; bull is for darts, bed 9 for discs."""
    assert choices("pub", "short")["retake"] == "retake – may be taken back and shoved again"
    assert choices("timed", "turns")[99] == "99" and 0 not in choices("timed", "turns")
    assert choices("pub", "turns")[0] == "until won" and usual("pub")["turns"] == 0 and usual("timed")["turns"] == 10
    assert "bull" not in choices("pub", "order") and "nine_bed" not in choices("darts", "order")
