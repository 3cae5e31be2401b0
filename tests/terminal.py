#!/usr/bin/env python3
"""terminal.py TOOL -- the tool on a terminal: a line of progress, Ctrl-C, width and colour.

What runs without end is watched until its progress is there, and ended by Ctrl-C on the terminal. All
that came then is printable, but for the ends of lines: also where stages and files have hostile names.
A terminal that cannot be read is an error like any other."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios

TOOL = os.path.abspath(sys.argv[1])
# C0 but \r and \n, DEL, C1
NONE = "perceptron train: interrupted while models were compared: none was saved"
CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def begin(words, columns=80, out=True, keep=(), **settings):
    """The process, and the terminal that its messages and, with `out`, its results go to."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))

    def own_terminal():  # so that Ctrl-C goes to it
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen([TOOL] + words, stdin=theirs, stdout=theirs if out else subprocess.DEVNULL, stderr=theirs,
                               preexec_fn=own_terminal, pass_fds=keep, env=dict(os.environ, LC_ALL="C", **settings))
    os.close(theirs)
    return process, ours


def read_some(ours):
    try:
        return os.read(ours, 65536)
    except OSError:  # EIO: the other end is closed
        return b""


def finish(process, ours, came=b""):
    while more := read_some(ours):
        came += more
    os.close(ours)
    return process.wait(), came.decode()


def interrupted(words, progress, last_words=None, keep=()):
    process, ours = begin(words, keep=keep)
    came = b""
    while not re.search(progress, came):
        more = read_some(ours)
        assert more, f"{words}: ended without {progress}: {came}"
        came += more
    os.write(ours, b"\x03")
    status, text = finish(process, ours, came)
    assert status == 130, f"{words}: exit status {status}: {text}"
    text = text.replace("^C", "")
    assert not CONTROL.search(text), f"{words}: {text!r}"
    if last_words:  # of a handler, which cannot know what is on the line
        assert re.search("\n" + last_words, text), f"{words}: {text!r}"
        return
    assert any(re.search(progress, line.encode()) and re.search(r"\r +\r", line) for line in text.split("\n")), \
        f"{words}: the line stays: {text!r}"


def progress():
    endless = ["--epochs", "1000000000", "-o", "m"]
    hostile = "x\x1b[2J\x07\u009b31m.csv"
    with open(hostile, "w", encoding="utf-8") as f:
        f.write("f\x1b[2J,g,class\n" + "".join(f"{i % 7},{i % 5},\x1b[3{i * 7 % 3}m\n" for i in range(60)))
    interrupted(["train", hostile] + endless, rb"pass \d+   \d+ %.*   \d+ mistakes in it   [\d.,]+")
    interrupted(["train", hostile, "--holdout", "0.5", "--patience", "0"] + endless, rb"held-out error")
    interrupted(["train", ":iris", "-a", "mlp"] + endless, rb"   loss ")
    interrupted(["train", ":iris", "--folds", "2"] + endless, rb"fold 1 of 2   \d+ %", NONE)
    interrupted(["train", ":iris", "--search", "rate=1,2", "--folds", "2"] + endless, rb"point 1 of 2   fold \d of \d   \d+ %", NONE)
    interrupted(["train", ":iris", "--learning-curve"] + endless, rb"training \d+ of", NONE)
    interrupted(["plot", hostile, "--compare", "perceptron,averaged", "--epochs", "1000000000"], rb"pass \d+")
    interrupted(["report", hostile, "--epochs", "1000000000", "-o", "r.html"], rb"pass \d+")
    assert not os.path.exists("r.html")
    # Files: what is read of a pipe that does not end, which Ctrl-C says is not kept.
    with subprocess.Popen(["yes", "1 1:1 2:3"], stdout=subprocess.PIPE) as rows:
        interrupted(["train", "/dev/fd/%d" % rows.stdout.fileno(), "-o", "none"], rb"reading   [\d.]+ [kMG]?B   ",
                    "perceptron train: interrupted before there was a result", [rows.stdout.fileno()])
        rows.kill()
    assert not os.path.exists("none")


