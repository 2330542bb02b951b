"""How the kernel is compiled: once, into a folder that belongs to just this source.

numba keeps machine code beside a hash of the file a function stands in, and knows nothing of the files
that it calls. So the folder's name is a hash over all of them: code that has changed anywhere is compiled
anew. Where that folder cannot be written numba would fall back on one without the hash, and run old code.
"""

import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numba

KERNEL = Path(__file__).resolve().parent
GAMES = KERNEL.parents[1]


def _sources() -> list[Path]:
    """The kernel and the modules whose numbers it takes over."""
    own = sorted(KERNEL.glob("*.py"))
    named = {
        (package, module)
        for path in own
        for package, module in re.findall(r"^from games\.(\w+)\.(\w+) import", path.read_text(), re.MULTILINE)
    }
    return own + [GAMES / package / f"{module}.py" for package, module in sorted(named)]


def _cache() -> Path:
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _sources())).hexdigest()
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "trix" / f"kernel-{digest[:16]}"


def _writable(folder: Path) -> Path:
    """The folder, made. Raises RuntimeError where nothing can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise RuntimeError(f"no machine code can be written to {folder}: {error.strerror}") from None
    return folder


FOLDER = _writable(_cache())
numba.config.CACHE_DIR = str(FOLDER)

# nogil: a server's other threads go on while a bot thinks. numpy: no checks for division by zero.
compiled = numba.njit(cache=True, nogil=True, error_model="numpy")
# Without the counting of references to arrays, which takes longer than what it guards: for functions that
# make no arrays of their own.
lean = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
# For small functions that are called at every card: a call of arrays costs more than they do.
inlined = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True, _nrt=False)


def recursive(signature: object) -> Any:
    """`lean` for functions that call themselves: those must say their types."""
    return numba.njit(signature, cache=True, nogil=True, error_model="numpy", _nrt=False)
