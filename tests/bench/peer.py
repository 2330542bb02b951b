"""The peer: a boardgame.io server in memory, and its own light clients (tests/bench/boardgame/).

Its packages are installed once, by npm, into a cache folder outside the tree.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.bench.clients import Sample
from tests.processes import free_port, wait_for_port

SOURCE = Path(__file__).parent / "boardgame"


def installed() -> Path:
    """The folder with the game, its server and their packages. CalledProcessError where npm fails."""
    content = b"".join(file.read_bytes() for file in sorted(SOURCE.iterdir()))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "trix-bench" / hashlib.sha256(content).hexdigest()[:12]
    if not (folder / "installed").exists():
        shutil.copytree(SOURCE, folder, dirs_exist_ok=True)
        install = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(install, cwd=folder, check=True, stdout=sys.stderr)
        (folder / "installed").touch()
    return folder


def load(clients: int, seconds: float) -> Sample:
    folder, port = installed(), free_port()
    server = subprocess.Popen(["node", "server.js", str(port)], cwd=folder, stdout=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        load = ["node", "load.js", str(port), str(clients), str(seconds)]
        measured = json.loads(subprocess.run(load, cwd=folder, check=True, stdout=subprocess.PIPE).stdout)
    finally:
        server.kill()
        server.wait()
    return Sample([ms / 1000 for ms in measured["latencies"]], measured["seconds"], measured["cost"])
