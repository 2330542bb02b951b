"""What `make lint` cannot say: the engine imports nothing but the standard library and itself."""

import ast
import sys

import pytest

from tests.processes import ROOT

ENGINE = sorted((ROOT / "games" / "engine").glob("*.py"))


def imported_names(source: str) -> set[str]:
    """The absolute names of imported modules; a relative import cannot leave its package with one dot."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level != 1:
            names.add("." * node.level + (node.module or ""))
    return names


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_imports_the_standard_library_and_itself(path):
    strange = {
        name
        for name in imported_names(path.read_text())
        if name.partition(".")[0] not in sys.stdlib_module_names and not name.startswith("games.engine")
    }
    assert strange == set()


def test_the_engine_is_there():
    assert "legal.py" in {path.name for path in ENGINE}
