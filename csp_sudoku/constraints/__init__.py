"""The rules of puzzles, grouped as people group them.

The whole grid: ``regions`` houses, extra regions, diagonals · ``everywhere`` chess and negative
rules · ``blocks`` rules for 2×2 blocks · ``connected`` connected values
and no 2×2 squares of them.
Lines: ``lines`` thermometers, whispers, renban · ``between`` between lines, lockouts · ``entropic``
entropic and modular lines · ``line_sums`` region sums, zippers, sum lines · ``sequences`` index
lines, arithmetic and Fibonacci sequences · ``arrows`` · ``words`` regular expressions, state
machines.
Outside the grid: ``outside`` sandwiches, X-sums, numbered rooms · ``skyscrapers`` ·
``little_killer`` · ``rank`` full rank · ``line_clue`` their base.
Some cells: ``pairs`` dots, X and V, inequalities · ``pair_tables`` allowed pairs of values ·
``peaks`` maximum and minimum · ``cages``, ``lunchbox`` · ``sets`` quadruples, counting circles ·
``groups`` clones, equal sums, magic squares · ``choices`` some values only · ``indexing`` ·
``modifiers`` doublers, negators.
Others: ``custom`` your own rules without a class · ``marks`` marks of your own · ``expressions``
rules as text · ``logic`` and, or, not, if, how many.
For all of them: ``base`` the contract of a constraint · ``fields`` the declaration of fields ·
``unknowns`` numbers that are open · ``registry`` constraints by name · ``counting``, ``extremes``
parts of lowerings.
"""

from typing import TYPE_CHECKING

