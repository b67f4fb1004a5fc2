"""Values of the command line that need no conversion, so that nothing is loaded to convert them."""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints


def take_plain_values(command: Any) -> None:
    """Let the parameters of a command take text as text, and numbers and flags as they are.

    Typer converts every value with Pydantic, which takes longer to load than most puzzles take to
    solve. What must be converted or checked, such as a number that was typed, still is.
    """
    kinds = get_type_hints(command.callback) if command.callback else {}
    get_params = command.get_params

    def plain_params(context: Any) -> list[Any]:
        found: list[Any] = get_params(context)
        for parameter in found:
            if "process_value" not in vars(parameter):
                _make_plain(parameter, kinds.get(parameter.name, bool))
        return found

    command.get_params = plain_params


def _make_plain(parameter: Any, kind: Any) -> None:
    wanted = set(get_args(kind)) - {NoneType} if get_origin(kind) is not list else {kind}
    wanted = wanted or {kind}
    several = any(get_origin(item) is list for item in wanted)
    convert = parameter.process_value

    def process(context: Any, value: Any) -> Any:
        if several and isinstance(value, list | tuple) and all(type(v) is str for v in value):
            value = list(value)
        elif not (type(value) in wanted or (value is None and not parameter.required)):
            return convert(context, value)
        return parameter.callback(context, parameter, value) if parameter.callback else value

    parameter.process_value = process
