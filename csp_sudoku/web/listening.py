"""A solver behind f-puzzles: the protocol over a WebSocket, for programs on this machine.

A connection has one command at work: any new message cancels it. The work is done in a thread;
the event loop only passes messages on.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any

from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.web.protocol import Memory, Message, answers, canceled, nonce_of, read_request

PORT = 4545
#: The sites whose pages may connect.
SITES = (
    "https://www.f-puzzles.com",
    "https://f-puzzles.com",
    "https://app.f-puzzles.com",
    "https://sudokupad.app",
    "https://app.crackingthecryptic.com",
)
# A document of f-puzzles has some kilobytes; a longer message closes the connection.
MAX_BYTES = 4 * 2**20
# How many seconds connections may take to close at the end.
_PATIENCE = 2.0

Say = Callable[[str], None]


#: What answers the messages of one client.
Answerer = Callable[[Message, Event], Iterator[Message]]


async def listen(
    port: int = PORT,
    *,
    allow: Sequence[str] = (),
    seconds: float | None = None,
    say: Say = lambda text: None,
    ready: Callable[[int], None] = lambda port: None,
) -> None:
    """Serve the protocol on this machine until the task is cancelled.

    Parameters
    ----------
    allow
        Origins of further sites that may connect, such as ``http://localhost:8000``.
    seconds
        How long a command may take.
    say
        Takes a line for the terminal.
    ready
        Takes the port when connections are accepted.
    """

    for origin in allow:
        if not re.fullmatch(r"https?://[^/\s]+", origin):
            raise FormatError(f"origin {origin!r}: write it as in http://localhost:8000")

    def client() -> Answerer:
        return partial(_answers, Memory(), say)

    await run_server(client, port, origins=[*SITES, *allow], seconds=seconds, say=say, ready=ready)


def _answers(memory: Memory, say: Say, message: Message, cancel: Event) -> Iterator[Message]:
    """Yield the answers to a message of the userscript."""
    request = read_request(message)
    for reason in request.reading.left_out:
        say(f"left out: {reason}")
    yield from answers(request, cancel, memory)


async def run_server(
    client: Callable[[], Answerer],
    port: int,
    *,
    origins: Sequence[str],
    seconds: float | None = None,
    say: Say = lambda text: None,
    ready: Callable[[int], None] = lambda port: None,
    process_request: Any = None,
) -> None:
    """Answer messages on this machine until the task is cancelled; see :func:`listen`."""
    try:
        from websockets.asyncio.server import serve
    except ImportError:
        raise FormatError("this needs websockets: pip install 'csp-sudoku[web]'") from None

    async def handle(socket: Any) -> None:
        await _Connection(socket, client(), seconds, say).run()

    try:
        server = await serve(
            handle,
            "127.0.0.1",
            port,
            # A program that is no browser has no origin.
            origins=[*origins, None],  # type: ignore[list-item]
            max_size=MAX_BYTES,
            process_request=process_request,
        )
    except OSError as error:
        raise FormatError(f"port {port}: {os.strerror(error.errno or 0)}") from None
    ready(next(iter(server.sockets)).getsockname()[1])
    try:
        await asyncio.Event().wait()  # until the task is cancelled
    finally:
        server.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), _PATIENCE)


class _Connection:
    """A client: its socket, and the command that is at work for it."""

    def __init__(self, socket: Any, answers: Answerer, seconds: float | None, say: Say) -> None:
        self._socket = socket
        self._answers = answers
        self._seconds = seconds
        self._say = say
        self._cancel = Event()
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Answer the messages of a client until it goes."""
        from websockets.exceptions import ConnectionClosed

        self._say("a page has connected")
        try:
            async for frame in self._socket:
                await self._end_work()
                await self._take(frame)
        except ConnectionClosed as closed:
            self._say(f"a connection ended: {closed}")
        finally:
            await self._end_work()
            self._say("a page has gone")

    async def _take(self, frame: str | bytes) -> None:
        nonce = 0
        try:
            message = json.loads(frame)
            if not isinstance(message, dict):
                raise FormatError("a message must be an object")
            nonce = nonce_of(message)
        except (ValueError, RecursionError, CspSudokuError) as error:
            await self._send({"nonce": nonce, "type": "invalid", "message": f"not read: {error}"})
            return
        if message.get("command") == "cancel":
            await self._send(canceled(nonce))
            return
        self._cancel = Event()
        self._work = asyncio.create_task(self._answer(message, self._cancel))

    async def _answer(self, message: Message, cancel: Event) -> None:
        """Answer one message; the work is done in a thread."""
        loop, waiting = asyncio.get_running_loop(), asyncio.Queue[Message | None]()

        def work() -> None:
            try:
                for answer in self._answers(message, cancel):
                    loop.call_soon_threadsafe(waiting.put_nowait, answer)
            except (CspSudokuError, RecursionError) as error:
                wrong = {"nonce": nonce_of(message), "type": "invalid", "message": str(error)}
                loop.call_soon_threadsafe(waiting.put_nowait, wrong)
            except Exception as error:  # a fault of ours must not end the connection
                said = f"a fault in csp-sudoku: {type(error).__name__}: {error}"
                self._say(said)
                fault = {"nonce": nonce_of(message), "type": "invalid", "message": said}
                loop.call_soon_threadsafe(waiting.put_nowait, fault)
            finally:
                loop.call_soon_threadsafe(waiting.put_nowait, None)

        late = self._seconds and loop.call_later(self._seconds, cancel.set)
        working = asyncio.create_task(asyncio.to_thread(work))
        try:
            while (answer := await waiting.get()) is not None:
                await self._send(answer)
        finally:
            if late:
                late.cancel()
            cancel.set()
            await working

    async def _end_work(self) -> None:
        self._cancel.set()
        if self._work is not None:
            await self._work
            self._work = None

    async def _send(self, answer: Message) -> None:
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed):
            await self._socket.send(json.dumps(answer, separators=(",", ":")))


def warm_up(say: Say) -> None:
    """Load solvers and kernels, so that the first answers come at once."""
    import csp_sudoku as cs
    from csp_sudoku.running.warming import prepare

    say("loading the solvers (the first time this takes up to a minute) …")
    for engine in ("search", "boards"):
        prepare(engine)
    cages = cs.Puzzle.blank(9).add(cs.KillerCage("R1C1 R1C2", 5), cs.Difference("R5C5 R5C6"))
    for asked in (cages, "." * 80 + "1"):
        cs.solve(asked, limit=2)
        cs.true_candidates(asked)
        cs.estimate(asked, samples=2)
        cs.hint(asked)