# The imports for type checkers are written from the table below: python tests/test_start_up.py
if TYPE_CHECKING:
    from csp_sudoku.constraints.arrows import Arrow as Arrow
    from csp_sudoku.constraints.arrows import AverageArrow as AverageArrow
    from csp_sudoku.constraints.arrows import DoubleArrow as DoubleArrow
    from csp_sudoku.constraints.arrows import PillArrow as PillArrow
    from csp_sudoku.constraints.base import CellConstraint as CellConstraint
    from csp_sudoku.constraints.base import Constraint as Constraint
    from csp_sudoku.constraints.between import Between as Between
    from csp_sudoku.constraints.between import Lockout as Lockout
    from csp_sudoku.constraints.blocks import DutchFlatmates as DutchFlatmates
    from csp_sudoku.constraints.blocks import GlobalEntropy as GlobalEntropy
    from csp_sudoku.constraints.blocks import GlobalModulo as GlobalModulo
    from csp_sudoku.constraints.cages import EqualityCage as EqualityCage
    from csp_sudoku.constraints.cages import KillerCage as KillerCage
    from csp_sudoku.constraints.cages import RellikCage as RellikCage
    from csp_sudoku.constraints.cages import Sum as Sum
    from csp_sudoku.constraints.choices import IsOneOf as IsOneOf
    from csp_sudoku.constraints.choices import is_one_of as is_one_of
    from csp_sudoku.constraints.choices import is_value as is_value
    from csp_sudoku.constraints.connected import ConnectedValues as ConnectedValues
    from csp_sudoku.constraints.connected import NoTwoByTwo as NoTwoByTwo
    from csp_sudoku.constraints.custom import Fold as Fold
    from csp_sudoku.constraints.custom import Table as Table
    from csp_sudoku.constraints.custom import Where as Where
    from csp_sudoku.constraints.custom import fold as fold
    from csp_sudoku.constraints.custom import where as where
    from csp_sudoku.constraints.doppelganger import Doppelganger as Doppelganger
    from csp_sudoku.constraints.entropic import Entropic as Entropic
    from csp_sudoku.constraints.entropic import Modular as Modular
    from csp_sudoku.constraints.everywhere import AntiKing as AntiKing
    from csp_sudoku.constraints.everywhere import AntiKnight as AntiKnight
    from csp_sudoku.constraints.everywhere import ChessOffset as ChessOffset
    from csp_sudoku.constraints.everywhere import DiagonalNonconsecutive as DiagonalNonconsecutive
    from csp_sudoku.constraints.everywhere import Knightmare as Knightmare
    from csp_sudoku.constraints.everywhere import NegativeKropki as NegativeKropki
    from csp_sudoku.constraints.everywhere import NegativeXV as NegativeXV
    from csp_sudoku.constraints.everywhere import Nonconsecutive as Nonconsecutive
    from csp_sudoku.constraints.everywhere import Queen as Queen
    from csp_sudoku.constraints.everywhere import SelfTaxicab as SelfTaxicab
    from csp_sudoku.constraints.everywhere import Taxicab as Taxicab
    from csp_sudoku.constraints.expressions import Rule as Rule
    from csp_sudoku.constraints.expressions import rule as rule
    from csp_sudoku.constraints.found_digits import LabelledSums as LabelledSums
    from csp_sudoku.constraints.found_digits import LayerCount as LayerCount
    from csp_sudoku.constraints.found_digits import LayerDifferent as LayerDifferent
    from csp_sudoku.constraints.found_digits import LayerWhisper as LayerWhisper
    from csp_sudoku.constraints.found_lines import EdgeLoop as EdgeLoop
    from csp_sudoku.constraints.found_lines import Loop as Loop
    from csp_sudoku.constraints.found_lines import Snake as Snake
    from csp_sudoku.constraints.found_regions import Galaxies as Galaxies
    from csp_sudoku.constraints.found_regions import RegionsToFind as RegionsToFind
    from csp_sudoku.constraints.found_shapes import Cave as Cave
    from csp_sudoku.constraints.found_shapes import Rectangles as Rectangles
    from csp_sudoku.constraints.found_shapes import Stars as Stars
    from csp_sudoku.constraints.groups import Clone as Clone
    from csp_sudoku.constraints.groups import EqualSum as EqualSum
    from csp_sudoku.constraints.groups import MagicSquare as MagicSquare
    from csp_sudoku.constraints.groups import SameValues as SameValues
    from csp_sudoku.constraints.indexing import BoxIndexing as BoxIndexing
    from csp_sudoku.constraints.indexing import ColumnIndexing as ColumnIndexing
    from csp_sudoku.constraints.indexing import RowIndexing as RowIndexing
    from csp_sudoku.constraints.line_sums import ProductLine as ProductLine
    from csp_sudoku.constraints.line_sums import RegionSum as RegionSum
    from csp_sudoku.constraints.line_sums import SumLine as SumLine
    from csp_sudoku.constraints.line_sums import Zipper as Zipper
    from csp_sudoku.constraints.lines import Nabner as Nabner
    from csp_sudoku.constraints.lines import Palindrome as Palindrome
    from csp_sudoku.constraints.lines import ParityLine as ParityLine
    from csp_sudoku.constraints.lines import Renban as Renban
    from csp_sudoku.constraints.lines import SlowThermometer as SlowThermometer
    from csp_sudoku.constraints.lines import Thermometer as Thermometer
    from csp_sudoku.constraints.lines import Whisper as Whisper
    from csp_sudoku.constraints.little_killer import LittleKiller as LittleKiller
    from csp_sudoku.constraints.logic import And as And
    from csp_sudoku.constraints.logic import AtLeast as AtLeast
    from csp_sudoku.constraints.logic import AtMost as AtMost
    from csp_sudoku.constraints.logic import Exactly as Exactly
    from csp_sudoku.constraints.logic import Implies as Implies
    from csp_sudoku.constraints.logic import Not as Not
    from csp_sudoku.constraints.logic import Or as Or
    from csp_sudoku.constraints.logic import at_least as at_least
    from csp_sudoku.constraints.logic import at_most as at_most
    from csp_sudoku.constraints.logic import exactly as exactly
    from csp_sudoku.constraints.logic import implies as implies
    from csp_sudoku.constraints.logic import xor as xor
    from csp_sudoku.constraints.lunchbox import Lunchbox as Lunchbox
    from csp_sudoku.constraints.marks import Mark as Mark
    from csp_sudoku.constraints.marks import Unmarked as Unmarked
    from csp_sudoku.constraints.marks import unmarked as unmarked
    from csp_sudoku.constraints.modifiers import Doublers as Doublers
    from csp_sudoku.constraints.modifiers import Negators as Negators
    from csp_sudoku.constraints.modifiers import ValueModifiers as ValueModifiers
    from csp_sudoku.constraints.modifiers import modified as modified
    from csp_sudoku.constraints.outside import BeforeGreatest as BeforeGreatest
    from csp_sudoku.constraints.outside import NumberedRoom as NumberedRoom
    from csp_sudoku.constraints.outside import Outside as Outside
    from csp_sudoku.constraints.outside import Sandwich as Sandwich
    from csp_sudoku.constraints.outside import XSum as XSum
    from csp_sudoku.constraints.pair_tables import AllPairs as AllPairs
    from csp_sudoku.constraints.pair_tables import Pair as Pair
    from csp_sudoku.constraints.pairs import Difference as Difference
    from csp_sudoku.constraints.pairs import Equal as Equal
    from csp_sudoku.constraints.pairs import GreaterThan as GreaterThan
    from csp_sudoku.constraints.pairs import NotEqual as NotEqual
    from csp_sudoku.constraints.pairs import PairSum as PairSum
    from csp_sudoku.constraints.pairs import Ratio as Ratio
    from csp_sudoku.constraints.peaks import Maximum as Maximum
    from csp_sudoku.constraints.peaks import Minimum as Minimum
    from csp_sudoku.constraints.rank import FullRank as FullRank
    from csp_sudoku.constraints.rank import FullRankTies as FullRankTies
    from csp_sudoku.constraints.regions import AllDifferent as AllDifferent
    from csp_sudoku.constraints.regions import Diagonals as Diagonals
    from csp_sudoku.constraints.regions import DisjointGroups as DisjointGroups
    from csp_sudoku.constraints.regions import Even as Even
    from csp_sudoku.constraints.regions import House as House
    from csp_sudoku.constraints.regions import Odd as Odd
    from csp_sudoku.constraints.regions import SameValueHouses as SameValueHouses
    from csp_sudoku.constraints.regions import Windoku as Windoku
    from csp_sudoku.constraints.seeing import BorderCount as BorderCount
    from csp_sudoku.constraints.seeing import RunLength as RunLength
    from csp_sudoku.constraints.seeing import SameCount as SameCount
    from csp_sudoku.constraints.sequences import ArithmeticSequence as ArithmeticSequence
    from csp_sudoku.constraints.sequences import AscendingStart as AscendingStart
    from csp_sudoku.constraints.sequences import IndexLine as IndexLine
    from csp_sudoku.constraints.sequences import Recurrence as Recurrence
    from csp_sudoku.constraints.sets import ContainsAtLeast as ContainsAtLeast
    from csp_sudoku.constraints.sets import ContainsExactly as ContainsExactly
    from csp_sudoku.constraints.sets import CountDistinct as CountDistinct
    from csp_sudoku.constraints.sets import CountingCircles as CountingCircles
    from csp_sudoku.constraints.sets import LookAndSay as LookAndSay
    from csp_sudoku.constraints.sets import Quadruple as Quadruple
    from csp_sudoku.constraints.skyscrapers import HiddenSkyscraper as HiddenSkyscraper
    from csp_sudoku.constraints.skyscrapers import Skyscraper as Skyscraper
    from csp_sudoku.constraints.words import Regex as Regex
    from csp_sudoku.constraints.words import StateMachine as StateMachine
    from csp_sudoku.constraints.words import ValueIndexing as ValueIndexing
    from csp_sudoku.constraints.yin_yang import YinYang as YinYang
