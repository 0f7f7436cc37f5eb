"""A process that is killed while it writes a file leaves a partial file, which the next start removes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from workspace.storage.files import partial_files

WRITER = """
import sys, time
from pathlib import Path
from workspace.storage.files import partial_files
with partial_files.open_partial(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("writes", flush=True)
    time.sleep(600)
"""


def test_a_partial_file_stays_while_it_is_written_and_is_removed_after_its_writer_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "upl_one.1234.part"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == b"writes\n"
        assert partial_files.remove_abandoned([path]) == 0 and path.exists()
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert partial_files.remove_abandoned([path]) == 1 and not path.exists()


def test_a_partial_file_that_was_moved_is_complete_and_others_are_removed(tmp_path: Path) -> None:
    with partial_files.open_partial(tmp_path / "a.part") as file:
        file.write(b"whole")
        file.flush()
        (tmp_path / "a.part").replace(tmp_path / "a")
    with partial_files.open_partial(tmp_path / "b.part") as file:
        file.write(b"half")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"whole"}


def test_an_unlocked_partial_file_is_removed_if_it_was_not_changed_for_long(tmp_path: Path) -> None:
    old, new = tmp_path / "encryption-keys.7.part", tmp_path / "tmp1.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert partial_files.remove_old(tmp_path.glob("*.part"), 600) == 1
    assert not old.exists() and new.exists()
