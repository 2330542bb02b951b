"""The package itself: its synchronous half, what it imports, what its pages say."""

import ast
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

from tests.processes import ROOT

CLIENT = ROOT / "clients" / "python"
PACKAGE = CLIENT / "src" / "trix_client"
USES = {"library": {"httpx"}, "command line": {"httpx", "typer", "rich", "click"}}


def imported(path: Path) -> set[str]:
    """The packages that a module imports."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {
        node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level
    }
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"trix_client"}


def test_the_synchronous_half_is_what_make_client_writes():
    assert runpy.run_path(str(CLIENT / "make_sync.py"))["differences"]() == []


def test_nothing_of_the_server_is_imported():
    for path in PACKAGE.rglob("*.py"):
        part = "command line" if "cli" in path.relative_to(PACKAGE).parts else "library"
        assert imported(path) <= USES[part], path


def test_every_example_of_the_pages_is_python():
    for page in (CLIENT / "README.md", ROOT / "docs" / "client.md"):
        examples = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        assert examples
        for example in examples:
            compile(example, str(page), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_make_clean_removes_what_installing_the_client_leaves(tmp_path):
    """In a copy: the environment of these tests stays."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    client = tmp_path / "clients" / "python"
    package, *left = client / "src/trix_client", client / "build/lib", client / "src/trix_client.egg-info"
    for folder in (package, *left):
        folder.mkdir(parents=True)
    subprocess.run(["make", "-s", "clean"], cwd=tmp_path, check=True)
    assert [path.relative_to(client).as_posix() for path in client.rglob("*")] == ["src", "src/trix_client"]
