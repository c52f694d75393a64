/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * peat.h: the Perf Event Array Toolkit, all of its user-space headers.
 *
 *   BPF program                  kernel                       libpeat
 *  ┌──────────────┐  frame    ┌─────────────────────┐ record ┌────────────┐
 *  │ peat_reserve │ ────────▶ │ one perf ring a CPU │ ─────▶ │ reader     │      your code,
 *  │ peat_submit  │  staging  │ watermark wakeups   │ epoll  │ wait, next │ ───▶ or peat(1)
 *  └──────────────┘           └─────────────────────┘        │ stats      │
 *         │                                                  └────────────┘
 *         └── staged events and counters, shared memory ────▶  ledger
 *
 * channel.h  binds BPF objects that include peat.bpf.h to a ring a CPU and a stage in front of it
 * reader.h   pulls events out of a channel, or out of a perf event array of your own
 * ledger.h   where every event went
 * map.h      perf event arrays that other programs made: who emits into them, who reads them
 * session.h  loads and attaches a BPF object, and has its channel and its reader
 * schema.h   what the bytes of an event mean, from the object's BTF
 * object_file.h  what is in a BPF object: its events, options, hooks, without loading it
 * sink.h     events as text, as JSON lines, or where else you want them
 * frame.h    the events of a frame: bytes in, values out; wire.h has the format
 * record.h   decodes a perf record: bytes in, values out
 * recording.h  what is in a perf.data: its records counted, its header
 * log.h      where messages go
 *
 * Conventions.  A call is named peat_<object>__<verb>().  An int is a negative errno when the call
 * failed; a pointer is NULL then; errno agrees in both cases.  Options are structs that start with
 * their size, `.sz`; NULL stands for defaults.  Numbers carry their unit in the name.  An object
 * belongs to one thread at a time, unless its comment says otherwise, and what a call lends is
 * valid until the next call on the same object.  The library never prints, never exits and never
 * touches signals.
 */
#ifndef PEAT_PEAT_H
#define PEAT_PEAT_H

#include <peat/channel.h>
#include <peat/common.h>
#include <peat/frame.h>
#include <peat/ledger.h>
#include <peat/log.h>
#include <peat/map.h>
#include <peat/object_file.h>
#include <peat/reader.h>
#include <peat/record.h>
#include <peat/recording.h>
#include <peat/schema.h>
#include <peat/session.h>
#include <peat/sink.h>

#define PEAT_VERSION "0.1.0"

#endif /* PEAT_PEAT_H */
