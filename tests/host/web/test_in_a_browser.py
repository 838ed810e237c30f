"""The pages in a real browser, over the fake board: played by keys and by dragging, watched on /tv."""

import re
import signal
import sys
import time
from pathlib import Path

import pytest
from host.browsing import (
    AGAIN,
    BED_2,
    NEAR_BED_2,
    begin_match,
    chromium,
    free_port,
    served,
    shove,
    start_new,
    visiting,
    wait_for_hand,
    wait_for_score,
    wait_for_words,
)

pytestmark = pytest.mark.xdist_group("browser")
SERVE_FAKE = str(Path(__file__).parents[1] / "serve_fake.py")
SLACK = 5  # this machine may have other things to do


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The pages over the fake board; (address, process)."""
    port, store = free_port(), tmp_path_factory.mktemp("store") / "s.sqlite"
    with served([sys.executable, SERVE_FAKE, str(port), str(store)], port) as host:
        yield host


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(host, browser):
    with visiting(browser, host[0]) as open_page:
        yield open_page


@pytest.fixture
def start(host):
    """Starts a match on a bare table."""

    def begin(page, first="Ann", second="Bob"):
        host[1].send_signal(signal.SIGHUP)
        page.wait_for_function("!document.querySelector('.tag')")
        begin_match(page, first, second)

    return begin


def begin_with_bed_2(page, start):
    """Eve, against Dan, has shoved once."""
    start(page, "Eve", "Dan")
    shove(page, BED_2)
    wait_for_words(page, "Bed 2. Eve to shove, 4 to go")


def test_before_the_first_match_both_pages_say_how_to_start_one(visit, host):
    """/tv names a whole address to type; /play, where one is already, its button. (First: nothing has been played.)"""
    address = f"http://localhost:{host[0].rpartition(':')[2]}/play"
    for path, words in (("/tv", f"start one at {address}"), ("/play", "press New match")):
        assert words in visit(path).locator(".slate-chalk").get_attribute("aria-label")


def test_a_turn_played_by_keys_shows_on_both_screens(visit, start):
    """Five shoves into bed 2: verdicts on the discs, three marks and two gifts on both slates, the turn passes."""
    play, tv = visit("/play"), visit("/tv")
    start(play)
    for n in range(5):
        shove(play, ["ArrowLeft"] * 15 + AGAIN if n else BED_2)
        play.wait_for_function(f"document.querySelectorAll('.board-moving .tag.bed').length === {n + 1}")
    for page in (play, tv):
        wait_for_score(page, "^Ann: 0 3 0 .*; Bob: 0 2 0 .*Bob to shove")
    assert play.locator(".tag .call").all_text_contents() == ["2"] * 5
    assert play.locator(".hand .why").text_content() == "Take the discs off first"
    play.get_by_role("button", name="Take the discs off").click()
    play.wait_for_selector(".hand .ready")
    assert play.locator(".board-moving .tag").count() == 0


def test_a_drag_shoves_as_far_as_it_was_drawn_back(visit, start):
    """Press at the edge, draw back, let go: power and angle are shown, the disc goes; a short pull is no shove."""
    page = visit("/play", viewport={"width": 1280, "height": 800})
    start(page)
    page.wait_for_selector(".hand .ready")
    box = page.locator(".hand").bounding_box()
    x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.85
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 5)
    page.mouse.up()
    page.mouse.down()
    page.mouse.move(x + 10, y + 100)
    assert page.locator(".hand .power").text_content().startswith("23.9")
    assert re.search(r"0\.78 m/s · 6\.0° left", page.locator(".hand .detail").text_content())
    page.mouse.up()
    page.wait_for_selector(".board-moving .tag")
    assert page.locator(".board-moving .tag").count() == 1
    wait_for_score(page, "Ann to shove")


def test_an_opponent_takes_its_turn(visit, start):
    """Chosen on the page, it plays the last side's turn by itself, takes its discs off, and hands the turn back."""
    page = visit("/play")
    start(page)
    page.get_by_label("Bob is played by").click()
    page.get_by_role("option", name="The computer: county").click()
    page.wait_for_function("!document.querySelector('.q-menu') && document.activeElement === document.body")
    for n in range(5):
        shove(page, ["ArrowLeft"] * 15 + AGAIN if n else BED_2)
        page.wait_for_function(f"document.querySelectorAll('.board-moving .tag.bed').length === {n + 1}", timeout=60000)
    page.get_by_role("button", name="Take the discs off").click()
    page.wait_for_function("document.querySelector('.hand .why')?.textContent === 'Bob plays'")
    wait_for_score(page, "^Ann: 0 3 0 .*; Bob: 0 3 0 .*Ann to shove", seconds=40)
    page.wait_for_selector(".hand .ready", timeout=20000)
    assert page.locator(".board-moving .tag").count() == 0
    page.get_by_label("Bob is played by").click()
    page.get_by_role("option", name="A person").click()


