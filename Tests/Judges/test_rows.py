# SPDX-License-Identifier: MIT
"""A reader in Python, written from the specification, judges what ADALCache reads of other ADALs' caches.

ADAL2MSAL names the command, beside which rows-dump is built; without it the test is skipped, and says so.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
COMMAND = os.environ.get("ADAL2MSAL")
# Caches that are the same in every run, and others every day; `scripts/fuzz --nightly` makes three thousand.
SEEDS = {"always": 1, "today": int(time.time()) // 86_400}


@pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")
@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS.keys())
def test_given_and_made_caches_are_read_alike(seed):
    judge = subprocess.run(
        [sys.executable, "-B", HERE / "rows_judge.py", "--dump", Path(COMMAND).parent / "rows-dump",
         "--count", "500", "--seed", str(seed)],
        capture_output=True, text=True)
    assert judge.returncode == 0, judge.stdout + judge.stderr
    assert judge.stdout.endswith(" 0 differences\n")
