# SPDX-License-Identifier: MIT
"""Whatever happens to the process and the disk, a target is old or new, and the next run completes.

Every operation on every store, with every fault at every system call when FAULTS=full; else killed at every
second call, with a disk that breaks at every fsync, and each other fault at some calls, others every day.
"""
import sys

import pytest

import command
import matrix
from operations import OPERATIONS

pytestmark = [
    pytest.mark.skipif(not command.COMMAND, reason="not checked: ADAL2MSAL names no command"),
    pytest.mark.skipif(sys.platform != "linux", reason="not checked: calls are spoiled on Linux only"),
]


@pytest.mark.parametrize("operation, store", [
    pytest.param(operation, store, id=f"{operation.name}, {store}")
    for operation in OPERATIONS for store in operation.stores])
def test_a_target_is_old_or_new(operation, store, fault_table):
    scene = matrix.Scene(operation, store)
    try:
        scene.try_all(matrix.chosen(scene.calls))
    finally:
        scene.remove()
    fault_table.append(scene.line)
    assert not scene.line.broken, "\n".join(
        f"{fault}: {'; '.join(wrong)}" for fault, wrong in scene.line.broken[:40])
