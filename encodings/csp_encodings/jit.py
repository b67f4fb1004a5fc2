"""The decorator that compiles a kernel: Numba, with a cache on disk where one can be kept."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core import event

from csp_encodings.machine_code import digest

Function = TypeVar("Function", bound=Callable[..., Any])

# At the level DEBUG it writes some hundred thousand lines at the first call of a kernel.
if logging.getLogger("numba").level == logging.NOTSET:
    logging.getLogger("numba").setLevel(logging.WARNING)

_OPTIONS: dict[str, Any] = {"nogil": True, "boundscheck": False}
_WITHIN_KERNELS = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile a function to machine code on its first call; the GIL is released while it runs.

    The compiled code is kept in ``NUMBA_CACHE_DIR``, or beside the source, or in the user's cache
    folder: the first of them that can be written. Where none can (a read-only installation without
    a home folder, a full disk) the function is compiled anew in every process. With
    ``NUMBA_DISABLE_JIT=1`` it stays plain Python; with ``NUMBA_BOUNDSCHECK=1`` (and an empty cache)
    indices are checked.

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
    function.__qualname__ += f"_{digest(Path(function.__code__.co_filename).parent)}"
    try:
        compiled = njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # "no locator available": Numba refuses at once, not on the first call
        compiled = njit(**_OPTIONS)(function)
    else:
        _forgive(getattr(compiled, "_cache", None))
    return cast(Function, compiled)


def _forgive(cache: Any) -> None:
    """Let a cache that fails in use (a full disk, a damaged file) cost time and no answer."""

    def forgiving(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            try:
                return method(*arguments)
            except Exception as error:
                logging.getLogger("csp_sudoku").info("the cache of machine code fails: %r", error)
                return None

        return call

    if cache is not None:
        cache.load_overload = forgiving(cache.load_overload)
        cache.save_overload = forgiving(cache.save_overload)


def subroutine(function: Function) -> Function:
    """Compile a function that only kernels call.

    It is part of each kernel that calls it, and of its file in the cache: it needs no file of its
    own, nor a way to be called from Python, which takes longer to compile than most functions.

    Examples
    --------
    >>> @subroutine
    ... def twice(number: int) -> int:
    ...     return 2 * number
    >>> @kernel
    ... def thrice(number: int) -> int:
    ...     return twice(number) + number
    >>> thrice(2)
    6
    """
    return cast(Function, njit(**_WITHIN_KERNELS)(function))


def inlined(function: Function) -> Function:
    """Put a function into the one kernel or subroutine that calls it, before that is compiled.

    It pays for a short function that calls much: to compile it by itself would be to optimise all
    that once more. Where there are several callers, or much is put into one, it takes longer.

    Examples
    --------
    >>> @inlined
    ... def half(number: int) -> int:
    ...     return number // 2
    >>> @kernel
    ... def quarter(number: int) -> int:
    ...     return half(number) // 2
    >>> quarter(9)
    2
    """
    return cast(Function, njit(inline="always", **_WITHIN_KERNELS)(function))


def constant(number: int) -> int:
    """A number to call subroutines with: for each plain one Numba would compile them anew.

    Examples
    --------
    >>> int(constant(-1))
    -1
    """
    return cast(int, np.int64(number))


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
