"""Sudoku and every variant of it, modelled once and solved by many solvers that check each other.

Examples
--------
>>> import csp_sudoku as cs
>>> puzzle = cs.read("0100 3001 4002 0040")
>>> cs.solve(puzzle).solutions[0].text
'2134342143121243'
"""

from typing import TYPE_CHECKING

# The imports for type checkers are written from the table below: python tests/test_start_up.py
if TYPE_CHECKING:
    from csp_sudoku.batches.arrays import Solved as Solved
    from csp_sudoku.batches.arrays import solve_array as solve_array
    from csp_sudoku.batches.cubes import count_in_parts as count_in_parts
    from csp_sudoku.batches.cubes import cubes as cubes
    from csp_sudoku.batches.cubes import solve_in_parts as solve_in_parts
    from csp_sudoku.batches.files import BatchSummary as BatchSummary
    from csp_sudoku.batches.files import batch as batch
    from csp_sudoku.batches.many import solve_many as solve_many
    from csp_sudoku.batches.verifying import Verifications as Verifications
    from csp_sudoku.batches.verifying import verify_many as verify_many
    from csp_sudoku.canonical import Canonical as Canonical
    from csp_sudoku.canonical import canonical as canonical
    from csp_sudoku.canonical import duplicates as duplicates
    from csp_sudoku.cells import Cell as Cell
    from csp_sudoku.cells import LayerCell as LayerCell
    from csp_sudoku.cells import Var as Var
    from csp_sudoku.cells import cell as cell
    from csp_sudoku.cells import cells as cells
    from csp_sudoku.checking.assessing import Assessment as Assessment
    from csp_sudoku.checking.assessing import assess as assess
    from csp_sudoku.checking.scoring import Score as Score
    from csp_sudoku.checking.scoring import score as score
    from csp_sudoku.checking.verify import Verdict as Verdict
    from csp_sudoku.checking.verify import Verification as Verification
    from csp_sudoku.checking.verify import Violation as Violation
    from csp_sudoku.checking.verify import verify as verify
    from csp_sudoku.constraints import *  # noqa: F403
    from csp_sudoku.counting.count import count as count
    from csp_sudoku.counting.estimating import Estimate as Estimate
    from csp_sudoku.counting.estimating import estimate as estimate
    from csp_sudoku.counting.space import Space as Space
    from csp_sudoku.counting.space import space as space
    from csp_sudoku.crosscheck.agreement import Agreement as Agreement
    from csp_sudoku.crosscheck.agreement import Outcome as Outcome
    from csp_sudoku.crosscheck.bulk import check_claims as check_claims
    from csp_sudoku.crosscheck.claims import CheckedClaim as CheckedClaim
    from csp_sudoku.crosscheck.claims import ClaimVerdict as ClaimVerdict
    from csp_sudoku.crosscheck.claims import check_claim as check_claim
    from csp_sudoku.crosscheck.external import ExternalSolver as ExternalSolver
    from csp_sudoku.crosscheck.many import cross_check_many as cross_check_many
    from csp_sudoku.crosscheck.puzzle_programs import PuzzleProgram as PuzzleProgram
    from csp_sudoku.crosscheck.record import agreement_schema as agreement_schema
    from csp_sudoku.crosscheck.run import cross_check as cross_check
    from csp_sudoku.crosscheck.survey import Survey as Survey
    from csp_sudoku.crosscheck.survey import survey as survey
    from csp_sudoku.errors import BackendError as BackendError
    from csp_sudoku.errors import BudgetError as BudgetError
    from csp_sudoku.errors import ConstraintError as ConstraintError
    from csp_sudoku.errors import CspSudokuError as CspSudokuError
    from csp_sudoku.errors import FormatError as FormatError
    from csp_sudoku.errors import PluginError as PluginError
    from csp_sudoku.errors import PuzzleError as PuzzleError
    from csp_sudoku.errors import UndecidedError as UndecidedError
    from csp_sudoku.errors import WrongAnswerError as WrongAnswerError
    from csp_sudoku.exporting import export as export
    from csp_sudoku.exporting import import_answer as import_answer
    from csp_sudoku.formats import Progress as Progress
    from csp_sudoku.formats import Reading as Reading
    from csp_sudoku.formats import describe as describe
    from csp_sudoku.formats import read as read
    from csp_sudoku.formats import read_answer as read_answer
    from csp_sudoku.formats import read_many as read_many
    from csp_sudoku.formats import read_with_notes as read_with_notes
    from csp_sudoku.formats import write_fpuzzles as write_fpuzzles
    from csp_sudoku.formats import write_iss as write_iss
    from csp_sudoku.formats import write_json as write_json
    from csp_sudoku.formats import write_link as write_link
    from csp_sudoku.formats import write_scl as write_scl
    from csp_sudoku.formats import write_sudokumaker as write_sudokumaker
    from csp_sudoku.formats import write_text as write_text
    from csp_sudoku.fuzzing.run import FuzzReport as FuzzReport
    from csp_sudoku.fuzzing.run import fuzz as fuzz
    from csp_sudoku.game import Game as Game
    from csp_sudoku.game import Move as Move
    from csp_sudoku.generating import Generated as Generated
    from csp_sudoku.generating import generate as generate
    from csp_sudoku.generating import generate_many as generate_many
    from csp_sudoku.generating import random_solution as random_solution
    from csp_sudoku.grid import Grid as Grid
    from csp_sudoku.layers import on_layer as on_layer
    from csp_sudoku.pictures.graph import render_graph as render_graph
    from csp_sudoku.pictures.render import render_svg as render_svg
    from csp_sudoku.puzzle import Puzzle as Puzzle
    from csp_sudoku.running.limiting import limits as limits
    from csp_sudoku.running.warming import warm_up as warm_up
    from csp_sudoku.solving.compiling import clear_cache as clear_cache
    from csp_sudoku.solving.compiling import set_cache_budget as set_cache_budget
    from csp_sudoku.solving.redundancy import Redundancy as Redundancy
    from csp_sudoku.solving.redundancy import TrueCandidates as TrueCandidates
    from csp_sudoku.solving.redundancy import is_minimal as is_minimal
    from csp_sudoku.solving.redundancy import redundant as redundant
    from csp_sudoku.solving.redundancy import true_candidates as true_candidates
    from csp_sudoku.solving.results import Count as Count
    from csp_sudoku.solving.results import Result as Result
    from csp_sudoku.solving.results import Status as Status
    from csp_sudoku.solving.solution import Solution as Solution
    from csp_sudoku.solving.solve import PuzzleSession as PuzzleSession
    from csp_sudoku.solving.solve import Solutions as Solutions
    from csp_sudoku.solving.solve import is_unique as is_unique
    from csp_sudoku.solving.solve import session as session
    from csp_sudoku.solving.solve import solutions as solutions
    from csp_sudoku.solving.solve import solve as solve
    from csp_sudoku.strategies import Explanation as Explanation
    from csp_sudoku.strategies import Rating as Rating
    from csp_sudoku.strategies import Step as Step
    from csp_sudoku.strategies import explain as explain
    from csp_sudoku.strategies import hint as hint
    from csp_sudoku.strategies import rate as rate
    from csp_sudoku.textbook import Ac3Result as Ac3Result
    from csp_sudoku.textbook import ac3 as ac3
    from csp_sudoku.tracing import Trace as Trace
    from csp_sudoku.tracing import trace_encoding as trace_encoding
    from csp_sudoku.watching import watch as watch
    from csp_sudoku.why import Reason as Reason
    from csp_sudoku.why import Reasons as Reasons
    from csp_sudoku.why import why_not as why_not
    from csp_sudoku.why import why_unsolvable as why_unsolvable
