/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perfetto/packets.h: encodes the packets of a Perfetto trace (perfetto_trace.proto).  Pure.
 *
 * Each function appends packets to the buffer, whose memory failure is in out->failed.  Text is
 * made valid UTF-8.
 */
#ifndef PEAT_PERFETTO_PACKETS_H
#define PEAT_PERFETTO_PACKETS_H

#include "protobuf/protobuf_write.h"

/* The sequence of all packets but samples, whose sequences follow. */
#define PACKET_SEQUENCE 1

/* TracePacket.SequenceFlags. */
enum packet_flags { PACKET_NO_FLAGS = 0, PACKET_STATE_CLEARED = 1, PACKET_STATE_NEEDED = 2 };

/* TrackEvent.Type. */
enum packet_event_type {
	PACKET_SLICE_BEGIN = 1,
	PACKET_SLICE_END = 2,
	PACKET_INSTANT = 3,
	PACKET_COUNTER = 4
};

/* CounterDescriptor.Unit. */
enum packet_unit { PACKET_NANOSECONDS = 1, PACKET_COUNT = 2, PACKET_BYTES = 3 };

/* Begins a packet; protobuf__end() ends it. */
struct protobuf_mark packet__begin(struct strbuf *out, uint32_t sequence, enum packet_flags flags);

void packet__time(struct strbuf *out, uint64_t time_ns);

/* Appends a field with text of any bytes; NULL: none. */
void packet__text(struct strbuf *out, uint32_t field, const char *text);

/* An interned string: InternedString, EventName, DebugAnnotationName. */
void packet__interned(struct strbuf *out, uint32_t field, uint64_t id, const char *text);

/* The first packets: the sequence, the machine (NULL: unknown), and the time of day (0: unknown).
 */
void packet__start(struct strbuf *out, const char *release, const char *machine);
void packet__clocks(struct strbuf *out, uint64_t time_ns, int64_t wall_clock_ns);

/* Tracks.  Names may be NULL; a later packet with the same track changes the name. */
void packet__process(struct strbuf *out, uint64_t track, uint32_t pid, const char *name);
void packet__thread(struct strbuf *out, uint64_t track, uint32_t pid, uint32_t tid,
		    const char *name);
void packet__track(struct strbuf *out, uint64_t track, uint64_t parent, const char *name);

/* An event on a track.  Fields of DebugAnnotation, as PACKET_ARGUMENT, may be appended to it. */
struct packet_event {
	struct protobuf_mark packet, event;
};

#define PACKET_ARGUMENT 4

/* `name` is the id of an interned EventName; 0: none. */
struct packet_event packet_event__begin(struct strbuf *out, enum packet_event_type type,
					uint64_t time_ns, uint64_t track, uint64_t name);
void packet_event__end(struct strbuf *out, struct packet_event event);

/* The track of a counter, and its value from a time on. */
void packet__counter_track(struct strbuf *out, uint64_t track, const char *name,
			   enum packet_unit unit);
void packet__counter(struct strbuf *out, uint64_t time_ns, uint64_t track, int64_t value);
void packet__real_counter(struct strbuf *out, uint64_t time_ns, uint64_t track, double value);

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* A context switch.  Names may be NULL.  Task 0 is the idle task. */
struct packet_switch {
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t previous, next; /* tids */
	int32_t previous_priority, next_priority;
	int64_t previous_state; /* as in sched_switch of Linux 4.14 and newer */
	const char *previous_comm, *next_comm;
};

void packet__switch(struct strbuf *out, const struct packet_switch *context_switch);

/* A task becomes runnable. */
struct packet_waking {
	uint64_t time_ns;
	uint32_t cpu, tid; /* of the waker */
	uint32_t woken;	   /* tid */
	int32_t priority;
	uint32_t target_cpu;
	const char *comm; /* of the woken task; or NULL */
};

void packet__waking(struct strbuf *out, const struct packet_waking *waking);

#endif /* PEAT_PERFETTO_PACKETS_H */
