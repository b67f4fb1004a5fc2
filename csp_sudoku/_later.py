"""Lazy names: a package loads a module when one of its names is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


class _Package(ModuleType):
    """A package whose functions keep their names when a module of the same name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        # Without this, ``import csp_sudoku.canonical`` would replace the function by the module.
        if not (isinstance(value, ModuleType) and name in self.__all__):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        # Functions that use the package go to other machines, and it goes with them by its name.
        return import_module, (self.__name__,)


def attach(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package with lazy names.

    `homes` maps each module to the names that it offers, separated by spaces. The modules of the
    package are lazy, too: a user need not import them.

    Examples
    --------
    >>> find, _, names = attach("csp_sudoku", {"csp_sudoku.errors": "FormatError PuzzleError"})
    >>> names, find("FormatError").__name__
    (['FormatError', 'PuzzleError'], 'FormatError')
    >>> find("geometry").__name__
    'csp_sudoku.geometry'
    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}
    sys.modules[package].__class__ = _Package

    def find(name: str) -> object:
        if name in home_of:
            found = getattr(import_module(home_of[name]), name)
            # The next access finds the name without this function.
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
