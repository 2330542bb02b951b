"""The embedded PostgreSQL: one server for all its users, gone with the last one, back after any crash."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.processes import ROOT
from trix_site.embedded.cluster import DATABASE, PORT, USER, Cluster

HOLD = """
import sys
from pathlib import Path
from trix_site.embedded.cluster import Cluster
Cluster(Path(sys.argv[1])).hold()
print("held", flush=True)
sys.stdin.read()
"""


class Holder:
    """A process that holds the cluster until its standard input ends."""

    def __init__(self, cluster: Cluster) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(cluster.folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait_until_it_holds(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "held\n"

    def end(self) -> None:
        self.process.communicate()
        assert self.process.returncode == 0

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def ask(cluster: Cluster, *queries: str) -> object:
    """The one value that the last of `queries` gives."""
    with psycopg.connect(host=str(cluster.socket_dir), port=PORT, user=USER, dbname=DATABASE) as connection:
        for query in queries:
            cursor = connection.execute(query)
        row = cursor.fetchone()
        assert row is not None
        return row[0]


def server(cluster: Cluster) -> int:
    return int((cluster.data / "postmaster.pid").read_text().splitlines()[0])


def is_down(cluster: Cluster) -> bool:
    try:
        ask(cluster, "SELECT 1")
    except psycopg.OperationalError:
        return True
    return False


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="trix-pg-") as folder:
        yield Cluster(Path(folder))


@pytest.fixture
def start(cluster) -> Iterator[Callable[[], Holder]]:
    """Start a process that holds the cluster."""
    started: list[Holder] = []

    def start_one() -> Holder:
        started.append(Holder(cluster))
        return started[-1]

    yield start_one
    for each in started:
        each.kill()


@pytest.fixture
def hold(start) -> Callable[[], Holder]:
    """The same, and wait until it holds the cluster."""

    def hold_one() -> Holder:
        one = start()
        one.wait_until_it_holds()
        return one

    return hold_one


def test_the_last_user_stops_the_server(cluster, hold):
    first = hold()
    second = hold()
    pid = server(cluster)

    first.end()
    assert ask(cluster, "SELECT 1") == 1
    assert server(cluster) == pid

    second.end()
    assert is_down(cluster)


def test_users_who_come_at_once_make_one_server(cluster, start):
    all_at_once = [start() for _ in range(4)]
    for each in all_at_once:
        each.wait_until_it_holds()
    assert ask(cluster, "SELECT 1") == 1
    for each in all_at_once:
        each.end()
    assert is_down(cluster)


def test_a_killed_user_does_not_keep_the_server_for_ever(cluster, hold):
    hold().kill()
    assert ask(cluster, "SELECT 1") == 1

    hold().end()

    assert is_down(cluster)


def test_a_killed_server_comes_back_with_its_data(cluster, hold):
    user = hold()
    ask(cluster, "CREATE TABLE kept (number int)", "INSERT INTO kept VALUES (7) RETURNING number")
    os.kill(server(cluster), signal.SIGKILL)
    user.kill()

    user = hold()

    assert ask(cluster, "SELECT number FROM kept") == 7
    user.end()


def test_a_cluster_whose_making_was_cut_off_is_made_anew(cluster, hold):
    shutil.rmtree(cluster.data)
    (cluster.folder / "postgres.new" / "base").mkdir(parents=True)

    user = hold()

    assert ask(cluster, "SELECT 1") == 1
    user.end()


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root runs the server as another account.")
def test_root_makes_the_account_before_it_runs_anything_as_it(tmp_path):
    """The question whether a server answers was asked as an account that a fresh machine does not have."""
    account = f"trix_test_{os.getpid()}"
    script = f"from trix_site.embedded import cluster\ncluster.SYSTEM_USER = {account!r}\n{HOLD}"
    try:
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, input="", capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == ("held\n", "")
        assert (tmp_path / "postgres").owner() == account
    finally:
        subprocess.run(["userdel", account], check=False, capture_output=True)


def test_text_is_unicode_and_compared_the_same_everywhere(cluster, hold):
    user = hold()
    assert ask(cluster, "SELECT upper('éäя')") == "ÉÄЯ"
    assert ask(cluster, "SHOW timezone") == "UTC"
    assert ask(cluster, "SHOW listen_addresses") == ""
    user.end()


def test_a_long_path_gets_a_short_socket():
    short = Cluster(Path("/srv/trix/.data"))
    long = Cluster(Path("/srv") / ("deep" * 30) / ".data")
    arabic = Cluster(Path("/srv") / ("عميق" * 12) / ".data")  # Few letters, many bytes.

    assert short.socket_dir == Path("/srv/trix/.data/socket")
    assert len({long.socket_dir, arabic.socket_dir, short.socket_dir}) == 3
    for each in (long, arabic):
        assert len(os.fsencode(each.socket_dir / ".s.PGSQL.5432")) < 104
