"""``python -m csp_sudoku`` is ``csp-sudoku``."""

import sys

from csp_sudoku.cli import main

if __name__ == "__main__":
    sys.exit(main())
