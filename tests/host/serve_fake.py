"""Serves the pages over the fake board, as `hapenny run` does, for browser tests: serve_fake.py PORT STORE.

SIGUSR1 unplugs the board, SIGUSR2 plugs it in again, SIGHUP clears the table.
"""

import signal
import sys
from pathlib import Path

from hapenny_host import serve
from hapenny_host.settings import StoreSettings

sys.path.insert(0, str(Path(__file__).parents[1]))
from host.fake import FakeBoard


def main() -> None:
    fake = FakeBoard()
    fake.table.slide_s = 0.3
    signal.signal(signal.SIGUSR1, lambda *_: setattr(fake, "plugged", False))
    signal.signal(signal.SIGUSR2, lambda *_: setattr(fake, "plugged", True))
    signal.signal(signal.SIGHUP, lambda *_: fake.table.clear())
    serve.open_board = lambda url: fake.board()
    serve.run("unix:", int(sys.argv[1]), "127.0.0.1", StoreSettings(at=sys.argv[2]), None)


if __name__ == "__main__":
    main()
