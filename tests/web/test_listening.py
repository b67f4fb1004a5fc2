"""A client that speaks the userscript's protocol over a real socket."""

import asyncio
import json
import socket
from contextlib import suppress
from threading import Event

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import csp_sudoku as cs
from csp_sudoku import manual
from csp_sudoku.cli import main
from csp_sudoku.constraints import registry
from csp_sudoku.formats import fpuzzles, lzstring
from csp_sudoku.formats.reading import Progress, Reading
from csp_sudoku.forms import FPuzzles
from csp_sudoku.web import listening, protocol

SITE = "https://www.f-puzzles.com"
SEVERAL = cs.read("1... ..3. .... ...2")
SOLVED = "2134342143121243"
ONE = cs.read("0100300140020040")
NONE = cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2", 3), cs.KillerCage("R2C1 R2C2", 4))
ENDLESS = cs.Puzzle.blank(9)
COMMANDS = ("truecandidates", "solve", "check", "count", "step", "solvepath", "estimate")


def data_of(puzzle, **more):
    document = json.loads(fpuzzles.write_fpuzzles(puzzle)) | more
    if isinstance(puzzle, Reading):  # the site keeps what was entered, too
        for place, value in puzzle.progress.values.items():
            document["grid"][place.row][place.col]["value"] = value
        for place, marks in puzzle.progress.candidates.items():
            document["grid"][place.row][place.col]["centerPencilMarks"] = list(marks)
    return lzstring.compress(json.dumps(document))


class Client:
    def __init__(self, socket):
        self.socket = socket
        self.nonce = 0

    async def send(self, command, puzzle=None, **more):
        self.nonce += 1
        message = {"nonce": self.nonce, "command": command}
        if puzzle is not None:
            message |= {"dataType": "fpuzzles", "data": data_of(puzzle, **more)}
        await self.socket.send(json.dumps(message))

    async def receive(self):
        """The next answer to the last message; others have an old nonce."""
        while True:
            async with asyncio.timeout(60):
                answer = json.loads(await self.socket.recv())
            if answer["nonce"] == self.nonce:
                return answer

    async def ask(self, command, puzzle=None, **more):
        await self.send(command, puzzle, **more)
        answer = await self.receive()
        while answer.get("inProgress"):
            answer = await self.receive()
        return answer


def served(test, **settings):
    """Run a test with a server, and a function that connects to it."""

    async def main():
        ready = asyncio.get_running_loop().create_future()
        said = []
        settings.setdefault("say", said.append)
        server = asyncio.create_task(listening.listen(0, ready=ready.set_result, **settings))
        port = await ready

        def join(origin=SITE):
            return connect(f"ws://127.0.0.1:{port}", origin=origin, max_size=None)

        try:
            await test(join)
        finally:
            server.cancel()
            await asyncio.gather(server, return_exceptions=True)
        assert not [line for line in said if "fault" in line]

    asyncio.run(main())


def test_every_command():
    async def test(join):
        async with join() as socket:
            client = Client(socket)
            assert (await client.ask("check", ONE))["count"] == 1
            assert (await client.ask("check", SEVERAL))["count"] == 2
            assert (await client.ask("check", NONE))["count"] == 0
            assert (await client.ask("count", SEVERAL))["count"] == 3
            solved = await client.ask("solve", ONE)
            assert (solved["type"], solved["solution"]) == ("solved", [*map(int, SOLVED)])
            found = await client.ask("truecandidates", ONE)
            flat = [int(str(v) == d) for d in SOLVED for v in range(1, 5)]
            assert found["solutionsPerCandidate"] == flat
            estimate = await client.ask("estimate", SEVERAL)
            assert (estimate["estimate"], estimate["ci95_lower"], estimate["stderr"]) == (3, 3, 0)
            path = await client.ask("solvepath", ONE)
            assert [cell["value"] for cell in path["cells"]] == [*map(int, SOLVED)]
            assert path["isValid"]
            assert path["message"].count("\n") > 3

    served(test)


