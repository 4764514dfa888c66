# SPDX-License-Identifier: MIT
"""Whatever happens to the process and the disk, a target is old or new, and the next run completes.

Every operation on every store, with every fault at every system call when FAULTS=full; else killed at every
second call, with a disk that breaks at every fsync, and each other fault at some calls, others every day.
"""
import os
import sys
import time

import pytest

import command
import matrix
from operations import OPERATIONS

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: calls are spoiled on Linux only"),
]
FULL = os.environ.get("FAULTS") == "full"
# Of each kind of fault but killing, so many are tried on one operation and store.
SOME = 2


def chosen(calls, day):
    for number, kind in enumerate(matrix.faults(calls)):
        if FULL:
            yield from kind
        elif not number:
            yield from kind[day % 2::2]
        elif kind:
            step = max(1, len(kind) // SOME)
            yield from kind[(day * 7 + number) % step::step][:SOME]
    if not FULL:
        # A disk that breaks where what is new is taken for good.
        yield from (matrix.Fault(at, matrix.number("EIO"), lasts=True)
                    for at, call in enumerate(calls, 1) if call == "sync")


@pytest.mark.parametrize("operation, store", [
    pytest.param(operation, store, id=f"{operation.name}, {store}")
    for operation in OPERATIONS for store in operation.stores])
def test_a_target_is_old_or_new(operation, store, fault_table):
    scene = matrix.Scene(operation, store)
    try:
        scene.try_all(chosen(scene.calls, int(time.time()) // 86_400))
    finally:
        scene.remove()
    fault_table.append(scene.line)
    assert not scene.line.broken, "\n".join(
        f"{fault}: {'; '.join(wrong)}" for fault, wrong in scene.line.broken[:40])
