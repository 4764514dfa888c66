# SPDX-License-Identifier: MIT
"""Folders that strangers can write to, and files that are theirs: nothing of theirs is followed, nobody loses a file."""
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import caches
import command
from command import run
from operations import CLOCK, STORES, existing, source

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(os.getuid() != 0, reason="not checked: only root can act for several users"),
]
each_store = pytest.mark.parametrize("target", list(STORES.values()))
ALICE, MALLORY = 2000, 2001


@pytest.fixture
def shared():
    """A folder like /tmp, which is root's, with nothing above it that keeps others out."""
    folder = Path(f"/tmp/adal2msal-shared-{os.getpid()}")
    folder.mkdir()
    folder.chmod(0o1777)
    yield folder
    shutil.rmtree(folder)


def alice(folder, arguments, **options):
    """A run of Alice's, in a folder that is hers."""
    return run(folder, arguments, user=ALICE, group=ALICE, extra_groups=[], **options)


@pytest.fixture
def home():
    """Alice's folder, with a source."""
    folder = Path(f"/tmp/adal2msal-home-{os.getpid()}")
    folder.mkdir()
    source(folder)
    give(folder, ALICE)
    yield folder
    shutil.rmtree(folder)


def give(path, user):
    for place in [path, *(path.rglob("*") if path.is_dir() else ())]:
        os.chown(place, user, user, follow_symlinks=False)


def migrate(folder, target, **options):
    return alice(folder, ["migrate", "source.items.json", "--into", target, *CLOCK], **options)


