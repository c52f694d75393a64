# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# snake.py: usage: python3 snake.py MILLISECONDS.  Keeps the interpreter's C functions busy.
import json
import re
import sys
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


end = time.process_time() + int(sys.argv[1]) / 1000
while time.process_time() < end:
    fib(12)
    text = json.dumps({str(i): [i] * 3 for i in range(50)})
    sorted(re.findall(r"\d+", text), key=lambda word: int(word))
