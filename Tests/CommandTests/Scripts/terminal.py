# SPDX-License-Identifier: MIT
"""Runs a command with standard output and error on a terminal of its own, standard input on ours, and prints what
it showed, with escapes spelled out. With --interrupt, it is interrupted once it has shown something. Usage:
terminal.py [--interrupt] COLUMNS COMMAND…"""
import fcntl, os, pty, signal, struct, subprocess, sys, termios

interrupt = sys.argv[1] == "--interrupt"
if interrupt:
    del sys.argv[1]
    # What is started in the background, or by a thread of a test, is told to ignore it or has it blocked.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

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
    if interrupt:
        process.send_signal(signal.SIGINT)
text = shown.decode().replace("\r\n", "\n").replace("\r", "<return>").replace("\x1b", "<esc>")
sys.stdout.write(text)
status = process.wait()
sys.exit(status if status >= 0 else 128 - status)