def assert_nothing_covered(page, *parts):
    """Each part is as high as what is in it, and begins where the one before has ended; the last one is seen."""
    end = 0
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box["height"] > 10 and box["y"] >= end, part
        whole = page.locator(part).evaluate(
            "e => getComputedStyle(e).overflowY !== 'visible' || e.scrollHeight - 1 <= e.clientHeight"
        )
        assert whole, part
        end = box["y"] + box["height"]
    assert end <= page.viewport_size["height"]


def test_two_doubts_are_asked_one_after_the_other(visit, start):
    """The disc in question is ringed and named on both screens; each answer is told, and the log says who gave it."""
    play, tv = visit("/play", viewport={"width": 1280, "height": 660}), visit("/tv")
    start(play)
    slate = play.locator(".slate").bounding_box()

    further = ["ArrowUp"] + ["Shift+ArrowUp"] * 4 + [" "]
    for n, keys in enumerate((NEAR_BED_2, AGAIN, further, AGAIN, AGAIN)):
        shove(play, ["ArrowLeft"] * 15 * bool(n) + keys)
        play.wait_for_function(f"document.querySelectorAll('.board-moving .tag').length === {n + 1}")
    for number, answer, word in ((1, "Yes, bed 2 scores", "bed 2"), (2, "No, no score", "on the line")):
        wait_for_words(play, f"Disc {number}, the one ringed, is too close to call (bed 2 or line: within")
        for page in (play, tv):
            page.wait_for_selector(f".tag:nth-child({number} of .tag) .asked")
            page.wait_for_function("document.querySelectorAll('.board .number').length === 5")
            page.wait_for_selector(f".slate-chalk[data-notice^='Disc {number} is too close to call']")
        assert_nothing_covered(play, ".slate", ".said", ".actions:not(.tools)", ".tools", ".log", ".foot")
        assert play.locator(".slate").bounding_box() == slate
        assert play.locator(".asked").count() == 1 and not play.locator(".help").inner_text()
        assert "bed 2 or line: within" in play.locator(f".log .row:nth-of-type({number})").inner_text()
        play.get_by_role("button", name=answer).click()
        wait_for_words(play, f"Disc {number} decided: {word}.")
    wait_for_score(tv, "^Ann: 0 3 0 .*; Bob: 0 1 0 .*Bob to shove")
    words = ["Ann", "1", "?", "2*", "2", "?", "line*", "3", "2", "4", "2", "5", "2", "* a person decided"]
    assert play.locator(".log li").first.inner_text().split("\n") == words
    assert play.locator(".tag .call").all_text_contents() == ["2*", "line*", "2", "2", "2"]
    assert play.locator(".board .number").all_text_contents() == ["1", "2", "3", "4", "5"]


def test_undo_takes_the_marks_back(visit, start):
    """A turn is undone from the page: the slate is as before."""
    page = visit("/play")
    begin_with_bed_2(page, start)
    page.get_by_role("button", name="Undo: Eve's shove 1").click()
    wait_for_words(page, "Take off disc 1: it does not count. Eve to shove, 5 to go")
    page.wait_for_function("document.querySelector('.board .number')?.textContent === '1'")
    assert page.locator(".tag .call").text_content() == "×" and not page.get_by_role("button", name="Undo").count()
    page.get_by_role("button", name="Take off disc 1").click()
    wait_for_score(page, "Eve to shove")
    page.wait_for_function("!document.querySelector('.tag')")


