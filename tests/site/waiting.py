"""Our Celery application with a task for tests, which lasts as long as they want."""

import time
from pathlib import Path

from trix_site.celery import app


@app.task
def wait_for_file(path: str) -> None:
    while not Path(path).exists():
        time.sleep(0.01)
