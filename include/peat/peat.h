/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * peat.h: the Perf Event Array Toolkit: includes all user-space headers but agent.h.
 *
 *   BPF program                  kernel                       libpeat
 *  ┌──────────────┐  frame    ┌─────────────────────┐ record ┌────────────┐
 *  │ peat_reserve │ ────────▶ │ one perf ring       │ ─────▶ │ reader     │      your code,
 *  │ peat_submit  │  staging  │ per CPU, watermark  │ epoll  │ wait, next │ ───▶ or peat(1)
 *  └──────────────┘           │ wakeups             │        │ stats      │
 *         │                   └─────────────────────┘        └────────────┘
 *         └── staged events and counters, shared memory ────▶  ledger
 *
 * Start here:
 *	session.h	loads and attaches BPF objects, and reads their events
 *	sink.h		prints events as text or JSON lines, or records them
 *	stacks.h	counts stacks: flame graphs, profiles for pprof
 *	page.h		writes a page for a browser: timeline, flame graph
 *	table.h		counts events by their fields
 *	rows.h		prints such tables, as lines or histograms
 *	counters.h	counts perf events of tasks and CPUs, without BPF
 *
 * The parts, for programs with a skeleton and an event loop of their own:
 *	channel.h	binds BPF objects that include peat.bpf.h to one ring and one stage per CPU
 *	reader.h	reads events: of a channel, of another perf event array, of a perf.data
 *	ledger.h	counts emitted, delivered and lost events, by cause
 *	schema.h	describes the fields of an event, from BTF
 *	where.h		selects events by an expression over their fields
 *	log.h		receives the library's messages
 *
 * Tools:
 *	map.h		lists and opens perf event arrays that other programs made
 *	machine.h	checks what this machine allows, and has the remedies
 *	event_names.h	lists the perf events of this machine
 *	identity.h	parses the path of a cgroup: container, pod, unit
 *	object_file.h	describes a BPF object without loading it: events, options, hooks
 *	recording.h	describes and converts a perf.data
 *	frame.h		decodes a frame, for other readers; wire.h has the format
 *	record.h	decodes a perf record
 *	text.h		makes names safe for a terminal
 *	binding.h	has symbols for bindings that cannot use macros
 *
 * In a library of its own:
 *	agent.h		sends events to files and servers
 *
 * Conventions
 * - A function is named peat_<object>__<verb>().
 * - An int result is negative on failure: a negative errno.  A pointer is NULL on failure.  errno
 *   is set in both cases.
 * - Options are structs that begin with their size, `.sz`.  0 in any other member is its default,
 *   and NULL stands for all defaults.
 * - Names of numbers end in their unit: ring_bytes, latency_ms, time_ns.
 * - Pointers are not NULL unless a comment allows it.  All functions __free accept NULL.
 * - An object may be used by one thread at a time, unless its comment says otherwise.
 * - Memory that a call lends is valid until the next call on the same object.
 * - A live reader, a session or table with one, and counters belong to the process that made them,
 *   since fork() does not copy rings, programs and perf events.  A child process can free them,
 *   which changes nothing for its parent, and call functions that describe them: types, arrays,
 *   tables, maps.  Its other calls fail with -ECHILD, or do nothing if they have no result; no
 *   sink can be made for such a reader.  So a daemon forks before it starts a session.  A child
 *   must not touch its parent's sinks: buffered output would be written twice, and the thread of a
 *   peat_sink__new_perf() does not exist in the child.
 * - The library never prints, never exits and never touches signals: a program that writes to pipes
 *   ignores SIGPIPE, and sinks return -EPIPE.  It starts threads of its own, which block all
 *   signals: one for a peat_sink__new_perf(), and one that waits for programs that are preempted,
 *   while a reader goes on.
 */
#ifndef PEAT_PEAT_H
#define PEAT_PEAT_H

#include <peat/binding.h>
#include <peat/channel.h>
#include <peat/common.h>
#include <peat/counters.h>
#include <peat/data.h>
#include <peat/event_names.h>
#include <peat/frame.h>
#include <peat/functions.h>
#include <peat/identity.h>
#include <peat/ledger.h>
#include <peat/log.h>
#include <peat/machine.h>
#include <peat/map.h>
#include <peat/object_file.h>
#include <peat/reader.h>
#include <peat/record.h>
#include <peat/rows.h>
#include <peat/sampling.h>
#include <peat/schema.h>
#include <peat/session.h>
#include <peat/sink.h>
#include <peat/stack.h>
#include <peat/table.h>
#include <peat/text.h>
#include <peat/where.h>

#define PEAT_VERSION "0.9.0"

#endif /* PEAT_PEAT_H */
