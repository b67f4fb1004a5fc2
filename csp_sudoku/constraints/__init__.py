"""The rules of puzzles, grouped as people group them.

The grid: ``regions`` no value twice in a region · ``everywhere`` all pairs at a distance ·
``blocks`` all 2×2 blocks · ``connected`` values that hang together.
Ordered cells: ``lines``, ``line_sums``, ``words`` · ``arrows`` sums along a shaft · ``outside``
clues at the edge.
Some cells: ``pairs`` dots, signs, extremes · ``cages``, ``lunchbox`` sums without repeats ·
``sets`` which values occur, and how often · ``indexing`` positions · ``modifiers`` cells that count
for another value.
Beyond: ``custom`` rules of one's own · ``logic`` and, or, not · ``base`` the contract of a
constraint · ``counting`` what several of them share · ``registry`` all of them by name.
"""

from csp_sudoku.constraints.arrows import Arrow, AverageArrow, DoubleArrow, PillArrow
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.blocks import DutchFlatmates, GlobalEntropy, GlobalModulo
from csp_sudoku.constraints.cages import (
    EqualityCage,
    KillerCage,
    MultiSumCage,
    RellikCage,
    Sum,
)
from csp_sudoku.constraints.connected import ConnectedValues
from csp_sudoku.constraints.custom import Fold, Table, Where, fold, where
from csp_sudoku.constraints.everywhere import (
    AntiKing,
    AntiKnight,
    ChessOffset,
    DiagonalNonconsecutive,
    Knightmare,
    NegativeKropki,
    NegativeXV,
    Nonconsecutive,
    Queen,
    SelfTaxicab,
    Taxicab,
)
from csp_sudoku.constraints.indexing import BoxIndexing, ColumnIndexing, RowIndexing
from csp_sudoku.constraints.line_sums import ProductLine, RegionSum, SumLine, Zipper
from csp_sudoku.constraints.lines import (
    Between,
    Entropic,
    Lockout,
    Modular,
    Nabner,
    Palindrome,
    ParityLine,
    Renban,
    SlowThermometer,
    Thermometer,
    Whisper,
)
from csp_sudoku.constraints.logic import And, Not, Or
from csp_sudoku.constraints.lunchbox import Lunchbox
from csp_sudoku.constraints.modifiers import Doublers, Negators, ValueModifiers, modified
from csp_sudoku.constraints.outside import (
    BeforeGreatest,
    HiddenSkyscraper,
    LittleKiller,
    NumberedRoom,
    Outside,
    Sandwich,
    Skyscraper,
    XSum,
)
from csp_sudoku.constraints.pairs import (
    AllPairs,
    Difference,
    Equal,
    GreaterThan,
    Maximum,
    Minimum,
    NotEqual,
    Pair,
    PairSum,
    Ratio,
)
from csp_sudoku.constraints.rank import FullRank, FullRankTies
from csp_sudoku.constraints.regions import (
    AllDifferent,
    Diagonals,
    DisjointGroups,
    Even,
    House,
    Odd,
    SameValueHouses,
    Windoku,
)
from csp_sudoku.constraints.sets import (
    Clone,
    ContainsAtLeast,
    ContainsExactly,
    CountDistinct,
    CountingCircles,
    EqualSum,
    LookAndSay,
    MagicSquare,
    Quadruple,
    SameValues,
)
from csp_sudoku.constraints.words import Regex, StateMachine, ValueIndexing

__all__ = [
    "AllDifferent",
    "AllPairs",
    "And",
    "AntiKing",
    "AntiKnight",
    "Arrow",
    "AverageArrow",
    "BeforeGreatest",
    "Between",
    "BoxIndexing",
    "CellConstraint",
    "ChessOffset",
    "Clone",
    "ColumnIndexing",
    "ConnectedValues",
    "Constraint",
    "ContainsAtLeast",
    "ContainsExactly",
    "CountDistinct",
    "CountingCircles",
    "DiagonalNonconsecutive",
    "Diagonals",
    "Difference",
    "DisjointGroups",
    "DoubleArrow",
    "Doublers",
    "DutchFlatmates",
    "Entropic",
    "Equal",
    "EqualSum",
    "EqualityCage",
    "Even",
    "Fold",
    "FullRank",
    "FullRankTies",
    "GlobalEntropy",
    "GlobalModulo",
    "GreaterThan",
    "HiddenSkyscraper",
    "House",
    "KillerCage",
    "Knightmare",
    "LittleKiller",
    "Lockout",
    "LookAndSay",
    "Lunchbox",
    "MagicSquare",
    "Maximum",
    "Minimum",
    "Modular",
    "MultiSumCage",
    "Nabner",
    "NegativeKropki",
    "NegativeXV",
    "Negators",
    "Nonconsecutive",
    "Not",
    "NotEqual",
    "NumberedRoom",
    "Odd",
    "Or",
    "Outside",
    "Pair",
    "PairSum",
    "Palindrome",
    "ParityLine",
    "PillArrow",
    "ProductLine",
    "Quadruple",
    "Queen",
    "Ratio",
    "Regex",
    "RegionSum",
    "RellikCage",
    "Renban",
    "RowIndexing",
    "SameValueHouses",
    "SameValues",
    "Sandwich",
    "SelfTaxicab",
    "Skyscraper",
    "SlowThermometer",
    "StateMachine",
    "Sum",
    "SumLine",
    "Table",
    "Taxicab",
    "Thermometer",
    "ValueIndexing",
    "ValueModifiers",
    "Where",
    "Whisper",
    "Windoku",
    "XSum",
    "Zipper",
    "fold",
    "modified",
    "where",
]
