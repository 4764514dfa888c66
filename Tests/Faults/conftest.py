# SPDX-License-Identifier: MIT
"""The table of what was tried, at the end of every run."""
import pytest

LINES = []
EIGHT = []


@pytest.fixture
def fault_table():
    return LINES


@pytest.fixture
def eight_table():
    return EIGHT


def pytest_terminal_summary(terminalreporter):
    if EIGHT:
        terminalreporter.section("eight runs at once")
        for line in EIGHT:
            terminalreporter.write_line(line)
    if not LINES:
        return
    terminalreporter.section("faults")
    terminalreporter.write_line(LINES[0].head())
    for line in LINES:
        terminalreporter.write_line(str(line))
    tried = sum(sum(line.tried.values()) for line in LINES)
    broken = sum(len(line.broken) for line in LINES)
    terminalreporter.write_line(f"{tried} faults tried, {tried - broken} held")
