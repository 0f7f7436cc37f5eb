"""The highest cost of an email to support: processor milliseconds, and megabytes in addition to the email itself.

The emails have the largest accepted size, and each is slow for one part of the parser (goals: 100 ms, 10 MB).

python benchmarks/inbound_mails.py
"""

from __future__ import annotations

import os
import tempfile
import time
import tracemalloc

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.update(WORKSPACE_SUPPORT_ADDRESS="help@example.com")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from workspace.support.mail_parser import MAX_MAIL_BYTES, parse_mail

HEAD = b"From: a@b.example\r\nMessage-ID: <x@y>\r\n"
TEXT = HEAD + b"Content-Type: text/plain\r\n\r\n"
HTML = HEAD + b"Content-Type: text/html\r\n\r\n"
MOST = MAX_MAIL_BYTES - 2000


def fill(b: bytes, n: int = MOST) -> bytes:
    return (b * (n // len(b) + 1))[:n]


CASES = {
    "empty lines": lambda: TEXT + fill(b"\r\n"),
    "15 MB of a": lambda: TEXT + fill(b"a"),
    ">>>> lines": lambda: TEXT + fill(b"> a\n"),
    "wrote:": lambda: TEXT + fill(b"On 1 wrote:\n"),
    "On wrapped": lambda: TEXT + fill(b"On Mon 1\n" * 2 + b"x wrote:\n"),
    "From: lines": lambda: TEXT + fill(b"From: a\n"),
    "----": lambda: TEXT + fill(b"-" * 299 + b"\n"),
    "spaces": lambda: TEXT + fill(b" "),
    "plus": lambda: TEXT + fill(b"+1.0123456789ab@"),
    "+digits": lambda: TEXT + fill(b"+111111"),
    "html <": lambda: HTML + fill(b"<"),
    "html tags": lambda: HTML + fill(b"<b>"),
    "html br": lambda: HTML + fill(b"<br>"),
    "html blockquote": lambda: HTML + fill(b"<blockquote>"),
    "html comments": lambda: HTML + fill(b"<!---->"),
    "html comment open": lambda: HTML + fill(b"<!-- "),
    "html style": lambda: HTML + fill(b"<style></style>"),
    "html style open": lambda: HTML + fill(b"<style "),
    "html &": lambda: HTML + fill(b"&amp"),
    "html &#": lambda: HTML + fill(b"&#9999999"),
    "html &#9..": lambda: HTML + b"&#" + fill(b"9"),
    "html &x": lambda: HTML + fill(b"&" + b"a" * 32),
    "html </div ": lambda: HTML + fill(b"</div "),
    "head folds": lambda: HEAD + fill(b"a:\r\n b\r\n", 65000) + b"\r\n\r\n",
    "head lines": lambda: HEAD + fill(b"a:\n", 65000) + b"\r\n\r\n",
    "refs": lambda: HEAD + b"References: " + fill(b"<t-1-1.0123456789ab@x> ", 60000) + b"\r\n\r\n",
    "from (": lambda: b"From: " + fill(b"(", 60000) + b"\r\n\r\nx",
    "from quotes": lambda: b"From: " + fill(b'"\\', 60000) + b"\r\n\r\nx",
    "from ,": lambda: b"From: " + fill(b"a@b,", 60000) + b"\r\n\r\nx",
    "from <": lambda: b"From: " + fill(b"<a<", 60000) + b"\r\n\r\nx",
    "from =?": lambda: b"From: " + fill(b"=?utf-8?q?a?= ", 60000) + b"\r\n\r\nx",
    "subject =?": lambda: HEAD + b"Subject: " + fill(b"=?utf-8?b?", 60000) + b"\r\n\r\nx",
    "subject =?a": lambda: HEAD + b"Subject: " + fill(b"=?a", 60000) + b"\r\n\r\nx",
    "ct params": lambda: HEAD + b"Content-Type: text/plain; " + fill(b'a="b";', 60000) + b"\r\n\r\nx",
    "ct params2": lambda: HEAD + b"Content-Type: text/plain; " + fill(b'a*1="\\', 60000) + b"\r\n\r\nx",
    "to": lambda: HEAD + b"To: " + fill(b"+1.0123456789ab@x, ", 60000) + b"\r\n\r\nx",
    "auth": lambda: HEAD + fill(b"Authentication-Results: dmarc dmarc dmarc\r\n", 60000) + b"\r\n\r\nx",
    "parts": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + fill(b"--x\r\n\r\n"),
    "parts near": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=" + b"-" * 100 + b"\r\n\r\n" + fill(b"-"),
    "parts near2": lambda: (
        HEAD + b"Content-Type: multipart/mixed; boundary=" + b"-" * 100 + b"\r\n\r\n" + fill(b"\n" + b"-" * 101)
    ),
    "nested": lambda: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
        + fill(b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n")
    ),
    "nested wide": lambda: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=b0\r\n\r\n"
        + b"".join((b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (i, i + 1)) for i in range(6))
        + fill(b"--b6\r\n\r\n\r\n--b5\r\nContent-Type: multipart/mixed; boundary=b6\r\n\r\n")
    ),
    "part heads": lambda: (
        HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + fill(b"--x\r\n" + fill(b"a:\n", 8000) + b"\r\n")
    ),
    "base64 bad": lambda: HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + fill(b"*a"),
    "qp": lambda: HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + fill(b"=\r\n"),
    "utf7": lambda: HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + fill(b"+a"),
    "iso2022": lambda: HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n" + fill(b"\x1b$B"),
    "many blank part": lambda: (
        HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + fill(b"--x\r\n\r\n" + b" " * 200000 + b"\r\n")
    ),
    "quoted plus": lambda: TEXT + fill(b"> +1.0123456789ab@x\n"),
}


def main() -> None:
    found = []
    for name, made in CASES.items():
        raw = made()
        began = time.process_time()
        parse_mail(raw)
        spent = time.process_time() - began
        tracemalloc.start()
        parse_mail(raw)
        most = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        found.append((spent * 1000, most, name))
    for milliseconds, megabytes, name in sorted(found, reverse=True):
        print(f"{milliseconds:6.1f} ms  {megabytes:5.1f} MB  {name}")


if __name__ == "__main__":
    main()
