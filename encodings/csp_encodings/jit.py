"""The decorator that compiles a kernel: Numba, with a cache on disk where one can be kept."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function to machine code on its first call; the GIL is released while it runs.

    The compiled code is kept in ``NUMBA_CACHE_DIR``, or beside the source, or in the user's cache
    folder: the first of them that can be written. Where none can (a read-only installation without
    a home folder) the function is compiled anew in every process. With ``NUMBA_DISABLE_JIT=1`` it
    stays plain Python; with ``NUMBA_BOUNDSCHECK=1`` (and an empty cache) indices are checked.

    Call a kernel with the same array types everywhere (dtype, contiguous, writable): one signature
    is one compilation, and processes that start together then write equal files to the cache.

    Examples
    --------
    >>> import numpy as np
    >>> @kernel
    ... def total(numbers: np.ndarray) -> int:
    ...     result = 0
    ...     for number in numbers:
    ...         result += number
    ...     return result
    >>> int(total(np.array([1, 2, 3])))
    6
    """
    # Numba compiles anew when the file of a kernel has changed, but not for what the kernel calls
    # from other files. A cache is named after its function: so let the name tell of all files.
    function.__qualname__ += f"_{_digest(Path(function.__code__.co_filename).parent)}"
    options: dict[str, Any] = {"nogil": True, "boundscheck": False}
    try:
        compiled = njit(cache=True, **options)(function)
    except RuntimeError:  # "no locator available": Numba refuses at once, not on the first call
        compiled = njit(**options)(function)
    return cast(Function, compiled)


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Say so, once, if something is compiled within: a first use takes long.

    It is logged, to be seen on a terminal.

    Examples
    --------
    >>> with announced("the kernels of an example"):
    ...     pass
    """
    notice = _Notice(f"compiling {what} to machine code, once: this takes some seconds")
    with event.install_listener("numba:compile", notice):
        yield


class _Notice(event.Listener):  # type: ignore[misc, unused-ignore]
    def __init__(self, text: str) -> None:
        self.text = text

    def on_start(self, event: object) -> None:
        level = logging.WARNING if sys.stderr.isatty() else logging.INFO
        if self.text:
            logging.getLogger("csp_sudoku").log(level, self.text)
        self.text = ""

    def on_end(self, event: object) -> None:
        pass


@cache
def _digest(folder: Path) -> str:
    """A short hash of the sources in a folder, and of those with constants that kernels use."""
    constants = Path(__file__).with_name("arrays.py")
    sources = [path.read_bytes() for path in [constants, *sorted(folder.glob("[!.]*.py"))]]
    return sha256(b"\0".join(sources)).hexdigest()[:8]