def old_name(text):
    """The name that a temporary folder had, which anybody could tell (FNV-1a)."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return f".adal2msal-{digits}"


# Names as the temporaries have them, and had them.
NAMES = [f"{old_name('OUT')}-folder.tmp", f"{old_name('OUT')}-0.tmp", ".adal2msal-0123456789abc-folder.tmp",
         ".adal2msal-0123456789abc.tmp"]


@pytest.mark.parametrize("is_folder", [False, True], ids=["file", "folder"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_scrub_deletes_nothing_through_a_link(tmp_path, is_folder, name, there):
    repository, victim = tmp_path / "repository", tmp_path / "victim"
    repository.mkdir()
    source(repository)
    victim.mkdir()
    (victim / "id_rsa").write_text("key")
    (repository / name).symlink_to("../victim")
    given = repository / "source.items.json"
    if is_folder:
        (repository / "caches").mkdir()
        given = given.rename(repository / "caches" / given.name).parent
    if there:
        (repository / "OUT").write_text("")
    result = run(repository, ["scrub", given.name, "--into", "OUT"])
    assert result.status == (73 if there else 0), result.sentence
    assert os.listdir(victim) == ["id_rsa"] and (victim / "id_rsa").read_text() == "key"
    assert (repository / name).is_symlink()


def test_a_folder_that_a_clone_brings_is_not_emptied(tmp_path):
    """Git makes folders for everybody, a run of ours makes them for its user alone."""
    planted = tmp_path / ".adal2msal-0123456789abc-folder.tmp"
    planted.mkdir(mode=0o755)
    (planted / "file").write_text("mine")
    (tmp_path / "caches").mkdir()
    source(tmp_path / "caches")
    assert run(tmp_path, ["scrub", "caches", "--into", "OUT"]).status == 0
    assert (planted / "file").read_text() == "mine"


OUTPUTS = {
    "a report": ["inspect", "source.items.json", "--report", "LINK.md"],
    "a map": ["inspect", "source.items.json", "--account-map-template", "LINK.csv"],
    "a journal": ["migrate", "source.items.json", "--into", "new.json", "--journal", "LINK.json"],
    "an items file": ["migrate", "source.items.json", "--into", "LINK.items.json"],
    "a document": ["migrate", "source.items.json", "--into", "LINK.json"],
    "a snapshot": ["migrate", "source.items.json", "--into", "LINK.sqlite"],
}


@pytest.mark.parametrize("kind", OUTPUTS)
@pytest.mark.parametrize("mode", [0o1777, 0o777, 0o775])
def test_a_link_of_a_stranger_is_not_followed(shared, home, kind, mode):
    shared.chmod(mode)
    arguments = [str(word).replace("LINK", f"{shared}/link") for word in OUTPUTS[kind]]
    link = Path(next(word for word in arguments if "/link" in word))
    victim = home / f"victim{link.name[4:]}"
    if kind == "a snapshot":
        caches.write(victim, [])
    elif kind == "a document":
        victim.write_text("{}")
    elif kind == "an items file":
        caches.write(victim, [])
    else:
        victim.write_text("")
    give(victim, ALICE)
    before = victim.read_bytes()
    link.symlink_to(victim)
    give(link, MALLORY)
    result = alice(home, arguments)
    if kind == "a journal":
        # Nothing may be there, be it a link.
        assert result.status == 73, result.sentence
    else:
        assert result.status == 73 and f"is a link of user {MALLORY} in a folder" in result.sentence, result.sentence
    assert victim.read_bytes() == before and link.is_symlink()
    # Her own link is hers to follow.
    give(link, ALICE)
    if kind not in ("a journal", "a map"):
        assert alice(home, arguments).status == 0
        assert victim.read_bytes() != before and link.is_symlink()


@each_store
def test_a_file_of_a_stranger_in_a_folder_for_all_is_not_written(shared, home, target):
    existing(home, "first-" + target)
    (home / f"first-{target}").rename(shared / target)
    (shared / target).chmod(0o666)
    give(shared / target, MALLORY)
    before = (shared / target).read_bytes()
    result = migrate(home, shared / target)
    assert result.status == 73 and f"belongs to user {MALLORY}" in result.sentence, result.sentence
    found = (shared / target).stat()
    assert (shared / target).read_bytes() == before
    assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (MALLORY, 0o666)
    assert os.listdir(shared) == [target]


@each_store
def test_an_owner_that_cannot_be_kept_keeps_the_file(home, target):
    """In a folder of Alice's a file of another user: her run can replace it, and its owner would lose it."""
    existing(home, target)
    give(home, ALICE)
    (home / target).chmod(0o666)
    give(home / target, MALLORY)
    old = caches.content(home / target)
    result = migrate(home, target)
    found = (home / target).stat()
    assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (MALLORY, 0o666)
    if target.endswith(".sqlite"):
        # SQLite writes into the file, which stays its owner's.
        assert result.status == 0 and f"belongs to user {MALLORY}" in result.sentence, result.sentence
        assert caches.content(home / target) != old
    else:
        assert result.status == 73 and "could not keep its owner" in result.sentence, result.sentence
        assert caches.content(home / target) == old
    assert sorted(os.listdir(home)) == sorted(["source.items.json", target])


@each_store
def test_a_group_that_cannot_be_kept_keeps_the_file(home, target):
    existing(home, target)
    give(home, ALICE)
    (home / target).chmod(0o640)
    os.chown(home / target, ALICE, MALLORY)
    old = caches.content(home / target)
    result = migrate(home, target)
    found = (home / target).stat()
    assert (found.st_gid, stat.S_IMODE(found.st_mode)) == (MALLORY, 0o640)
    assert result.status == (0 if target.endswith(".sqlite") else 73), result.sentence
    assert (caches.content(home / target) == old) == (result.status == 73)


@each_store
def test_root_is_told_whose_the_tokens_are(tmp_path, target):
    existing(tmp_path, target)
    give(tmp_path / target, MALLORY)
    result = run(tmp_path, ["migrate", "source.items.json", "--into", target, *CLOCK])
    assert result.status == 0
    assert f"holds tokens, and it belongs to user {MALLORY}, who can read it" in result.sentence
    assert (tmp_path / target).stat().st_uid == MALLORY
