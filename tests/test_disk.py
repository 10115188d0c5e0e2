"""Writes are whole or not at all: guarded by the etag, never through a link, clean after every failure."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import unicodedata
from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.errors import ConflictError, DiskError, LockedError, MdmemError, ReadOnlyError, UnreadableError
from support.faults import fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD = b"the old text\n"
NEW = b"the new text\n"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(write: Callable[[], object]) -> MdmemError | None:
    """The error of a write, None when it went through."""
    try:
        write()
    except MdmemError as error:
        return error
    return None


def test_a_write_gives_the_etag_of_what_it_wrote(tmp_path: Path) -> None:
    assert disk.write(tmp_path / "a.md", NEW) == disk.etag(NEW)
    assert (tmp_path / "a.md").read_bytes() == NEW
    assert names(tmp_path) == ["a.md"]


@pytest.mark.parametrize("expect", [None, disk.etag(b"what stood there once")])
def test_a_file_that_changed_is_left_alone(tmp_path: Path, expect: str | None) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(OLD)
    with pytest.raises(ConflictError):
        disk.write(file, NEW, expect=expect)
    with pytest.raises(ConflictError):
        disk.remove(file, expect=disk.etag(NEW))
    assert file.read_bytes() == OLD
    assert names(tmp_path) == ["a.md"]


def test_a_file_that_went_away_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        disk.write(tmp_path / "a.md", NEW, expect=disk.etag(OLD))
    assert names(tmp_path) == []


def test_only_one_of_two_makes_a_new_file(tmp_path: Path) -> None:
    file, barrier, lost = tmp_path / "a.md", threading.Barrier(8), []

    def make(number: int) -> None:
        barrier.wait()
        try:
            disk.write(file, str(number).encode(), expect=None)
        except ConflictError:
            lost.append(number)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lost) == 7
    assert int(file.read_bytes()) not in lost


def test_a_dangling_link_counts_as_there(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(ConflictError):
        disk.write(tmp_path / "a.md", NEW, expect=None)
    assert not (tmp_path / "elsewhere.md").exists()


def test_a_write_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_bytes(OLD)
    (tmp_path / "a.md").symlink_to(tmp_path / "elsewhere.md")
    disk.write(tmp_path / "a.md", NEW)
    assert (tmp_path / "elsewhere.md").read_bytes() == OLD


def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(OLD)
    file.chmod(0o640)
    disk.write(file, NEW)
    assert file.stat().st_mode & 0o7777 == 0o640


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT, errno.EACCES])
@pytest.mark.parametrize("is_new", [True, False])
def test_whatever_step_fails_the_old_file_stands(tmp_path: Path, number: int, is_new: bool) -> None:
    file = tmp_path / "a.md"
    at = 0
    while True:
        at += 1
        if is_new:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(OLD)
        with fault(tmp_path, at, lambda: OSError(number, os.strerror(number)), once=True) as met:
            refusal = refused(lambda: disk.write(file, NEW, expect=None if is_new else disk.etag(OLD)))
        if len(met.seen) < at:
            break
        assert refusal is None or isinstance(refusal, ReadOnlyError) == (number in (errno.EROFS, errno.EACCES))
        assert disk.read_if_exists(file) == (NEW if refusal is None else None if is_new else OLD)
        for path in tmp_path.glob(f"{disk.TEMP_PREFIX}*"):  # only a failed clean-up may leave one
            assert "os.remove" in met.seen[at - 1]
            path.unlink()
    assert at > 2


@pytest.mark.parametrize("step", ["fsync", "link"])
def test_a_disk_that_fails_late_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(DiskError, match="no space left"):
        disk.write(tmp_path / "a.md", NEW, expect=None)
    assert names(tmp_path) == []


def test_a_file_system_without_links_still_takes_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    disk.write(tmp_path / "a.md", NEW, expect=None)
    assert names(tmp_path) == ["a.md"]
    with pytest.raises(ConflictError):
        disk.write(tmp_path / "a.md", OLD, expect=None)


LIMITED = """
import resource, signal, sys
from pathlib import Path
from mdmem import disk
from mdmem.errors import DiskError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
folder = Path(sys.argv[1])
for act in (lambda: disk.write(folder / "a.md", b"x" * 5000), lambda: disk.append(folder / "log", "y" * 5000)):
    try:
        act()
    except DiskError as error:
        print(error)
