"""Small faults that any code can have: an operator, a number, a condition, a statement left out.

``mutants(source)`` lists them, and each makes a syntax tree with that one change. Left out are
places where a change is no fault: annotations, docstrings, messages of errors, examples, and
constants in capitals, which tune the speed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NO_FAULT = {"__repr__", "__str__", "examples"}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change of a module: where it is, and which of those that are possible there."""

    source: str
    line: int
    node: int
    change: int

    def applied(self) -> tuple[ast.Module, str, str]:
        """Return the module with the change, what stood there, and what stands there now."""
        tree = ast.parse(self.source)
        node = list(ast.walk(tree))[self.node]
        old = ast.unparse(node)
        change = list(_changes(node))[self.change]
        return tree, old, change(node)


def mutants(source: str) -> list[Mutant]:
    """Return every small fault of a module's source text."""
    tree = ast.parse(source)
    number = {id(node): index for index, node in enumerate(ast.walk(tree))}
    return [
        Mutant(source, node.lineno, number[id(node)], index)
        for node in _code(tree)
        for index, _ in enumerate(_changes(node))
    ]


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Walk over what can be at fault."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_no_code(child):
                continue
            yield child
            yield from _code(child)


def _is_no_code(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.FunctionDef) and node.name in NO_FAULT:
        return True
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    return isinstance(node, ast.Assign | ast.AnnAssign) and all(
        isinstance(target, ast.Name) and target.id.lstrip("_").isupper() for target in targets
    )


def _changes(node: ast.AST) -> Iterator[Callable[[ast.AST], str]]:
    """Return what can be changed in a node: functions that do it and say what is new."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield _with(lambda n: n.ops.__setitem__(0, COMPARISONS[type(n.ops[0])]()))
        case ast.BinOp(op=op) if type(op) in ARITHMETIC and not _is_text(node):
            yield _with(lambda n: setattr(n, "op", ARITHMETIC[type(n.op)]()))
        case ast.AugAssign(op=op) if type(op) in ARITHMETIC:
            yield _with(lambda n: setattr(n, "op", ARITHMETIC[type(n.op)]()))
            yield _leave_out
        case ast.BoolOp(op=op):
            other = ast.Or if isinstance(op, ast.And) else ast.And
            yield _with(lambda n: setattr(n, "op", other()))
        case ast.UnaryOp(op=ast.Not()):
            yield _with(_deny)
        case ast.Constant(value=bool()):
            yield _with(lambda n: setattr(n, "value", not n.value))
        case ast.Constant(value=int()):
            yield _with(lambda n: setattr(n, "value", n.value + 1))
        case ast.Name(id=name) if name in NAMES:
            yield _with(lambda n: setattr(n, "id", NAMES[n.id]))
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield _leave_out
        case ast.Continue():
            yield _becomes(ast.Break)
        case ast.Break():
            yield _becomes(ast.Continue)


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.walk(node)
    )


def _with(edit: Callable[[ast.AST], object]) -> Callable[[ast.AST], str]:
    def change(node: ast.AST) -> str:
        edit(node)
        return ast.unparse(node)

    return change


def _deny(node: ast.AST) -> None:
    """``not x`` becomes ``not not x``."""
    node.operand = ast.UnaryOp(ast.Not(), node.operand)
    ast.fix_missing_locations(node)


def _leave_out(node: ast.AST) -> str:
    nothing = ast.copy_location(ast.Constant(value=None), node)
    node.__class__ = ast.Expr
    node.value = nothing
    return "(left out)"


def _becomes(kind: type[ast.stmt]) -> Callable[[ast.AST], str]:
    def change(node: ast.AST) -> str:
        node.__class__ = kind
        return ast.unparse(node)

    return change
