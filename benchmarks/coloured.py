"""Exact covers with colours: the same covers for our dancing links and for `xcover`."""

from __future__ import annotations

from benchmarks import instances
from benchmarks.contest import Row, Setting, contest, each, shown
from benchmarks.peers import Peer
from csp_sudoku.backends.dlx import Dlx, DlxSession


def measure(setting: Setting) -> list[Row]:
    """One row: killer cages and arrows, encoded once, solved by both."""
    if not setting.usable("xcover"):
        return []
    puzzles = instances.caged(setting.number(12), setting.seed)
    sessions = [Dlx().compile(puzzle.graph) for puzzle in puzzles]
    covers = [
        {
            "items": len(session.cover.items),
            "primary": session.cover.primary,
            "starts": session.cover.starts.tolist(),
            "members": session.cover.members.tolist(),
            "colours": session.cover.colours.tolist(),
        }
        for session in sessions
    ]
    with Peer("xcover", setting.environment) as peer:
        setting.tell("xcover: warming up")
        peer.load("covers", covers)
        answers = peer.answers()
        for session, options in zip(sessions, answers, strict=True):
            [ours] = session.solutions()
            assert ours == session.cover.decode(options), "xcover and dlx disagree"
        took = contest({"dlx": each(sessions, prove), "xcover": peer.seconds}, setting)
    ratio = took["xcover"] / took["dlx"]
    return [
        Row(
            "killer cages and arrows as exact covers with colours; dlx: unique; xcover: first",
            shown(took["dlx"]),
            shown(took["xcover"]),
            ratio,
            "≥ 20 ×",
            ratio >= 20,
            "python -m benchmarks --only coloured",
        )
    ]


def prove(session: DlxSession) -> None:
    """Find the solution and that there is no other."""
    assert session.solutions(limit=2).drain(2).count == 1
