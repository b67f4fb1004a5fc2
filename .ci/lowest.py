"""Print the lowest versions that pyproject.toml allows, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"].values()
for requirements in (project["dependencies"], *extras):
    for requirement in requirements:
        if found := re.match(r"([\w.-]+)(?:\[.*?\])?>=([^,;]+)", requirement):
            sys.stdout.write(f"{found[1]}=={found[2]}\n")