else:
    from csp_sudoku import constraints
    from csp_sudoku._later import attach

    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "csp_sudoku.constraints": " ".join(constraints.__all__),
            "csp_sudoku.crosscheck.many": "cross_check_many",
            "csp_sudoku.batches.arrays": "Solved solve_array",
            "csp_sudoku.batches.cubes": "count_in_parts cubes solve_in_parts",
            "csp_sudoku.batches.files": "BatchSummary batch",
            "csp_sudoku.batches.many": "solve_many",
            "csp_sudoku.batches.verifying": "Verifications verify_many",
            "csp_sudoku.checking.assessing": "Assessment assess",
            "csp_sudoku.canonical": "Canonical canonical duplicates",
            "csp_sudoku.cells": "Cell LayerCell Var cell cells",
            "csp_sudoku.solving.compiling": "clear_cache set_cache_budget",
            "csp_sudoku.running.limiting": "limits",
            "csp_sudoku.tracing": "Trace trace_encoding",
            "csp_sudoku.counting.count": "count",
            "csp_sudoku.crosscheck.agreement": "Agreement Outcome",
            "csp_sudoku.crosscheck.bulk": "check_claims",
            "csp_sudoku.crosscheck.claims": "CheckedClaim ClaimVerdict check_claim",
            "csp_sudoku.crosscheck.external": "ExternalSolver",
            "csp_sudoku.crosscheck.puzzle_programs": "PuzzleProgram",
            "csp_sudoku.crosscheck.record": "agreement_schema",
            "csp_sudoku.crosscheck.run": "cross_check",
            "csp_sudoku.crosscheck.survey": "Survey survey",
            "csp_sudoku.errors": (
                "BackendError BudgetError ConstraintError CspSudokuError FormatError "
                "PluginError PuzzleError UndecidedError WrongAnswerError"
            ),
            "csp_sudoku.layers": "on_layer",
            "csp_sudoku.counting.estimating": "Estimate estimate",
            "csp_sudoku.exporting": "export import_answer",
            "csp_sudoku.formats": (
                "Progress Reading describe read read_answer read_many read_with_notes "
                "write_fpuzzles write_iss write_json write_link write_scl write_sudokumaker "
                "write_text"
            ),
            "csp_sudoku.fuzzing.run": "FuzzReport fuzz",
            "csp_sudoku.game": "Game Move",
            "csp_sudoku.generating": "Generated generate generate_many random_solution",
            "csp_sudoku.grid": "Grid",
            "csp_sudoku.pictures.graph": "render_graph",
            "csp_sudoku.pictures.render": "render_svg",
            "csp_sudoku.puzzle": "Puzzle",
            "csp_sudoku.solving.redundancy": (
                "Redundancy TrueCandidates is_minimal redundant true_candidates"
            ),
            "csp_sudoku.solving.results": "Count Result Status",
            "csp_sudoku.checking.scoring": "Score score",
            "csp_sudoku.solving.solution": "Solution",
            "csp_sudoku.solving.solve": (
                "PuzzleSession Solutions is_unique session solutions solve"
            ),
            "csp_sudoku.counting.space": "Space space",
            "csp_sudoku.strategies": "Explanation Rating Step explain hint rate",
            "csp_sudoku.textbook": "Ac3Result ac3",
            "csp_sudoku.watching": "watch",
            "csp_sudoku.checking.verify": "Verdict Verification Violation verify",
            "csp_sudoku.running.warming": "warm_up",
            "csp_sudoku.why": "Reason Reasons why_not why_unsolvable",
        },
    )
