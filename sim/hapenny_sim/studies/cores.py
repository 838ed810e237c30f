"""Spread a study's jobs over all cores, or over a Dask cluster, with a progress bar; results in the order of
the jobs.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from threading import Event, Thread
from typing import Any

from hapenny_link.errors import UserError
from rich.console import Console
from rich.progress import Progress, TimeElapsedColumn

SAY_S = 15.0  # between two lines, where no bar can be drawn
ANSWER_S = 10  # a scheduler, and its workers, are there by then


def each(function: Callable[..., Any], jobs: list[tuple], scheduler: str | None, label: str) -> list[Any]:
    """function(*job) for every job. `scheduler` is a Dask scheduler's address, None for this machine's cores."""
    if scheduler:
        return list(_shown(_on_dask(function, jobs, scheduler), len(jobs), label))
    if len(jobs) == 1:
        return list(_shown((function(*job) for job in jobs), 1, label))
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(jobs))) as pool:
        return list(_shown(pool.map(_call, [(function, job) for job in jobs]), len(jobs), label))


def _call(work: tuple[Callable[..., Any], tuple]) -> Any:
    function, job = work
    return function(*job)


def _shown(results: Iterable[Any], count: int, label: str) -> Iterator[Any]:
    """The results, and on a terminal a bar and the time, which runs while the first job lasts; else a line at times."""
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=count)
        done = Event()
        if not console.is_terminal:
            Thread(target=_say, args=(bar, label, done), daemon=True).start()
        try:
            for result in results:
                bar.advance(task)
                yield result
        finally:
            done.set()


def _say(bar: Progress, label: str, done: Event) -> None:
    """How far it is, every few seconds, until it is done."""
    began_s = time.monotonic()
    while not done.wait(SAY_S):
        task, passed_s = bar.tasks[0], time.monotonic() - began_s
        print(
            f"{label}: {passed_s:.0f} s, {task.completed:.0f} of {task.total:.0f} parts done",
            file=sys.stderr,
            flush=True,
        )


def _on_dask(function: Callable[..., Any], jobs: list[tuple], address: str) -> Iterator[Any]:
    try:
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError as error:
        raise UserError("--scheduler needs Dask: pip install 'hapenny[dask]'.") from error
    try:
        resolve_address(address)  # of what is no address: its client would stay half open for ever
        client = Client(address, timeout=ANSWER_S)
    except (OSError, ValueError) as error:
        why = "write its address as tcp://HOST:8786" if isinstance(error, ValueError) else "is it running?"
        raise UserError(f"no Dask scheduler answers at {address}; {why}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=ANSWER_S)
        except TimeoutError as error:
            raise UserError(f"the Dask scheduler at {address} has no workers: dask worker {address}") from error
        try:
            for future in client.map(_call, [(function, job) for job in jobs]):
                yield future.result()
        except ModuleNotFoundError as error:
            raise UserError(f"the Dask workers lack '{error.name}': pip install 'hapenny[sim]' there") from error


def chunks(total: int, size: int) -> list[tuple[int, int]]:
    """(first, count) of pieces of `total`."""
    return [(first, min(size, total - first)) for first in range(0, total, size)]
