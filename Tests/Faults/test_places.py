# SPDX-License-Identifier: MIT
"""Targets that are no ordinary files, and surroundings that no run expects."""
import os
import resource
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import caches
import command
from command import run
from operations import CLOCK, FULL, STORES, existing, source

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: calls are spoiled on Linux only"),
]
each_store = pytest.mark.parametrize("target", list(STORES.values()))
WINDOWS = caches.Windows(FULL.tokens)


@pytest.fixture
def folder(tmp_path):
    """A folder with a source, in a folder with nothing else."""
    folder = (tmp_path / "work").resolve()
    folder.mkdir()
    source(folder)
    return folder


def migrate(folder, target, **options):
    return run(folder, ["migrate", "source.items.json", "--into", target, *CLOCK], **options)


def new(folder, target):
    """What a target holds where nothing is in the way."""
    name = f"new-{Path(target).name}"
    assert migrate(folder, name).status == 0
    content = caches.content(folder / name)
    (folder / name).unlink()
    return content


def expect_nothing_else(folder, *names):
    assert sorted(path.name for path in folder.iterdir()) == sorted(["source.items.json", *names])


def expect_refused(result, *statuses):
    assert result.status in statuses, result.sentence
    assert result.sentence.startswith("adal2msal: ") and not result.output


@each_store
@pytest.mark.parametrize("other", [None, "/dev/shm"], ids=["one file system", "another"])
def test_a_link_stays_and_what_it_names_is_written(folder, tmp_path, target, other):
    place = Path(other or tmp_path) / f"adal2msal-{os.getpid()}-{target}"
    try:
        existing(folder, place)
        old = caches.content(place)
        (folder / target).symlink_to(place)
        result = migrate(folder, target)
        assert result.status == 0, result.sentence
        assert (folder / target).is_symlink() and caches.content(place) != old
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        expect_nothing_else(folder, target)
        beside = (path.name for path in place.parent.iterdir())
        assert [name for name in beside if name.startswith((".adal2msal", place.name))] == [place.name]
    finally:
        place.unlink(missing_ok=True)


@each_store
def test_a_link_to_nothing_is_refused(folder, tmp_path, target):
    (folder / target).symlink_to(tmp_path / target)
    result = migrate(folder, target)
    expect_refused(result, 73)
    assert f"{target} is a link to {tmp_path / target}, which does not exist" in result.sentence
    expect_nothing_else(folder, target)
    assert not (tmp_path / target).exists()


@each_store
def test_a_hard_link_has_the_old_or_the_new(folder, target):
    existing(folder, target)
    os.link(folder / target, folder / f"other-{target}")
    old = caches.content(folder / target)
    assert migrate(folder, target).status == 0
    new = caches.content(folder / target)
    assert new != old
    # SQLite writes into the file, others take its place.
    assert caches.content(folder / f"other-{target}") == (new if target.endswith(".sqlite") else old)


@each_store
def test_a_loop_is_refused(folder, target):
    (folder / target).symlink_to(target)
    expect_refused(migrate(folder, target), 73)
    expect_nothing_else(folder, target)


@pytest.mark.parametrize("kind, arguments", [
    ("md", ["inspect", "source.items.json", "--report", "link"]),
    ("", ["migrate", "source.items.json", "--into-folder", "link"]),
    ("", ["scrub", "source.items.json", "--into", "link"])])
def test_an_output_that_is_a_link_to_nothing(folder, kind, arguments):
    name = f"link.{kind}" if kind else "link"
    (folder / name).symlink_to("nothing")
    result = run(folder, [*arguments[:-1], name])
    expect_refused(result, 73)
    assert arguments[0] == "scrub" or f"{name} is a link to nothing, which does not exist" in result.sentence
    expect_nothing_else(folder, name)


@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
@pytest.mark.parametrize("made", [os.mkfifo, lambda path: os.symlink("source.items.json", path)],
                         ids=["pipe", "link"])
def test_what_is_beside_a_snapshot_and_no_file_is_refused(folder, made, end):
    existing(folder, "t.sqlite")
    made(folder / f"t.sqlite{end}")
    for words, status in ((["inspect", "t.sqlite"], 66), (["migrate", "source.items.json", "--into", "t.sqlite"], 73),
                          (["migrate", "t.sqlite", "--into", "t.sqlite"], 73)):
        result = run(folder, [*words, *CLOCK], timeout=20)
        expect_refused(result, status)
        assert f"t.sqlite{end} is not an ordinary file" in result.sentence
    expect_nothing_else(folder, "t.sqlite", f"t.sqlite{end}")


