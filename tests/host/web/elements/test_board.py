"""What the drawing says of a disc: the game's call, its number in the turn, a person's mark, why it is not called."""

from types import SimpleNamespace
from typing import Any

from hapenny_host.match.view import MatchView
from hapenny_host.web.elements.board import BoardView, doubt_reason, gap_tags, tags
from hapenny_link.conversation import Disc


def match(*discs, **more):
    keys = ("x", "y", "verdict", "number", "person")
    return MatchView(discs=[dict(zip(keys, disc, strict=True)) for disc in discs], **more)


def test_a_disc_that_people_called_is_labelled_as_they_did():
    """The sensors say bed 2; people brought it 3.9 mm over, onto the line: that is what counts, and who said so."""
    (tag,) = tags([Disc(90.0, 147.0, "2", 1.0, 0.1, 0)], match((90.0, 143.1, "line", 2, True)))
    assert (tag["text"], tag["kind"], tag["number"]) == ("line*", "none", 2)


def test_a_doubt_says_why_until_it_is_decided():
    """The same disc, before and after a person's word."""
    seen = [Disc(90.0, 146.5, "doubt", 0.07, 0.05, 0)]
    asked = match((90.0, 146.5, "doubt", 1, False), undecided=[0], asks=["decide"])
    (tag,) = tags(seen, asked)
    assert (tag["text"], tag["kind"], tag["asked"]) == ("?", "doubt", True)
    assert tag["why"] == doubt_reason(seen, asked.discs[0]) == "bed 2 or line: within 0.1 mm"
    (tag,) = tags(seen, match((90.0, 146.5, "2", 1, True)))
    assert (tag["text"], tag["kind"], tag["why"]) == ("2*", "bed", "")


def test_a_disc_that_the_game_does_not_have_has_no_number():
    """The board's own word for it, and where the game's disc lay a place to fill."""
    played = match((90.0, 146.5, "2", 1, False))
    seen = [Disc(20.0, 146.5, "wide", 1.0, 0.1, 0)]
    assert [(tag["text"], tag["number"]) for tag in tags(seen, played)] == [("side", 0)]
    assert [(tag["x"], tag["kind"]) for tag in gap_tags(seen, played)] == [(90.0, "goes")]


def test_the_disc_shoved_last_and_the_one_in_question_are_marked():
    """By their places in the game's list, wherever the board lists them."""
    played = match((90.0, 146.5, "2", 1, False), (200.0, 240.0, "doubt", 2, False), last_disc=0, undecided=[1])
    seen = [Disc(200.1, 240.0, "doubt", 0.1, 0.1, 0), Disc(90.0, 146.6, "2", 1, 0.1, 0)]
    assert [(tag["last"], tag["asked"]) for tag in tags(seen, played)] == [(False, False), (True, False)]


def test_a_slide_ends_where_the_discs_lie_however_late_it_is_sent():
    """The last move and the discs at rest leave in one go: the move, which comes second then, is taken back."""
    calls = []
    drawing: Any = SimpleNamespace(_props={}, sliding=False, update=lambda: None)
    drawing.run_method = lambda name, *_: calls.append(name)
    BoardView.show(drawing, [(90.0, 20.0)], [])
    BoardView.slide(drawing, [(90.0, 140.0)])
    BoardView.show(drawing, [(90.0, 146.5)], [])
    BoardView.show(drawing, [(90.0, 146.5)], [{"text": "2"}])
    assert calls == ["move", "rest"]


def test_pegs_that_blink_have_no_page_gone_through(monkeypatch):
    """They are lit by a method of the drawing alone, if they change; who comes later gets them with the rest."""
    board, updates, calls = BoardView(), [], []
    monkeypatch.setattr(board, "update", lambda: updates.append("update"))
    monkeypatch.setattr(board, "run_method", lambda name, *arguments: calls.append((name, *arguments)))
    for pixels in ([(34, 34, 28)], [(34, 34, 28)], [(0, 0, 0)]):
        board.light(pixels)
    assert updates == [] and calls == [("light", [(34, 34, 28)]), ("light", [(0, 0, 0)])]
    assert board.props["pixels"] == [(0, 0, 0)]
