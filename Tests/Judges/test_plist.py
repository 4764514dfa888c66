# SPDX-License-Identifier: MIT
"""Python's plistlib judges what KeyedArchive reads (plist_judge.py).

ADAL2MSAL names the command, beside which plist-dump is built; without it the test is skipped, and says so.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
COMMAND = os.environ.get("ADAL2MSAL")
# Archives that are the same in every run, and others every day; `scripts/fuzz --nightly` makes ten thousand.
SEEDS = {"always": 1, "today": int(time.time()) // 86_400}


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS.keys())
def test_vectors_and_a_thousand_archives_are_read_alike(seed):
    judge = subprocess.run(
        [sys.executable, "-B", HERE / "plist_judge.py", "--dump", Path(COMMAND).parent / "plist-dump",
         "--count", "1000", "--seed", str(seed)],
        capture_output=True, text=True)
    assert judge.returncode == 0, judge.stdout + judge.stderr
    assert judge.stdout.endswith("0 unexplained differences\n")