@each_store
def test_a_name_that_is_not_text_is_refused(folder, target):
    """As text it would be another name, and another file."""
    result = subprocess.run(
        [command.COMMAND, "migrate", "source.items.json", "--into", b"a\xff" + target.encode()], cwd=folder,
        capture_output=True)
    assert result.returncode == 64 and b"is not UTF-8" in result.stderr, result.stderr
    expect_nothing_else(folder)


def test_a_source_folder_with_a_name_that_is_not_text_is_refused(folder):
    (folder / "caches").mkdir()
    (folder / "source.items.json").rename(folder / "caches" / "one.items.json")
    shutil.copy(folder / "caches" / "one.items.json", os.fsencode(folder / "caches") + b"/a\xffb.items.json")
    result = run(folder, ["inspect", "caches"])
    expect_refused(result, 66)
    assert "1 file whose name is not UTF-8" in result.sentence


@each_store
def test_a_long_relative_path_is_said_to_be_too_long(folder, target):
    existing(folder, target)
    long = "./" * 2150 + target
    result = run(folder, ["migrate", "source.items.json", "--into", long, *CLOCK])
    expect_refused(result, 73)
    assert "too long" in result.sentence
    result = run(folder, ["inspect", long])
    expect_refused(result, 66)
    assert "too long" in result.sentence


def test_a_folder_that_is_gone_is_said_to_be(folder, tmp_path):
    """Without a current folder a relative path leads nowhere."""
    result = subprocess.run(
        ["sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && {command.COMMAND} migrate {folder}/source.items.json "
         "--into t.sqlite"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 73 and "does not exist" in result.stderr, result.stderr


def pipe(path):
    os.mkfifo(path)


def local_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        # Its path may be longer than a socket's can be.
        here = os.getcwd()
        os.chdir(path.parent)
        made.bind(path.name)
        os.chdir(here)


def device(path):
    path.symlink_to("/dev/null")


def full_device(path):
    path.symlink_to("/dev/full")


def another_folder(path):
    path.mkdir()


@each_store
@pytest.mark.parametrize("made", [pipe, local_socket, device, full_device, another_folder])
def test_what_is_no_file_is_refused(folder, target, made):
    made(folder / target)
    mode = os.stat(folder / target).st_mode
    expect_refused(migrate(folder, target, timeout=20), 64, 65, 66, 73)
    assert os.stat(folder / target).st_mode == mode
    expect_nothing_else(folder, target)


@each_store
@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_nobody_else_may_read_what_is_new(folder, target, mask):
    result = migrate(folder, target, limits=lambda: os.umask(mask))
    assert result.status == 0, result.sentence
    assert stat.S_IMODE((folder / target).stat().st_mode) == 0o600
    expect_nothing_else(folder, target)


@each_store
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (0, 1, 2)])
def test_closed_streams_are_not_written_into_the_target(folder, target, closed):
    content = new(folder, target)

    def close():
        for descriptor in closed:
            os.close(descriptor)

    result = migrate(folder, target, limits=close)
    # Without standard output only the report is missing.
    assert result.status == (74 if 1 in closed else 0)
    assert caches.content(folder / target) == content
    expect_nothing_else(folder, target)


@each_store
def test_a_report_that_finds_no_room_is_said_to_be_missing(folder, target):
    with open("/dev/full", "wb") as full:
        result = migrate(folder, target, stdout=full)
    assert result.status == 74 and "the target was written" in result.sentence
    assert caches.content(folder / target) == new(folder, target)


@each_store
@pytest.mark.parametrize("room", [0, 1, 100, 4096, 12_288])
def test_files_that_may_not_grow(folder, target, room):
    content = new(folder, target)
    result = migrate(
        folder, target, limits=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        stdout=subprocess.PIPE)
    found = caches.content(folder / target)
    assert found in (None, content)
    assert result.status == (0 if found else 74), result.sentence
    assert migrate(folder, target).status == 0 and caches.content(folder / target) == content
    expect_nothing_else(folder, target)


@each_store
@pytest.mark.parametrize("room", [0, 1, 100, 600, 4096, 12_288, 20_000])
def test_files_that_may_not_grow_leave_nothing_beside_a_target(folder, target, room):
    existing(folder, target)
    old = caches.content(folder / target)
    result = migrate(folder, target, limits=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert result.status == (0 if caches.content(folder / target) != old else 74), result.sentence
    expect_nothing_else(folder, target)


def mounted(place, options):
    """A small file system of its own; skips where nobody may make one."""
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(place)], capture_output=True)
    if made.returncode:
        pytest.skip("not checked: no file system can be mounted here")
    return place