else:
    from csp_sudoku._later import attach

    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "csp_sudoku.constraints.arrows": "Arrow AverageArrow DoubleArrow PillArrow",
            "csp_sudoku.constraints.base": "CellConstraint Constraint",
            "csp_sudoku.constraints.between": "Between Lockout",
            "csp_sudoku.constraints.blocks": "DutchFlatmates GlobalEntropy GlobalModulo",
            "csp_sudoku.constraints.cages": "EqualityCage KillerCage RellikCage Sum",
            "csp_sudoku.constraints.choices": "IsOneOf is_one_of is_value",
            "csp_sudoku.constraints.connected": "ConnectedValues NoTwoByTwo",
            "csp_sudoku.constraints.found_digits": (
                "LabelledSums LayerCount LayerDifferent LayerWhisper"
            ),
            "csp_sudoku.constraints.found_lines": "EdgeLoop Loop Snake",
            "csp_sudoku.constraints.found_regions": "Galaxies RegionsToFind",
            "csp_sudoku.constraints.found_shapes": "Cave Rectangles Stars",
            "csp_sudoku.constraints.seeing": "BorderCount RunLength SameCount",
            "csp_sudoku.constraints.yin_yang": "YinYang",
            "csp_sudoku.constraints.custom": "Fold Table Where fold where",
            "csp_sudoku.constraints.doppelganger": "Doppelganger",
            "csp_sudoku.constraints.entropic": "Entropic Modular",
            "csp_sudoku.constraints.everywhere": (
                "AntiKing AntiKnight ChessOffset DiagonalNonconsecutive Knightmare "
                "NegativeKropki NegativeXV Nonconsecutive Queen SelfTaxicab Taxicab"
            ),
            "csp_sudoku.constraints.expressions": "Rule rule",
            "csp_sudoku.constraints.groups": "Clone EqualSum MagicSquare SameValues",
            "csp_sudoku.constraints.indexing": "BoxIndexing ColumnIndexing RowIndexing",
            "csp_sudoku.constraints.line_sums": "ProductLine RegionSum SumLine Zipper",
            "csp_sudoku.constraints.lines": (
                "Nabner Palindrome ParityLine Renban SlowThermometer Thermometer Whisper"
            ),
            "csp_sudoku.constraints.little_killer": "LittleKiller",
            "csp_sudoku.constraints.logic": (
                "And AtLeast AtMost Exactly Implies Not Or at_least at_most exactly implies xor"
            ),
            "csp_sudoku.constraints.lunchbox": "Lunchbox",
            "csp_sudoku.constraints.marks": "Mark Unmarked unmarked",
            "csp_sudoku.constraints.modifiers": "Doublers Negators ValueModifiers modified",
            "csp_sudoku.constraints.outside": "BeforeGreatest NumberedRoom Outside Sandwich XSum",
            "csp_sudoku.constraints.pair_tables": "AllPairs Pair",
            "csp_sudoku.constraints.pairs": "Difference Equal GreaterThan NotEqual PairSum Ratio",
            "csp_sudoku.constraints.peaks": "Maximum Minimum",
            "csp_sudoku.constraints.rank": "FullRank FullRankTies",
            "csp_sudoku.constraints.regions": (
                "AllDifferent Diagonals DisjointGroups Even House Odd SameValueHouses Windoku"
            ),
            "csp_sudoku.constraints.sequences": (
                "ArithmeticSequence AscendingStart IndexLine Recurrence"
            ),
            "csp_sudoku.constraints.sets": (
                "ContainsAtLeast ContainsExactly CountDistinct CountingCircles LookAndSay Quadruple"
            ),
            "csp_sudoku.constraints.skyscrapers": "HiddenSkyscraper Skyscraper",
            "csp_sudoku.constraints.words": "Regex StateMachine ValueIndexing",
        },
    )