"""


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(OLD)
    (tmp_path / "log").write_bytes(b"one\n")
    done = subprocess.run([sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.count("the old file is intact") == 2
    assert (tmp_path / "a.md").read_bytes() == OLD
    assert names(tmp_path) == ["a.md", "log"]
    disk.append(tmp_path / "log", "two")
    lines = (tmp_path / "log").read_text().splitlines()
    assert (lines[0], lines[-1]) == ("one", "two")


def test_an_appended_line_ends_a_torn_one(tmp_path: Path) -> None:
    log = tmp_path / "logs/log.jsonl"
    disk.append(log, "one\n")
    with log.open("ab") as file:
        file.write(b'{"torn": ')
    disk.append(log, "two")
    assert log.read_bytes() == b'one\n{"torn": \ntwo\n'


@pytest.mark.parametrize("path", ["link.md", "folder/a.md"])
def test_no_part_of_a_path_below_the_root_may_be_a_link(tmp_path: Path, path: str) -> None:
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    (tmp_path / "folder").symlink_to("/tmp")
    with pytest.raises(UnreadableError, match="W_SYMLINK"):
        disk.below(tmp_path, path)


@pytest.mark.parametrize("path", ["../a.md", "lesson/../../a.md", "/etc/passwd"])
def test_a_path_that_climbs_out_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(UnreadableError, match="E_PATH"):
        disk.below(tmp_path, path)


def test_a_plain_path_is_the_file(tmp_path: Path) -> None:
    assert disk.below(tmp_path, "lesson/a.md") == tmp_path / "lesson/a.md"


def test_moving_never_replaces(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(NEW)
    (tmp_path / "b.md").write_bytes(OLD)
    with pytest.raises(ConflictError):
        disk.move(tmp_path / "a.md", tmp_path / "b.md")
    disk.move(tmp_path / "a.md", tmp_path / "new/A.md")
    assert (tmp_path / "new/A.md").read_bytes() == NEW
    assert (tmp_path / "b.md").read_bytes() == OLD


def test_a_lock_file_that_is_there_means_nothing(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("pid 1")
    with disk.lock(tmp_path / "lock", timeout=1):
        pass


HOLDING = """
import sys
from pathlib import Path
from mdmem import disk
with disk.lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_lock_is_held_against_other_processes_until_they_die(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(LockedError, match=r"0\.2 s"), disk.lock(tmp_path / "lock", timeout=0.2):
            pass
        other.kill()
        other.wait()
        with disk.lock(tmp_path / "lock", timeout=5):
            pass


def test_a_content_hash_survives_line_ends_and_unicode_form() -> None:
    text = "Über\nCafé\n"
    assert disk.content_hash(text) == disk.content_hash(unicodedata.normalize("NFD", text).replace("\n", "\r\n"))
    assert disk.content_hash(text) != disk.content_hash(text.strip())


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="is a directory"):
        disk.read(tmp_path)
    assert disk.read_if_exists(tmp_path / "none") is None


def test_old_temporary_files_go_and_young_ones_stay(tmp_path: Path) -> None:
    old, young = disk.temp_beside(tmp_path / "a.md"), disk.temp_beside(tmp_path / "a.md")
    for path in (old, young):
        path.touch()
    os.utime(old, (1, 1))
    disk.remove_old_temps(tmp_path)
    assert names(tmp_path) == [young.name]


def test_empty_folders_go_up_to_the_root(tmp_path: Path) -> None:
    (tmp_path / "root/a/b").mkdir(parents=True)
    (tmp_path / "root/c").mkdir()
    disk.prune_empty(tmp_path / "root/a/b", tmp_path / "root")
    assert names(tmp_path / "root") == ["c"]
    disk.prune_empty(tmp_path / "root/c", tmp_path / "root")
    assert (tmp_path / "root").is_dir()


def test_only_what_must_outlast_a_power_failure_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    disk.make_folder(tmp_path / "a", durable=False)
    assert disk.write(tmp_path / "a/a.md", NEW, durable=False) == disk.etag(NEW)
    assert synced == []
    disk.make_folder(tmp_path / "b")
    disk.write(tmp_path / "b/b.md", NEW)
    assert len(synced) == 3  # the folder above, the file, its folder


@pytest.mark.skipif(os.name != "posix", reason="the system knows no such folder")
def test_a_folder_in_memory_is_empty_and_for_its_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "RAM_FOLDER", tmp_path)
    folder = disk.make_folder_in_memory("name")
    assert folder is not None
    assert (folder.parent, folder.stat().st_mode & 0o777) == (tmp_path, 0o700)
    disk.point(folder / "link", tmp_path)
    assert disk.make_folder_in_memory("name") == folder
    assert list(folder.iterdir()) == []
    with pytest.raises(DiskError):
        disk.point(folder, tmp_path)
    monkeypatch.setattr(disk, "RAM_FOLDER", tmp_path / "none")
    assert disk.make_folder_in_memory("name") is None
