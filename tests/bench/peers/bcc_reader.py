#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""usage: bcc_reader.py MAP_FD RING_BYTES WAKEUP_EVENTS

Reads a perf event array by bcc's Python module, as its users do.  The BPF program is that of the other
readers: bcc needs the headers of the running kernel to compile one, but not to read.
Protocol: readers.c.
"""
import ctypes
import os
import select
import sys
import time

from bcc import BPF
from bcc.table import PerfEventArray

POLL_MS = 2


class Reader:
    def __init__(self, map_fd, ring_bytes, wakeup_events):
        self.delivered = self.checksum = 0
        self.last_ns = time.monotonic_ns()
        self.bpf = BPF.__new__(BPF)  # without a program
        self.bpf.module = None
        self.bpf.perf_buffers = {}
        self.events = PerfEventArray(self.bpf, 0, map_fd, ctypes.c_int, ctypes.c_uint)
        self.events.max_entries = os.sysconf("SC_NPROCESSORS_CONF")
        self.events.open_perf_buffer(self.count, page_cnt=ring_bytes // os.sysconf("SC_PAGE_SIZE"),
                                     wakeup_events=wakeup_events)

    def count(self, _cpu, data, _size):
        self.checksum += ctypes.cast(data, ctypes.POINTER(ctypes.c_ulonglong))[0]
        self.delivered += 1

    def read(self, read):
        """Whether there were events."""
        before = self.delivered
        read()
        if self.delivered == before:
            return False
        self.last_ns = time.monotonic_ns()
        return True

    def poll(self):
        self.read(lambda: self.bpf.perf_buffer_poll(POLL_MS))

    def report(self):
        while self.read(self.bpf.perf_buffer_consume):
            pass
        print(self.delivered, self.last_ns, flush=True)


def main():
    reader = Reader(*map(int, sys.argv[1:]))
    print("ready", flush=True)
    while True:
        if select.select([sys.stdin], [], [], 0)[0]:
            if not sys.stdin.readline():
                break
            reader.report()
        reader.poll()


main()
