"""A solver behind f-puzzles: the protocol over a WebSocket, for programs on this machine.

A connection has one command at work: any new message cancels it. The work is done in a thread;
the event loop only passes messages on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
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
    try:
        from websockets.asyncio.server import serve
    except ImportError:
        raise FormatError("this needs websockets: pip install 'csp-sudoku[web]'") from None

    async def handle(socket: Any) -> None:
        await _Connection(socket, seconds, say).run()

    try:
        server = await serve(
            handle,
            "127.0.0.1",
            port,
            # A program that is no browser has no origin.
            origins=[*SITES, *allow, None],  # type: ignore[list-item]
            max_size=MAX_BYTES,
        )
    except OSError as error:
        raise FormatError(f"port {port}: {error.strerror or error}") from None
    ready(next(iter(server.sockets)).getsockname()[1])
    try:
        await asyncio.Event().wait()  # until the task is cancelled
    finally:
        server.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), _PATIENCE)


class _Connection:
    """A client: its socket, and the command that is at work for it."""

    def __init__(self, socket: Any, seconds: float | None, say: Say) -> None:
        self._socket = socket
        self._seconds = seconds
        self._say = say
        self._memory = Memory()
        self._cancel = Event()
        self._work: asyncio.Task[None] | None = None
        self._left_out: tuple[str, ...] = ()

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

    def _answers(self, message: Message, cancel: Event) -> Any:
        try:
            request = read_request(message)
        except (CspSudokuError, RecursionError) as error:
            yield {"nonce": nonce_of(message), "type": "invalid", "message": str(error)}
            return
        if request.reading.left_out != self._left_out:
            self._left_out = request.reading.left_out
            for reason in self._left_out:
                self._say(f"left out: {reason}")
        yield from answers(request, cancel, self._memory)

    async def _end_work(self) -> None:
        self._cancel.set()
        if self._work is not None:
            await self._work
            self._work = None

    async def _send(self, answer: Message) -> None:
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed):
            await self._socket.send(json.dumps(answer, separators=(",", ":")))


def warm_up() -> None:
    """Load solvers and kernels, so that the first answers come at once."""
    import csp_sudoku as cs

    puzzle = cs.Puzzle.blank(9).add(cs.KillerCage("R1C1 R1C2", 5), cs.Difference("R5C5 R5C6"))
    for asked in (puzzle, "." * 80 + "1"):
        cs.solve(asked, limit=2)
        cs.true_candidates(asked)
        cs.hint(asked)