def fill(path, room):
    """Takes all of a disk but so many bytes."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(file, bytes(4096)):
            pass
    except OSError:
        os.ftruncate(file, max(0, os.fstat(file).st_size - room))
    finally:
        os.close(file)


@each_store
@pytest.mark.parametrize("options", ["size=64k", "size=1m,nr_inodes=4", "size=1m"])
def test_a_small_disk(folder, tmp_path, target, options):
    content = new(folder, target)
    disk = mounted(tmp_path / "disk", options)
    try:
        filling = disk / "filling"
        for room in (0, 4096, 16_384, 65_536):
            fill(filling, room)
            result = run(folder, ["migrate", "source.items.json", "--into", disk / target, *CLOCK])
            found = caches.content(disk / target)
            assert found in (None, content)
            assert result.status in ((0,) if found else (73, 74)), result.sentence
        filling.unlink()
        result = run(folder, ["migrate", "source.items.json", "--into", disk / target, *CLOCK])
        assert result.status == 0 and caches.content(disk / target) == content
        assert [path.name for path in disk.iterdir()] == [target]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@each_store
def test_a_disk_that_can_only_be_read(folder, tmp_path, target):
    disk = mounted(tmp_path / "disk", "size=1m")
    try:
        for name in ("there", "empty"):
            (disk / name).mkdir()
        existing(folder, disk / "there" / target)
        old = caches.content(disk / "there" / target)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for name, content in (("there", old), ("empty", None)):
            result = run(folder, ["migrate", "source.items.json", "--into", disk / name / target, *CLOCK])
            expect_refused(result, 73)
            assert caches.content(disk / name / target) == content
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@each_store
@pytest.mark.parametrize("jump", [86_400 * 365, -86_400 * 365 * 40])
def test_a_clock_that_jumps(folder, target, jump):
    shaken = {"LD_PRELOAD": str(command.shim()), "FAULT_CLOCK": str(jump)}
    content = new(folder, target)
    assert migrate(folder, target, environment=shaken).status == 0
    assert caches.content(folder / target) == content
    assert migrate(folder, target, environment=shaken).status == 0
    assert caches.content(folder / target) == content
    expect_nothing_else(folder, target)
    # Without a clock of its own, a run ends all the same, and the next one has nothing to write.
    for _ in range(2):
        result = run(folder, ["migrate", "source.items.json", "--into", f"later-{target}"], environment=shaken)
        assert result.status in (0, 1), result.sentence
    assert b"Nothing to add: the target " in result.output


@pytest.mark.parametrize("length", [200, 246, 247, 248, 255])
@each_store
def test_long_names(folder, target, length):
    """There is room for the names of the files beside: a lock, or a journal, which SQLite calls as it does."""
    name = "n" * (length - len(target)) + target
    existing(folder, name)
    expect_nothing_else(folder, name)
    old = caches.content(folder / name)
    result = migrate(folder, name)
    if target.endswith(".sqlite") and length > 255 - len("-journal"):
        expect_refused(result, 73)
        assert caches.content(folder / name) == old
    else:
        assert result.status == 0, result.sentence
        assert caches.content(folder / name) != old
    expect_nothing_else(folder, name)


def deep_folder(start, length):
    """A folder whose path has so many bytes."""
    path = str(start)
    while length - len(path) > 250:
        path += "/" + "d" * 200
    path += "/" + "d" * (length - len(path) - 1)
    os.makedirs(path)
    return Path(path)


# The longest path that SQLite takes for a file beside which there is room for a journal.
SQLITE = 504


@pytest.mark.parametrize("length", [SQLITE - 30, SQLITE - 4, SQLITE])
def test_a_new_snapshot_below_a_long_path(folder, tmp_path, length):
    """The file that is filled before it has its name has a longer one."""
    place = deep_folder(tmp_path, length - 1 - len("t.sqlite"))
    result = migrate(folder, place / "t.sqlite")
    if result.status:
        expect_refused(result, 73)
        assert length > SQLITE - 30 and "too long for SQLite" in result.sentence, result.sentence
        assert os.listdir(place) == []


@pytest.mark.parametrize("length", [SQLITE, SQLITE + 1, 3000, 4040, 4070, 4085, 4095])
@each_store
def test_long_paths(folder, tmp_path, target, length):
    """Where the path of a file beside would be too long, that is said, and the target is as it was."""
    place = deep_folder(tmp_path, length - 1 - len(target))
    existing(folder, target)
    os.rename(folder / target, place / target)
    old = caches.content(place / target)
    result = migrate(folder, place / target)
    if length <= (SQLITE if target.endswith(".sqlite") else 4000):
        assert result.status == 0, result.sentence
    if result.status == 0:
        assert caches.content(place / target) != old
    else:
        expect_refused(result, 73)
        assert "too long" in result.sentence, result.sentence
        assert caches.content(place / target) == old
    assert os.listdir(place) == [target]
