"""Packages of others, installed from PyPI into an environment of their own and run from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGES = {
    "exact-cover-py": ("exact-cover-py",),
    "xcover": ("xcover",),
    "exact-cover": ("exact-cover",),
    "cpmpy": ("cpmpy", "ortools"),
}
"""The peers, and what is installed for each."""

_WORKER = Path(__file__).with_name("peer_worker.py")


class PeerError(Exception):
    """A peer cannot be installed, or does not answer."""


class Environment:
    """A virtual environment in the user's cache folder; made on first use."""

    def __init__(self, folder: Path | None = None) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        self.folder = folder or Path(cache) / "csp-sudoku" / f"peers-{version}"
        self._record = self.folder / "peers.json"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def prepare(self, tell: Callable[[str], None]) -> dict[str, str]:
        """Install all peers; gives what came of each: its version, or why there is none."""
        if self._record.exists():
            known: dict[str, str] = json.loads(self._record.read_text(encoding="utf-8"))
            if known.keys() == PACKAGES.keys():
                return known
        shutil.rmtree(self.folder, ignore_errors=True)
        try:
            tell(f"an environment for the peers in {self.folder}")
            subprocess.run([sys.executable, "-m", "venv", str(self.folder)], check=True)
            said = {}
            for peer, packages in PACKAGES.items():
                tell(f"installing {peer}")
                said[peer] = self._install(packages)
            self._record.write_text(json.dumps(said, indent=1), encoding="utf-8")
        except BaseException:  # half an environment is worse than none
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return said

    def _install(self, packages: tuple[str, ...]) -> str:
        pip = [str(self.python), "-m", "pip", "--disable-pip-version-check"]
        done = subprocess.run(
            [*pip, "install", "-q", *packages], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return f"not installed: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}"
        shown = subprocess.run(
            [*pip, "show", packages[0]], capture_output=True, text=True, check=True
        )
        return next(
            line.split()[1] for line in shown.stdout.splitlines() if line.startswith("Version:")
        )


class Peer:
    """A process that solves instances with one package; a context manager."""

    def __init__(self, name: str, environment: Environment) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [str(environment.python), str(_WORKER), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def load(self, kind: str, instances: list[Any]) -> None:
        """Set the ``puzzles`` or ``covers`` to solve, and warm up."""
        self._ask({kind: instances})

    def seconds(self) -> list[float]:
        """Solve all, and tell how long each took."""
        found: list[float] = self._ask({"run": True})["seconds"]
        return found

    def answers(self) -> list[Any]:
        """Solve all, and tell what was found."""
        found: list[Any] = self._ask({"answers": True})["answers"]
        return found

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # it has said why on its standard error
        line = process.stdout.readline()
        if not line:
            said = process.stderr.read().strip().splitlines()
            raise PeerError(f"{self.name}: {said[-1] if said else 'ended without a word'}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