def test_discs_of_another_match_are_taken_off_before_the_first_shove(visit, start):
    """A match begun while discs lie: the page asks for them, a key shoves nothing, a hand takes them, play begins."""
    page = visit("/play")
    begin_with_bed_2(page, start)
    begin_match(page, "Eve", "Dan")
    wait_for_words(page, "Discs of another match lie there")
    page.wait_for_function("document.querySelector('.why').textContent === 'Take the discs off first'")
    page.get_by_role("button", name="Take the discs off").click()
    page.wait_for_function("document.querySelector('.said').innerText === 'Eve to shove, 5 to go'")
    shove(page, AGAIN)
    page.wait_for_selector(".tag.bed")
    wait_for_words(page, "Bed 2. Eve to shove, 4 to go")


def test_a_match_in_play_is_not_ended_without_asking(visit, start):
    """A new match, the dialog's Start: people are asked; they play on, and nothing has happened."""
    page = visit("/play")
    begin_with_bed_2(page, start)
    page.get_by_role("button", name="New match").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector("text=Eve against Dan is not over")
    page.get_by_role("button", name="Play on").click()
    page.wait_for_selector(".ending", state="hidden")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_function("!document.querySelector('.newmatch')")
    wait_for_words(page, "Bed 2. Eve to shove, 4 to go")


def test_options_and_handicaps_are_agreed_under_more(visit, start):
    """One mark a bed, three discs a turn, five turns and a handicap: the slate begins with it, the sentence counts."""
    page = visit("/play")
    start(page, "Eve", "Dan")
    page.get_by_role("button", name="New match").click()
    page.locator(".newmatch-more .q-item").first.click()
    for label, option in (
        ("Marks to fill a bed", "1"),
        ("Discs, or darts, a turn", "3"),
        ("Turns a side", "5"),
        ("Second: handicap", "handicap 2"),
    ):
        page.get_by_label(label).click()
        page.get_by_role("option", name=option, exact=True).click()
        page.get_by_role("option").first.wait_for(state="hidden")  # the next menu is another
    start_new(page)
    wait_for_score(page, "Dan: 1 1 0 .*Eve to shove")
    wait_for_words(page, "Eve to shove, 3 to go (turn 1 of 5, Dan ahead)")
    wait_for_score(page, "Dan: 1 1 0 .*, 2 marks")
    wait_for_score(visit("/tv"), "Dan: 1 1 0 .*, 2 marks")


def test_the_space_bar_shoves_after_a_click_on_a_button(visit, start):
    """A button clicked by pointer does not keep the keys: the space bar lets the disc go, it presses nothing."""
    page = visit("/play")
    start(page)
    shove(page, BED_2)
    page.wait_for_selector(".tag.bed")
    page.get_by_role("button", name="Undo").click()
    wait_for_score(page, "Ann to shove")
    shove(page, ["ArrowLeft"] * 15 + AGAIN)
    page.wait_for_function("document.querySelectorAll('.board-moving .tag').length === 2")


def test_a_dialog_that_has_gone_swallows_no_key(visit, start):
    """What Quasar leaves round a closed dialog, on a slow machine for most of a second, holds no key back."""
    page = visit("/play")
    start(page)
    wait_for_hand(page)
    page.wait_for_function("!document.querySelector('.q-dialog')")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div class=q-dialog></div>')")
    page.keyboard.press("ArrowUp")
    assert page.locator(".hand .power").text_content().startswith("1.0")


