#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""adal2msal stream with a fault: dies of some lines, in the way that their caches ask for.

A cache `poison MODE` makes it die so whenever it comes; `poison-once MODE FILE` only if FILE is not there yet.
"""
import base64
import json
import os
import signal
import subprocess
import sys
import time


def die(mode: str) -> None:
    output = sys.stdout.buffer
    if mode == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "half":
        output.write(b'{"id":1,"status":0,"rep')
        output.flush()
        os._exit(3)
    elif mode == "hang":
        time.sleep(600)
    elif mode == "slow":
        time.sleep(8)
    else:
        os._exit({"exit0": 0, "exit3": 3}[mode])


def check(line: bytes) -> None:
    try:
        cache = base64.b64decode(json.loads(line)["cache"])
    except (ValueError, KeyError):
        return
    if not cache.startswith(b"poison"):
        return
    kind, mode, *file = cache.decode().split(" ")
    if file:
        try:
            os.close(os.open(file[0], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
    die(mode)


def main() -> None:
    real = subprocess.Popen(
        [os.environ["ADAL2MSAL"], *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert real.stdin and real.stdout
    for line in sys.stdin.buffer:
        check(line)
        real.stdin.write(line)
        real.stdin.flush()
        sys.stdout.buffer.write(real.stdout.readline())
        sys.stdout.buffer.flush()
    real.stdin.close()
    real.wait()


if __name__ == "__main__":
    main()
