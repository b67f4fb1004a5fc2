"""The command completion: let the shell complete commands, options and files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from csp_sudoku.cli import options
from csp_sudoku.cli.codes import SOLVED
from csp_sudoku.cli.group import COMPLETION, cli
from csp_sudoku.cli.output import answer_lines


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@options.DEBUG
def completion(shell: str) -> int:
    """Print the script that completes commands in your shell.

    \b
    Examples:
      eval "$(csp-sudoku completion bash)"     in ~/.bashrc
      eval "$(csp-sudoku completion zsh)"      in ~/.zshrc
      csp-sudoku completion fish | source      in ~/.config/fish/config.fish
    """
    shell_class = get_completion_class(shell)
    assert shell_class is not None
    answer_lines(shell_class(cli, {}, "csp-sudoku", COMPLETION).source())
    return SOLVED
