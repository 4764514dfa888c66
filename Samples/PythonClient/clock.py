# SPDX-License-Identifier: MIT
"""A clock that MSAL reads instead of the system's: the sample tokens live in November 2023."""

import sys
import time


class Clock:
    """Stands in for the module `time` in MSAL's modules, and only there."""

    def __init__(self, now):
        self.now = now

    def time(self):
        return float(self.now)

    def __getattr__(self, name):
        return getattr(time, name)

    def _replace(self, old, new):
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] == "msal" and getattr(module, "time", None) is old:
                module.time = new

    def __enter__(self):
        self._replace(time, self)
        return self

    def __exit__(self, *_):
        self._replace(self, time)
