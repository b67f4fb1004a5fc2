"""The README's Python runs, and its commands are those that CI runs."""

import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_examples_run(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert "534678912672195348" in capsys.readouterr().out


def test_there_is_one_test_command():
    assert len(re.findall(r"<!-- tests -->\n```sh\n.*pytest.*\n```", README)) == 1
