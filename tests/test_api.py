"""The public names and their arguments: what ``tests/api.json`` lists stays as it is.

A name or an argument that goes, or that becomes obligatory, breaks programs of others. New ones may
come at any time; ``python tests/test_api.py`` writes them down with a release.
"""

from __future__ import annotations

import inspect
import json
import re
from enum import Enum
from pathlib import Path

import csp_sudoku as cs
from csp_sudoku.constraints import registry

FILE = Path(__file__).with_name("api.json")
LISTED = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
KINDS = inspect.Parameter


def arguments_of(thing):
    """The arguments that a caller may use: each with its kind, and whether it has a default."""
    if inspect.isclass(thing) and issubclass(thing, Enum):
        return {}  # nobody makes one, and each Python lists other arguments
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return {}
    found = {}
    for p in parameters:
        unpacked = re.fullmatch(r"Unpack\[(\w+)\]", str(p.annotation))
        if unpacked:  # a TypedDict lists the keyword arguments
            listed = thing.__globals__[unpacked[1]].__annotations__
            found |= {name: ["KEYWORD_ONLY", True] for name in listed}
        elif not p.name.startswith("_"):
            optional = p.default is not KINDS.empty or p.kind.name.startswith("VAR_")
            found[p.name] = [p.kind.name, optional]
    return found


def members_of(thing):
    """The public attributes of a class."""
    fields = getattr(thing, "__dataclass_fields__", {})
    return sorted({name for name in [*dir(thing), *fields] if not name.startswith("_")})


def api():
    found = {}
    for name in sorted(cs.__all__):
        thing = getattr(cs, name)
        found[name] = {"arguments": arguments_of(thing)}
        if inspect.isclass(thing) and thing not in registry.built_in().values():
            found[name]["members"] = members_of(thing)
    return found


def test_what_was_public_stays():
    for name in LISTED:
        check_it_stays(name)


def check_it_stays(name):
    thing = getattr(cs, name)
    now = arguments_of(thing)
    for argument, (kind, optional) in LISTED[name]["arguments"].items():
        assert argument in now, f"{name}: the argument {argument} is gone"
        assert now[argument][0] == kind, f"{name}: {argument} is given in another way"
        assert now[argument][1] or not optional, f"{name}: {argument} has no default any more"
    known = LISTED[name]["arguments"]
    more = [a for a, (_, optional) in now.items() if a not in known and not optional]
    assert not more, f"{name}: new arguments without a default"
    gone = {*LISTED[name].get("members", ())} - {*members_of(thing)}
    assert not gone, f"{name}: {', '.join(sorted(gone))} is gone"


def test_there_is_a_list():
    assert len(LISTED) > 150


if __name__ == "__main__":
    FILE.write_text(json.dumps(api(), indent=1) + "\n", encoding="utf-8")
    print(f"{FILE}: {len(api())} names")
