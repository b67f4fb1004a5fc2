"""Which hand-written engine suits a graph, told without loading one: Numba takes long to load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import domains, factors
from csp_encodings.machine_code import was_on_disk
from csp_sudoku.kernels import BOARD_SHAPES

if TYPE_CHECKING:
    import networkx as nx

_KERNELS = Path(__file__).parents[1] / "kernels"
_WORD = 64


class Engine(NamedTuple):
    """An engine: its name among the backends, and the kernel that it runs."""

    name: str
    kernel: str

    @property
    def is_compiled(self) -> bool:
        """Whether its kernel was on disk when this process began."""
        return was_on_disk(_KERNELS, self.kernel)


SEARCH = Engine("search", "search_domains")
BOARDS = Engine("boards", "search_boards")


def engine_for(graph: nx.Graph, *, once: bool = False) -> Engine:
    """Return the engine that suits a graph: boards if they can hold it and its rules are all over.

    A few lines or dots take longer to lay out on boards than to search without; any take longer if
    a single puzzle of these rules is asked about: `once`.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Puzzle
    >>> engine_for(Puzzle.blank(9).rules_graph).name
    'boards'
    >>> engine_for(Puzzle.blank(9).add(KillerCage("R1C1 R1C2", 5)).rules_graph).name
    'search'
    """
    if not fits_boards(graph):
        return SEARCH
    relations = sum(isinstance(factor, Relation) for factor in factors(graph).values())
    pays = not once and relations >= len(domains(graph))
    return BOARDS if relations == 0 or pays else SEARCH


def fits_boards(graph: nx.Graph) -> bool:
    """Whether boards can hold a graph."""
    try:
        board_shape(graph)
    except BudgetError:
        return False
    return True


def board_shape(graph: nx.Graph) -> tuple[int, int]:
    """Return the words and values of the boards for a graph; an error says why none fits."""
    for factor in factors(graph).values():
        if not isinstance(factor, AllDifferent | Relation):
            raise BudgetError(
                f"boards hold differences and relations, not a factor {type(factor).__name__}; "
                f"search holds any"
            )
    domain_of = domains(graph)
    cells, values = len(domain_of), len(set().union(*set(domain_of.values())))
    for words, most in BOARD_SHAPES:
        if cells <= _WORD * words and values <= most:
            return words, most
    words, most = BOARD_SHAPES[-1]
    raise BudgetError(
        f"boards hold up to {_WORD * words} variables with {most} values in all, not {cells} with "
        f"{values}; search holds any"
    )
