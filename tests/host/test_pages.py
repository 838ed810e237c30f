"""The pages in a real browser, over the fake board: played by keys and by dragging, watched on /tv."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SLACK = 5  # this machine may have other things to do
AGAIN = ["ArrowUp", " "]  # with the same power
BED_2 = ["ArrowUp"] * 21 + ["Shift+ArrowUp"] * 9 + [" "]  # the fake table slides 653 mm at full power, evenly


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The pages, served; yields (address, process)."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    store = tmp_path_factory.mktemp("store") / "s.sqlite"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "NICEGUI"))}
    command = [sys.executable, str(Path(__file__).with_name("serve_fake.py")), str(port), str(store)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/play", timeout=5).close()
            break
        time.sleep(0.1)
    yield address, process
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(host, browser):
    """Opens a path; fails if the page meets an error, or asks anybody but our host for anything."""
    address, _ = host
    pages, wrong = [], []

    def open_page(path, **options):
        page = browser.new_page(**options)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: outside(request.url) and wrong.append(request.url))
        pages.append(page)
        page.goto(address + path)
        page.wait_for_selector(".slate-chalk")
        return page

    def outside(url):
        return not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))

    yield open_page
    for page in pages:
        page.close()
    assert not wrong


def wait_for_score(page, pattern, seconds=10):
    """Wait until the slate, as it is read to those who cannot see it, matches."""
    page.wait_for_function(
        "p => new RegExp(p).test(document.querySelector('.slate-chalk').getAttribute('aria-label'))",
        arg=pattern,
        timeout=seconds * 1000,
    )


@pytest.fixture
def start(host):
    """Starts a match on a bare table."""

    def begin(page, first="Ann", second="Bob"):
        host[1].send_signal(signal.SIGHUP)
        page.wait_for_function("!document.querySelector('.tag')")
        begin_match(page, first, second)

    return begin


def begin_match(page, first, second):
    page.get_by_role("button", name="New match").first.click()
    page.get_by_label("First").fill(first)
    page.get_by_label("Second").fill(second)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".newmatch", state="hidden")
    wait_for_score(page, f"{first} to shove")


def shove(page, keys):
    page.wait_for_selector(".hand .ready")
    for key in keys:
        page.keyboard.press(key)


def test_a_turn_played_by_keys_shows_on_both_screens(visit, start):
    """Five shoves into bed 2: verdicts on the discs, three marks and two gifts on both slates, the turn passes."""
    play, tv = visit("/play"), visit("/tv")
    start(play)
    for n in range(5):
        shove(play, ["ArrowLeft"] * 15 + AGAIN if n else BED_2)
        play.wait_for_function(f"document.querySelectorAll('.board-moving .tag.bed').length === {n + 1}")
    for page in (play, tv):
        wait_for_score(page, "^Ann: 0 3 0 .*; Bob: 0 2 0 .*Bob to shove")
    assert play.locator(".tag text").all_text_contents() == ["2"] * 5
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


def test_undo_takes_the_marks_back(visit, start):
    """A turn is undone from the page: the slate is as before."""
    page = visit("/play")
    start(page, "Eve", "Dan")
    shove(page, BED_2)
    page.wait_for_selector(".tag.bed")
    assert page.locator(".said").inner_text() == "Bed 2. Eve to shove, 4 to go"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("document.querySelector('.said').innerText.endsWith('Eve to shove, 5 to go')")


def test_a_board_that_goes_is_said_and_comes_back(visit, start, host):
    """Unplugged: both pages say so and keep the score; plugged in again: both recover by themselves."""
    _, process = host
    play, tv = visit("/play"), visit("/tv")
    start(play)
    process.send_signal(signal.SIGUSR1)
    play.wait_for_function("document.querySelector('.said').innerText.includes('The board is away')")
    play.wait_for_selector(".link.gone")
    tv.wait_for_selector(".slate-chalk[data-notice*='The board is away']")
    wait_for_score(tv, "Ann to shove")
    process.send_signal(signal.SIGUSR2)
    play.wait_for_selector(".link.there", timeout=15000)
    play.wait_for_function("document.querySelector('.said').innerText.includes('Ann to shove')")


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