def test_the_scoreboard_stands_upright_on_a_phone(visit):
    """The slate over the whole width, the board under it, all on one screen; turned, it lies beside it again."""
    tv = visit("/tv", viewport={"width": 390, "height": 844})
    slate, board = (tv.locator(part).bounding_box() for part in (".slate", ".tv-board"))
    assert slate["width"] > 380 and board["y"] >= slate["y"] + slate["height"] and board["y"] + board["height"] <= 844
    tv.set_viewport_size({"width": 844, "height": 390})
    tv.wait_for_function("document.querySelector('.slate').clientWidth > 600")
    slate, board = (tv.locator(part).bounding_box() for part in (".slate", ".tv-board"))
    assert board["y"] + board["height"] <= slate["y"] + slate["height"] <= 390


def test_a_board_that_goes_is_said_and_comes_back(visit, start, host):
    """Unplugged: both pages say so and keep the score; plugged in again: both recover by themselves."""
    _, process = host
    play, tv = visit("/play"), visit("/tv")
    start(play)
    process.send_signal(signal.SIGUSR1)
    wait_for_words(play, "The board is away")
    play.wait_for_selector(".link.gone")
    tv.wait_for_selector(".slate-chalk[data-notice*='The board is away']")
    wait_for_score(tv, "Ann to shove")
    process.send_signal(signal.SIGUSR2)
    play.wait_for_selector(".link.there", timeout=15000)
    wait_for_words(play, "Ann to shove")


def test_the_scoreboard_follows_at_once(visit, start, host):
    """The board is unplugged: /tv says so within a tenth of a second (the host's clock and the browser's are one)."""
    _, process = host
    play, tv = visit("/play"), visit("/tv")
    start(play, "Zoe", "Max")
    tv.evaluate("""() => new MutationObserver(() => (window.changed ??= Date.now()))
      .observe(document.querySelector('.slate-chalk'), { attributeFilter: ['data-notice'] })""")
    before = time.time()
    process.send_signal(signal.SIGUSR1)
    tv.wait_for_function("window.changed > 0")
    process.send_signal(signal.SIGUSR2)
    assert tv.evaluate("window.changed") / 1000 - before < 0.1 * SLACK


def begin_darts(page, names, extras):
    """A match of darts from the dialog, extras given away by that choice."""
    page.get_by_role("button", name="New match").first.click()
    page.get_by_label("Rules", exact=True).click()
    page.get_by_role("option", name="Darts").click()
    page.get_by_label("Extra hits go to").click()
    page.get_by_role("option", name=extras).click()
    for place, name in zip(("First", "Second", "Third"), names, strict=False):
        if not page.get_by_label(place, exact=True).count():
            page.get_by_role("button", name="Another side").click()
        page.get_by_label(place, exact=True).fill(name)
    start_new(page)


def throw(page, *hits):
    """Tap the dartboard, each dart once the one before is told."""
    for hit in hits:
        page.wait_for_selector(".darts .ready")
        before = page.locator(".said").inner_text()
        field = page.locator(f"[data-hit='{hit}']")
        if hit.isdigit() or hit == "outer":
            field.dispatch_event("click")  # its middle is another field
        else:
            field.click()
        page.wait_for_function("was => document.querySelector('.said').innerText !== was", arg=before)


def test_darts_from_the_bull_to_a_gift(visit):
    """Nearest the bull throws first; taps are darts; the thrower says who gets the extra; both slates follow."""
    play, tv = visit("/play"), visit("/tv")
    begin_darts(play, ("Ann", "Bob", "Cat"), "Whom the thrower")
    wait_for_score(play, "Ann to throw")
    assert not play.locator(".hand").is_visible()
    throw(play, "outer", "bull", "miss")
    wait_for_score(play, "Bob to throw")
    throw(play, "T7", "D7")
    play.get_by_role("button", name="7 to Cat").click()
    play.get_by_role("button", name="7 to Ann").click()
    throw(play, "1")
    for page in (play, tv):
        wait_for_score(page, "^Ann: 0 0 0 0 0 0 1 .*; Bob: 1 0 0 0 0 0 3 .*; Cat: 0 0 0 0 0 0 1 .*Ann to throw")
        slashes, rings = (page.locator(f".slate-chalk .{kind}").count() for kind in ("slash", "ring"))
        assert (slashes, rings) == (3, 1)
    assert play.locator(".log li").first.inner_text().split() == ["Bob", "1", "T7", "2", "D7", "3", "1"]


