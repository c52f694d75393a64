/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * peat.h: the Perf Event Array Toolkit, all of its user-space headers.
 *
 *   BPF program                  kernel                       libpeat
 *  ┌───────────────────┐        ┌─────────────────────┐      ┌────────────┐
 *  │ bpf_perf_event_   │ record │ one perf ring a CPU │      │ reader     │      your code,
 *  │ output(ctx, &map, │ ─────▶ │ watermark, lost     │ ───▶ │ wait, next │ ───▶ or peat(1)
 *  │ CURRENT_CPU, ...) │        │ count               │ epoll│ stats      │
 *  └───────────────────┘        └─────────────────────┘      └────────────┘
 *
 * reader.h   pulls events out of a perf event array that is yours
 * session.h  loads and attaches a BPF object, and has its reader
 * record.h   decodes a perf record: bytes in, values out
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

#include <peat/common.h>
#include <peat/log.h>
#include <peat/reader.h>
#include <peat/record.h>
#include <peat/session.h>

#define PEAT_VERSION "0.1.0"

#endif /* PEAT_PEAT_H */
