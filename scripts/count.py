# SPDX-License-Identifier: MIT
"""Prints how many tests of some JUnit files passed and failed. Skipped ones are neither."""
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for path in sys.argv[1:]:
    for test in ElementTree.parse(path).iter("testcase"):
        outcomes = {child.tag for child in test}
        if outcomes & {"failure", "error"}:
            failed += 1
        elif "skipped" not in outcomes:
            passed += 1
print(passed, failed)
