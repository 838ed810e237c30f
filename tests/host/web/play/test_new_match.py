"""The names that people write into the dialog of a new match."""

import pytest
from hapenny_host.web.play.new_match import LONGEST_NAME, sided, too_long


@pytest.mark.parametrize(
    ("text", "names"),
    [("Ann", ["Ann"]), (" Ann &  Mary  Jane ", ["Ann", "Mary Jane"]), ("Ann & ", ["Ann"]), ("A & B & C", ["A", "B"])],
)
def test_two_names_with_an_ampersand_are_a_pair(text, names):
    assert sided(text) == names


@pytest.mark.parametrize("text", ["Bartholomew Featherstone", "Ann & Bartholomew Featherstone"])
def test_a_name_that_is_too_long_is_said_and_not_cut(text):
    assert sided(text)[-1] == "Bartholomew Featherstone"
    assert f"Bartholomew Featherstone has 24 letters. Shorten it: a name has up to {LONGEST_NAME}" in (
        too_long(text) or ""
    )
    assert too_long("M" * LONGEST_NAME) is None and too_long("") is None