def test_candidates_are_counted_up_to_a_limit_and_by_logic():
    async def test(join):
        async with join() as socket:
            client = Client(socket)
            options = ["truecandidatesnumsolutions=2", "logical"]
            # Without singles, logic sees nothing.
            off = ["tuples", "pointing", "fishes", "wings", "aic", "contradictions"]
            found = await client.ask(
                "truecandidates", SEVERAL, truecandidatesoptions=options, disabledlogic=off
            )
            numbers = found["solutionsPerCandidate"]
            counts = cs.true_candidates(SEVERAL, limit=2).counts
            for number, (place, value) in zip(
                numbers, [(p, v) for p in SEVERAL.cells for v in range(1, 5)], strict=True
            ):
                assert number in {counts[place].get(value, 0), -1}
                assert number != -1 or not counts[place][value]

    served(test)


def test_older_userscripts_ask_for_colours():
    message = {"command": "truecandidates", "dataType": "fpuzzles"}
    for options, limit in ((["colored"], 8), (["truecandidatesnumsolutions=x"], 1), ([], 1)):
        data = data_of(ONE, truecandidatesoptions=options)
        assert protocol.read_request({**message, "data": data}).limit == limit


@pytest.mark.parametrize("command", ["check", "solve"])
def test_what_is_undecided_is_no_number(command, monkeypatch):
    """A solver that gives up has not said that there is no solution."""
    given_up = cs.solve(ENDLESS, timeout=0)
    monkeypatch.setattr(protocol.cs, "solve", lambda *args, **how: given_up)
    request = {"command": command, "dataType": "fpuzzles", "data": data_of(ENDLESS)}
    [answer] = protocol.answers(protocol.read_request(request), Event())
    assert (answer["type"], answer["message"]) == ("invalid", "undecided: time ran out")


def test_what_has_no_solution_says_why():
    async def test(join):
        async with join() as socket:
            client = Client(socket)
            for command in ("solve", "truecandidates"):
                answer = await client.ask(command, NONE)
                assert answer["type"] == "invalid"
                assert "R1C1 R1C2 of the cage" in answer["message"]
            path = await client.ask("solvepath", NONE)
            assert (path["type"], path["isValid"]) == ("logical", False)

    served(test)


def entered(answer):
    """What the userscript writes into the grid of ONE after an answer."""
    cells = dict(zip(ONE.cells, answer["cells"], strict=True))
    values = {c: x["value"] for c, x in cells.items() if x["value"] and c not in ONE.givens}
    marks = {c: tuple(x["candidates"]) for c, x in cells.items() if not x["value"]}
    return Reading(ONE, progress=Progress(values, marks))


def test_steps_go_on_from_what_was_entered():
    async def test(join):
        async with join() as socket:
            client = Client(socket)
            answer = await client.ask("step", ONE)
            assert answer["message"] == "Initial candidates.\n"  # the userscript adds no line break
            for _ in range(40):
                answer = await client.ask("step", entered(answer))
                assert answer["isValid"]
                if all(x["value"] for x in answer["cells"]):
                    break
            assert "".join(str(x["value"]) for x in answer["cells"]) == SOLVED
            # What was entered counts for steps alone; a wrong entry is named.
            wrong = Reading(ONE, progress=Progress({cs.cell("R1C1"): 1}))
            assert (await client.ask("check", wrong))["count"] == 1
            step = await client.ask("step", wrong)
            if step["message"] == "Initial candidates.\n":
                step = await client.ask("step", entered(step))
            assert not step["isValid"]
            assert "R1C1 is not 1" in step["message"]

    served(test)


def test_a_new_message_cancels_the_one_before():
    async def test(join):
        async with join() as socket:
            client = Client(socket)
            for command in ("count", "estimate", "solvepath", "truecandidates"):
                await client.send(command, ENDLESS)
                await asyncio.sleep(0.1)
                assert (await client.ask("check", ONE))["count"] == 1
            await client.send("count", ENDLESS)
            progress = [await client.receive() for _ in range(2)]
            assert all(answer["inProgress"] for answer in progress)
            assert (await client.ask("cancel"))["type"] == "canceled"

    served(test)


def test_two_clients_and_one_that_goes():
    async def test(join):
        async with join() as one, join(None) as two:
            first, second = Client(one), Client(two)
            await first.send("count", ENDLESS)
            assert (await second.ask("check", SEVERAL))["count"] == 2
            await one.close()
            assert (await second.ask("solve", ONE))["type"] == "solved"

    served(test)