def forms():
    """Pictures are as wide as the terminal, up to 120, and coloured where colour is wanted."""
    for columns, widest in (60, 60), (200, 120), (0, 80):
        for settings, coloured in (({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False),
                                   ({"TERM": "xterm", "NO_COLOR": ""}, True)):
            status, text = finish(*begin(["plot", ":xor", "--epochs", "5"], columns, **settings))
            assert status == 0 and ("\x1b[" in text) == coloured, f"{columns} {settings}: {status} {text!r}"
            bare = re.sub("\x1b\\[[0-9;]*m", "", text).replace("\r", "")
            assert not CONTROL.search(bare), repr(bare)
            width = max(len(line) for line in bare.split("\n")[:12])
            assert width <= widest, f"{columns}: {width} wide"


def help_fits():
    """Help is as wide as the terminal, at least 40, and no character of it is lost."""
    whole = {}
    for columns in 200, 80, 64, 57, 40, 13:
        for words in (["help"], ["help", "train"], ["help", "all"], ["help", "algorithms"]):
            status, text = finish(*begin(words, columns))
            text = text.replace("\r", "")
            assert status == 0 and not CONTROL.search(text), (words, columns)
            for line in text.split("\n"):
                assert len(line) < max(columns, 40), f"{words} {columns}: {line}"
            if words[-1] == "algorithms":  # a table on wide ones, a list on others
                continue
            letters = re.sub(r"\\\n|\s", "", text)
            assert letters == whole.setdefault(str(words), letters), f"{words} {columns}"
    status, text = finish(*begin(["help", "all"], 200, COLUMNS="50"))
    assert max(len(line) for line in text.replace("\r", "").split("\n")) < 50


def data_are_tame():
    """Tables go out as they are, but not to a terminal: there what could steer it is a question mark."""
    with open("wild.csv", "wb") as f:
        f.write(b"f,id\x1b[2J,class\n" + b"".join(b"%d,\x1b[3%dm\x9b\xc2\x9b\x7f\xc3\xa9,%s\n" % (i, i, b"y\x07" if i < 3 else b"n")
                                               for i in range(6)))
    subprocess.run([TOOL, "train", "wild.csv", "--ignore", "2", "-o", "w", "-q"], check=True)
    for words in (["predict", "w", "wild.csv", "--format", "csv", "--keep", "2,class"], ["predict", "w", "wild.csv", "--format", "tsv"],
                  ["sample", "wild.csv", "--rows", "6"], ["split", "wild.csv", "-o", "-", "rest.csv"], ["split", "wild.csv", "-o", "rest.csv", "/dev/tty"],
                  ["convert", "wild.csv", "-", "--to", "csv"], ["convert", "wild.csv", "-", "--to", "libsvm"], ["predict", "w", "wild.csv"]):
        status, text = finish(*begin(words))
        assert status == 0, (words, text)
        assert not CONTROL.search(text.replace("\r", "").replace("\t", "")), f"{words}: {text!r}"
        if "--keep" in words or words[0] == "sample":
            assert "?[35m????é,n" in text, f"{words}: {text!r}"
    piped = subprocess.run([TOOL, "sample", "wild.csv", "--rows", "6", "-q"], stdout=subprocess.PIPE, check=True).stdout
    assert piped == open("wild.csv", "rb").read(), piped


def gone():
    """learn on a terminal that is closed: its input has ended, and is saved."""
    ours, theirs = pty.openpty()
    mode = termios.tcgetattr(theirs)
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(theirs, termios.TCSANOW, mode)
    process = subprocess.Popen([TOOL, "learn", "--new", "-o", "l"], stdin=theirs, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=dict(os.environ, LC_ALL="C"))
    os.close(theirs)
    os.write(ours, b"1 1:1\n-1 1:-1\n")
    said = process.stdout.readline() + process.stdout.readline()
    os.close(ours)
    rest, errors = process.communicate()
    assert process.returncode == 0, (process.returncode, errors)
    assert b"ack 2 examples saved to l" in said + rest, said + rest


def unreadable():
    """Who is in the background and deaf to SIGTTIN gets EIO from its terminal."""
    ours, theirs = pty.openpty()
    os.write(ours, b"1 1:1\n")

    def in_background():
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        front = os.fork()
        if front == 0:
            os.closerange(0, 256)
            signal.pause()  # SIGHUP comes with the end of the tool
            os._exit(0)
        os.setpgid(front, front)
        os.tcsetpgrp(theirs, front)
    done = subprocess.run([TOOL, "learn", "l"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=in_background, env=dict(os.environ, LC_ALL="C"), check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 4, done
    assert b"cannot read standard input: Input/output error" in done.stderr, done


os.chdir(tempfile.mkdtemp())
gone()
unreadable()
data_are_tame()
forms()
help_fits()
progress()