def assert_seen(page, *parts):
    """Nothing lies over these parts but the hand over the board."""
    for part in parts:
        box = page.locator(part).bounding_box()
        places = [(box["x"] + k * box["width"], box["y"] + k * box["height"]) for k in (0.02, 0.5, 0.98)]
        seen = "([x, y, part]) => !!document.elementFromPoint(x, y)?.closest(part + ', .hand')"
        assert all(page.evaluate(seen, [x, y, part]) for x, y in places), part


def call(page, line, button):
    """Say something by the Referee menu."""
    page.get_by_role("button", name="Referee").click()
    at = page.locator(".referee-what", has_text=line)
    at.locator("xpath=following-sibling::div[1]").get_by_role("button", name=button).click()
    page.wait_for_selector(".referee", state="hidden")


def test_a_wrong_call_is_put_right_from_the_menu(visit, start):
    """The menu hides neither board nor slate; what people say counts for the shove; undo takes it back alone."""
    page = visit("/play", viewport={"width": 1280, "height": 800})
    begin_with_bed_2(page, start)
    page.get_by_role("button", name="Referee").click()
    page.wait_for_selector(".referee-what")
    assert_seen(page, ".board", ".slate", ".said")
    page.keyboard.press("Escape")
    page.wait_for_selector(".referee", state="hidden")
    call(page, "Disc 1", "On the line")
    wait_for_words(page, "Disc 1 decided: on the line.")
    page.wait_for_function("document.querySelector('.tag .call').textContent === 'line*'")
    assert page.locator(".log li").first.inner_text().split("\n") == ["Eve", "1", "2", "line*", "* a person decided"]
    page.get_by_role("button", name="Undo: the call of disc 1").click()
    page.wait_for_function("document.querySelector('.tag .call').textContent === '2'")
    assert page.locator(".log li").first.inner_text().split("\n") == ["Eve", "1", "2"]
    assert page.get_by_role("button", name="Undo: Eve's shove 1").count() == 1


def test_the_referee_has_the_last_word(visit, start):
    """Out of turn, a touch, a refused void, a game given away: each from the menu, a refusal as a sentence."""
    page = visit("/play")
    start(page)
    call(page, "Void", "Void the turn")
    page.wait_for_selector("text=That cannot be done now.")
    shove(page, BED_2)
    page.wait_for_selector(".tag.bed")
    call(page, "Touched", "Turn lost")
    wait_for_words(page, "Turn lost. Bob")
    page.get_by_role("button", name="Take the discs off").click()
    wait_for_hand(page)  # the menu offers what can be called now
    call(page, "Out of turn", "Ann shoves")
    shove(page, AGAIN)
    wait_for_words(page, "Bob to shove, 5 to go")
    call(page, "Given", "Give the game to Ann")
    wait_for_score(page, "Ann wins")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_page_says_when_its_host_is_gone(tmp_path, browser, how):
    """The process is killed, or hangs: within some seconds /play and /tv say that nobody answers; no dot is green."""
    port = free_port()
    command = [sys.executable, SERVE_FAKE, str(port), str(tmp_path / "s.sqlite")]
    with served(command, port) as (address, process), visiting(browser, address) as visit:
        play, tv = visit("/play"), visit("/tv")
        play.wait_for_selector("body:not(.stale) .link.there")
        play.wait_for_timeout(2000)
        assert not play.locator("body.stale").count()
        process.send_signal(how)
        for page in (play, tv):
            page.wait_for_selector(".slate-chalk[data-notice*='does not answer']", timeout=12000 * SLACK)
        said = "getComputedStyle(document.querySelector('.link'), '::after').content"
        assert play.evaluate(said) == '"No connection to the host"'
        process.send_signal(signal.SIGCONT)
        if how == signal.SIGSTOP:
            play.wait_for_selector("body:not(.stale) .link.there", timeout=12000 * SLACK)
