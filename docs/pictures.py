"""Makes the pictures of the pages anew (`make pictures`): plays on the simulated board in chromium, as the tests do."""

import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
TESTS = DOCS.parent / "tests"
sys.path.insert(0, str(TESTS))

from host.browsing import Keys, begin_match, chromium, free_port, served, shove, start_new, wait_for_hand  # noqa: E402

WINDOW = {"width": 1280, "height": 800}
SCREEN = {"width": 1280, "height": 720}
# (bed, mm along the edge); half a bed is a line, nearly half too close to call
HERS = ((8, 260), (2, 300), (4.5, 120), (6, 96), (1, 220))
MORE = ((7, 150), (4, 260), (2, 90))
DOUBTFUL = ((8, 120), (3.9, 250), (2, 80), (4.908, 170), (3, 310))
DARTS = ("bull", "outer", "T1", "D2", "3", "D1", "2", "T9", "T4", "miss")
AIM = ["ArrowRight"] * 12 + ["ArrowUp"] * 2 + ["ArrowDown"] * 6 + ["Shift+ArrowLeft"] * 9
SETTLED_MS = 2500  # until chalk is drawn, and the last shove has been played again


def shot(page, name, after_ms=SETTLED_MS):
    """Keep what the page shows, the mouse out of the way."""
    page.mouse.move(2, 2)
    page.wait_for_timeout(after_ms)
    page.screenshot(path=DOCS / name)
    print(f"docs/{name}", flush=True)


def play(page, flicks, keys):
    """Shove discs, each once the one before is judged."""
    before = page.locator(".board-moving .tag").count()
    for n, (bed, x_mm) in enumerate(flicks, before + 1):
        shove(page, keys.into(bed, x_mm))
        page.wait_for_function(f"document.querySelectorAll('.board-moving .tag').length === {n}", timeout=60000)


def opened(browser, address, path, window):
    """A page of that size."""
    page = browser.new_page(viewport=window)
    page.goto(address + path)
    page.wait_for_selector(".slate-chalk")
    return page


def match(browser, folder):
    """Against the opponent, the firmware judging: opponent.png, then play.png and tv.png."""
    port, keys = free_port(), Keys()
    hapenny = str(Path(sys.executable).with_name("hapenny"))
    kept = ["--board", f"unix:?folder={folder / 'board'}", "--store", str(folder / "match.sqlite")]
    with served([hapenny, "run", "--port", str(port), *kept], port) as (address, _):
        page = opened(browser, address, "/play", WINDOW)
        page.wait_for_selector(".link.there", timeout=60000)
        begin_match(page)
        page.get_by_label("Bob is played by").click()
        page.get_by_role("option", name="The computer: county").click()
        page.wait_for_function("!document.querySelector('.q-menu')")
        play(page, HERS, keys)
        page.get_by_role("button", name="Take the discs off").click()
        his = ".log li:first-child .row"
        page.wait_for_function(f"document.querySelectorAll('{his}').length === 3", timeout=180000)
        shot(page, "opponent.png", 400)  # before the fourth
        wait_for_hand(page, 180)
        play(page, MORE, keys)
        wait_for_hand(page)
        for key in AIM:
            page.keyboard.press(key)
        shot(page, "play.png")
        shot(opened(browser, address, "/tv", SCREEN), "tv.png")


def questions(browser, folder):
    """On the board of the tests, which has no sensors and doubts where it is told to: doubt.png and darts.png."""
    port = free_port()
    command = [sys.executable, str(TESTS / "host" / "serve_fake.py"), str(port), str(folder / "fake.sqlite")]
    with served(command, port) as (address, _):
        page = opened(browser, address, "/play", WINDOW)
        begin_match(page)
        play(page, DOUBTFUL, Keys())
        page.get_by_role("button", name="Yes, bed").click()
        page.wait_for_function("document.querySelector('.said').innerText.includes('decided')")
        shot(page, "doubt.png")
        page.get_by_role("button", name="New match").click()
        page.get_by_label("Rules").click()
        page.get_by_role("option", name="Darts").click()
        start_new(page)
        for hit in DARTS:
            said = page.locator(".said").inner_text()
            page.locator(f".darts .ready [data-hit='{hit}']").dispatch_event("click")
            page.wait_for_function("was => document.querySelector('.said').innerText !== was", arg=said)
        shot(page, "darts.png")


if __name__ == "__main__":
    with chromium() as made_with, tempfile.TemporaryDirectory() as kept_in:
        questions(made_with, Path(kept_in))
        match(made_with, Path(kept_in))
