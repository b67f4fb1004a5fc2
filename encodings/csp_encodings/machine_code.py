"""The machine code of kernels on disk: how it is named, and whether it was there at the start.

To load Numba takes longer than to solve most puzzles. So whether a kernel still has to be compiled
is told without it, by the names of files.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

# Kernels import this module before anything is compiled.
_STARTED = time.time()


@cache
def digest(folder: Path) -> str:
    """Return a short hash of the sources in a folder, and of the constants that kernels use."""
    constants = Path(__file__).with_name("network.py")
    sources = [path.read_bytes() for path in [constants, *sorted(folder.glob("[!.]*.py"))]]
    return sha256(b"\0".join(sources)).hexdigest()[:8]


@cache
def was_on_disk(folder: Path, function: str) -> bool:
    """Whether a kernel was on disk, as machine code, when this process began.

    What the process compiles itself does not count: the answer stays the same whatever is done
    first.

    Parameters
    ----------
    folder, function
        Where the source of the kernel is, and its name.

    Examples
    --------
    >>> was_on_disk(Path("nowhere"), "search")
    False
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return False
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    files = f"*.{function}_{digest(folder)}-*.{version}.nbi"
    return any(
        file.stat().st_mtime < _STARTED for place in _places(folder) for file in place.glob(files)
    )


def _places(folder: Path) -> Iterator[Path]:
    """Yield the folders in which Numba keeps machine code of a folder of sources."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield from Path(chosen).glob(f"{folder.name}_*")
        return
    yield folder / "__pycache__"
    # Where that cannot be written, the user's own cache on Linux, macOS or Windows.
    caches = "~/.cache/numba", "~/Library/Caches/numba", "~/AppData/Local/numba/Cache"
    for cache_folder in caches:
        yield from Path(cache_folder).expanduser().glob(f"{folder.name}_*")