@pytest.mark.parametrize(
    "frame",
    [
        "", "hello", "[]", "1", "null", "{}", '{"nonce": "x"}', '{"nonce": 1, "command": "dance"}',
        '{"nonce": 1, "command": "solve", "dataType": "fpuzzles"}',
        '{"nonce": 1, "command": "solve", "dataType": "iss", "data": "N4Ig"}',
        '{"nonce": 1, "command": "solve", "dataType": "fpuzzles", "data": "N4Ig"}',
        '{"nonce": 1, "command": "solve", "dataType": "fpuzzles", "data": 5}',
        b"\xff\xfe\x00", "[" * 100_000,
        json.dumps({"nonce": 1, "command": "solve", "dataType": "fpuzzles",
                    "data": lzstring.compress("[" * 5_000)}),
        json.dumps({"nonce": 1, "command": "check", "dataType": "fpuzzles",
                    "data": data_of(ONE, warp=[{"cells": ["R1C1"]}])}),
    ],
)  # fmt: skip
def test_bad_frames_are_answered(frame):
    async def test(join):
        async with join() as socket:
            await socket.send(frame)
            answer = json.loads(await socket.recv())
            assert answer["type"] == "invalid"
            assert answer["message"]
            client = Client(socket)
            client.nonce = 10
            assert (await client.ask("check", ONE))["count"] == 1

    served(test)


def test_a_huge_message_ends_its_connection_alone():
    async def test(join):
        async with join() as socket, join() as other:
            with suppress(ConnectionClosed):
                await socket.send("x" * 10_000_000)
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert (await Client(other).ask("check", ONE))["count"] == 1

    served(test)


def test_only_known_sites_connect():
    async def test(join):
        for origin in (
            "https://elsewhere.example",
            "null",
            "http://www.f-puzzles.com.evil.example",
        ):
            with pytest.raises(InvalidStatus):
                await join(origin).__aenter__()
        async with join("http://localhost:8000") as socket:
            assert (await Client(socket).ask("check", ONE))["count"] == 1

    served(test, allow=["http://localhost:8000"])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("listen --port 65536", "65536 is not in the range 1<=x<=65535"),
        ("serve --port 0", "0 is not in the range 1<=x<=65535"),
        ("listen --allow localhost", "origin 'localhost': write it as in http://localhost:8000"),
        ("listen --port {taken}", "port {taken}: Address already in use"),
    ],
)
def test_wrong_ports_and_origins_are_one_line(command, said, monkeypatch, capsys):
    monkeypatch.setattr(listening, "warm_up", lambda say: None)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert main(command.format(taken=taken).split()) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert said.format(taken=taken) in line


def test_a_command_has_a_time_limit():
    async def test(join):
        async with join() as socket:
            assert (await Client(socket).ask("count", ENDLESS))["type"] == "canceled"

    served(test, seconds=0.3)


def variants():
    """A puzzle with each rule that f-puzzles draws, as far as it fits on a small grid."""
    for kind in registry.built_in().values():
        if any(isinstance(row, FPuzzles) for row in kind.formats):
            for _, puzzle in manual.on_boards(kind):
                with suppress(cs.CspSudokuError):
                    fpuzzles.write_fpuzzles(puzzle)
                    if len(puzzle.cells) == 16:
                        yield puzzle
                        break


def test_variants_give_what_python_gives():
    async def test(join):
        async with join() as socket:
            client = Client(socket)
            puzzles = [*variants()]
            assert len(puzzles) >= 30
            for puzzle in puzzles:
                assert (await client.ask("count", puzzle))["count"] == cs.count(puzzle).value
                found = await client.ask("truecandidates", puzzle)
                values = cs.true_candidates(puzzle).values
                if found["type"] == "truecandidates":
                    flat = [int(v in values[c]) for c in puzzle.cells for v in range(1, 5)]
                    assert found["solutionsPerCandidate"] == flat
                for command in ("solve", "check", "step", "solvepath", "estimate"):
                    assert (await client.ask(command, puzzle))["type"] in {
                        "solved", "count", "logical", "estimate", "invalid",
                    }  # fmt: skip

    served(test)
