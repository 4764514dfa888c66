# SPDX-License-Identifier: MIT
"""Runs a command with standard output and error on a terminal of its own, standard input on ours, and prints what
it showed, with escapes spelled out. Usage: terminal.py COLUMNS COMMAND…"""
import fcntl, os, pty, struct, subprocess, sys, termios

master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
environment = {"TERM": "xterm"} | dict(os.environ)
process = subprocess.Popen(sys.argv[2:], stdout=slave, stderr=slave, env=environment)
os.close(slave)
shown = b""
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:  # Linux says EIO when the other side is closed.
        break
    if not piece:
        break
    shown += piece
text = shown.decode().replace("\r\n", "\n").replace("\r", "<return>").replace("\x1b", "<esc>")
sys.stdout.write(text)
sys.exit(process.wait())
