"""Work of many like parts, spread over processes."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

Found = TypeVar("Found")


def spread(work: Callable[[int], Found], count: int, processes: int) -> Iterator[Found]:
    """work(0), work(1), … in their order, each done by one of so many processes, or by this one if it is one.

    The processes end with this generator, and with this process, however it ends; Ctrl-C is not theirs.
    Raises ChildProcessError where one of them ends by itself. With several, ``work`` must be picklable.
    """
    if processes == 1:
        yield from map(work, range(count))
        return
    with _started(work, min(processes, count)) as pipes:
        yield from _in_order(_gathered(pipes, count))


@contextmanager
def _started(work: Callable[[int], Any], processes: int) -> Iterator[list[Connection]]:
    """Our end of a pipe to each process."""
    started = []
    # What is ignored here is ignored by children from their first instant: no traceback of a half begun one.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        started = [_start(work) for _ in range(processes)]
    finally:
        signal.signal(signal.SIGINT, handler)
    try:
        yield [pipe for _, pipe in started]
    finally:
        for process, _ in started:
            process.terminate()
            process.join()


def _start(work: Callable[[int], Any]) -> tuple[SpawnProcess, Connection]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=partial(_serve, work, theirs), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _serve(work: Callable[[int], Any], pipe: Connection) -> None:
    """In a process: do what the parent asks for until it is gone."""
    with suppress(EOFError, ConnectionError):
        while True:
            number = pipe.recv()
            pipe.send((number, work(number)))


def _gathered(pipes: list[Connection], count: int) -> Iterator[tuple[int, Any]]:
    """Numbers with what was found for them, as they come; who is done with one has the next."""
    left = list(reversed(range(count)))
    busy = list(pipes)
    for pipe in busy:
        pipe.send(left.pop())
    while busy:
        ready = wait(busy)
        for pipe in [pipe for pipe in busy if pipe in ready]:
            found = _received(pipe)
            if left:
                pipe.send(left.pop())
            else:
                busy.remove(pipe)
            yield found


def _received(pipe: Connection) -> tuple[int, Any]:
    try:
        found: tuple[int, Any] = pipe.recv()
    except (EOFError, ConnectionError):
        raise ChildProcessError("A process ended before its work was done.") from None
    return found


def _in_order(found: Iterator[tuple[int, Any]]) -> Iterator[Any]:
    early: dict[int, Any] = {}
    following = 0
    for number, each in found:
        early[number] = each
        while following in early:
            yield early.pop(following)
            following += 1
