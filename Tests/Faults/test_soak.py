# SPDX-License-Identifier: MIT
"""Random caches through random commands with random faults, for a few seconds; scripts/soak takes an hour."""
import os
import sys
import time

import pytest

import command
import soak

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: calls are spoiled on Linux only"),
]
SECONDS = float(os.environ.get("SOAK_SECONDS", "10"))


@pytest.mark.parametrize("seed", soak.kept())
def test_a_seed_that_once_failed(seed):
    assert soak.live(seed) is None


def test_new_seeds():
    # Others every day, and on one day the same.
    first = int(time.time()) // 86_400 * 1_000_000
    count, wrong = soak.soak(range(first, first + 1_000_000), SECONDS)
    assert count and not wrong, "\n".join(wrong)
