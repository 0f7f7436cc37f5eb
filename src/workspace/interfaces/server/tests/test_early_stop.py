"""A signal that reaches the server, or one of its workers, while it starts."""

import contextlib
import os
import signal

import pytest

from workspace.interfaces.server.tests.running_server import PATIENCE, Server, eventually

STOP_SIGNALS = [signal.SIGTERM, signal.SIGINT]
# there is nothing to finish: a server that waits this long has lost the signal
DRAIN = ["--drain-seconds", str(int(PATIENCE * 10))]


@contextlib.contextmanager
def starting_server(folder, step, workers):
    """Start a server whose workers all wait at this step of their start."""
    server = Server.__new__(Server)
    server.port = 0
    server.start(None, *DRAIN, "--workers", str(workers), **{f"SAMPLE_{step}": str(folder)})
    with server:
        eventually(lambda: len(list_workers(folder)) == workers)
        yield server


def list_workers(folder):
    return [int(path.name) for path in folder.iterdir() if path.name.isdigit()]


def is_alive(pid):
    """Return whether the process exists. A process that ended counts until its parent has read its exit code."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("by", STOP_SIGNALS)
def test_workers_that_are_loading_end_with_their_server(by, tmp_path):
    with starting_server(tmp_path, "LOADING", workers=2) as server:
        assert server.stop(by) == 0
        assert not any(is_alive(pid) for pid in list_workers(tmp_path))


@pytest.mark.parametrize("by", STOP_SIGNALS)
def test_a_server_of_one_process_ends_while_it_is_loading(by, tmp_path):
    with starting_server(tmp_path, "LOADING", workers=1) as server:
        assert server.stop(by) == -by


def test_a_signal_to_the_whole_group_is_no_failure_of_the_workers(tmp_path):
    with starting_server(tmp_path, "LOADING", workers=2) as server:
        os.killpg(server.process.pid, signal.SIGINT)  # Ctrl-C
        assert server.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT], STOP_SIGNALS])
def test_a_server_that_starts_its_services_stops_them_and_ends(signals, workers, tmp_path):
    with starting_server(tmp_path, "SERVICES", workers) as server:
        for number in signals:
            os.killpg(server.process.pid, number)
        (tmp_path / "gate").touch()
        assert server.process.wait(PATIENCE) == 0
        assert not any(is_alive(pid) for pid in list_workers(tmp_path))


def test_a_loading_worker_ends_when_its_parent_is_killed(tmp_path):
    with starting_server(tmp_path, "LOADING", workers=2) as server:
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        eventually(lambda: not any(is_alive(pid) for pid in list_workers(tmp_path)))


def test_a_reload_replaces_workers_that_are_loading(tmp_path):
    with starting_server(tmp_path, "LOADING", workers=2) as server:
        first = list_workers(tmp_path)
        server.process.send_signal(signal.SIGHUP)
        # the second worker is replaced after the first one has ended
        eventually(lambda: len(list_workers(tmp_path)) == 4)
        eventually(lambda: not any(is_alive(pid) for pid in first))
        assert server.stop() == 0
