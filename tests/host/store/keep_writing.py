"""Run by test_power: takes events in by the writer as fast as it can, and prints each that was acknowledged."""

import os
import sys
import time

from hapenny_host.boards.state import StateKeeper
from hapenny_host.store import Store
from hapenny_host.store.writer import Writer
from hapenny_link.conversation import Received

store = Store(sys.argv[1])
writer = Writer(store, StateKeeper())
writer.start()
first = store.last("A", 7) + 1
for seq in range(first, first + 100000):
    writer.event(Received("A", 7, 1, seq, b"%d" % seq, 1.0), lambda seq=seq: os.write(1, b"%d\n" % seq))
    while writer.queue.qsize() > 20:
        time.sleep(0.001)
