"""Names that are loaded when they are first asked for, so that an import costs little."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


class _Package(ModuleType):
    """A package in which a function keeps its name when a module of this name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        # ``import csp_sudoku.verify`` would put the module in the place of ``verify``.
        if not (isinstance(value, ModuleType) and name in self.__all__):
            super().__setattr__(name, value)


def attach(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    `homes` says for every module which names it has, separated by blanks. The modules of the
    package itself can be asked for, too: they need not be imported by their user.

    Examples
    --------
    >>> find, _, names = attach("csp_sudoku", {"csp_sudoku.errors": "FormatError PuzzleError"})
    >>> names, find("FormatError").__name__
    (['FormatError', 'PuzzleError'], 'FormatError')
    >>> find("drawing").__name__
    'csp_sudoku.drawing'
    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}
    sys.modules[package].__class__ = _Package

    def find(name: str) -> object:
        if name in home_of:
            found = getattr(import_module(home_of[name]), name)
            # Found at once the next time.
            setattr(sys.modules[package], name, found)
            return found
        if not name.startswith("_"):
            module = f"{package}.{name}"
            try:
                return import_module(module)
            except ModuleNotFoundError as error:
                if error.name != module:
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return find, names, sorted(home_of)
