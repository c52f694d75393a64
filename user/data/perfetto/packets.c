// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/packets.c: encodes the packets of a Perfetto trace. */
#include "base/escape.h"
#include "base/varint.h"
#include "perfetto/packets.h"

/* Fields of messages, as in perfetto_trace.proto. */
enum {
	TRACE_PACKET = 1,

	PACKET_FTRACE_EVENTS = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_SYSTEM_INFO = 45,
	PACKET_TRACK_DESCRIPTOR = 60,

	CLOCKS_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,

	SYSTEM_UTSNAME = 1,
	UTSNAME_SYSNAME = 1,
	UTSNAME_RELEASE = 3,
	UTSNAME_MACHINE = 4,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	COUNTER_UNIT = 3,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,

	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK_UUID = 11,
	EVENT_COUNTER_VALUE = 30,
	EVENT_DOUBLE_COUNTER_VALUE = 44,

	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	FTRACE_TIMESTAMP = 1,
	FTRACE_PID = 2,
	FTRACE_SCHED_SWITCH = 4,
	FTRACE_SCHED_WAKING = 20,
};

/* BuiltinClock.  Times of packets are of BOOTTIME. */
enum { CLOCK_OF_DAY = 1, CLOCK_OF_PACKETS = 6 };

/* ---- packets --------------------------------------------------------------------------------- */

struct protobuf_mark packet__begin(struct strbuf *out, uint32_t sequence, enum packet_flags flags)
{
	struct protobuf_mark mark = protobuf__begin(out, TRACE_PACKET, 1);

	protobuf__varint(out, PACKET_SEQUENCE_ID, sequence);
	if (flags)
		protobuf__varint(out, PACKET_SEQUENCE_FLAGS, flags);
	return mark;
}

void packet__time(struct strbuf *out, uint64_t time_ns)
{
	protobuf__varint(out, PACKET_TIMESTAMP, time_ns);
}

void packet__text(struct strbuf *out, uint32_t field, const char *text)
{
	struct protobuf_mark mark;

	if (!text)
		return;
	mark = protobuf__begin(out, field, 1);
	escape__utf8(out, text, strlen(text));
	protobuf__end(out, mark);
}

void packet__interned(struct strbuf *out, uint32_t field, uint64_t id, const char *text)
{
	struct protobuf_mark mark = protobuf__begin(out, field, 1);

	protobuf__varint(out, 1, id);
	packet__text(out, 2, text);
	protobuf__end(out, mark);
}

static void put_system(struct strbuf *out, const char *release, const char *machine)
{
	struct protobuf_mark system = protobuf__begin(out, PACKET_SYSTEM_INFO, 1);
	struct protobuf_mark names = protobuf__begin(out, SYSTEM_UTSNAME, 1);

	protobuf__text(out, UTSNAME_SYSNAME, "Linux");
	packet__text(out, UTSNAME_RELEASE, release);
	packet__text(out, UTSNAME_MACHINE, machine);
	protobuf__end(out, names);
	protobuf__end(out, system);
}

void packet__start(struct strbuf *out, const char *release, const char *machine)
{
	struct protobuf_mark packet = packet__begin(out, PACKET_SEQUENCE, PACKET_STATE_CLEARED);

	put_system(out, release, machine);
	protobuf__end(out, packet);
}

static void put_clock(struct strbuf *out, unsigned id, uint64_t time_ns)
{
	struct protobuf_mark clock = protobuf__begin(out, CLOCKS_CLOCK, 1);

	protobuf__varint(out, CLOCK_ID, id);
	protobuf__varint(out, CLOCK_TIMESTAMP, time_ns);
	protobuf__end(out, clock);
}

void packet__clocks(struct strbuf *out, uint64_t time_ns, int64_t wall_clock_ns)
{
	struct protobuf_mark packet, clocks;

	if (!wall_clock_ns)
		return;
	packet = packet__begin(out, PACKET_SEQUENCE, PACKET_NO_FLAGS);
	clocks = protobuf__begin(out, PACKET_CLOCK_SNAPSHOT, 1);
	put_clock(out, CLOCK_OF_PACKETS, time_ns);
	put_clock(out, CLOCK_OF_DAY, time_ns + (uint64_t)wall_clock_ns);
	protobuf__end(out, clocks);
	protobuf__end(out, packet);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static struct packet_event begin_track(struct strbuf *out, uint64_t track)
{
	struct packet_event marks;

	marks.packet = packet__begin(out, PACKET_SEQUENCE, PACKET_NO_FLAGS);
	marks.event = protobuf__begin(out, PACKET_TRACK_DESCRIPTOR, 1);
	protobuf__varint(out, TRACK_UUID, track);
	return marks;
}

void packet__process(struct strbuf *out, uint64_t track, uint32_t pid, const char *name)
{
	struct packet_event marks = begin_track(out, track);
	struct protobuf_mark process = protobuf__begin(out, TRACK_PROCESS, 1);

	protobuf__varint(out, PROCESS_PID, pid);
	packet__text(out, PROCESS_NAME, name);
	protobuf__end(out, process);
	packet_event__end(out, marks);
}

void packet__thread(struct strbuf *out, uint64_t track, uint32_t pid, uint32_t tid,
		    const char *name)
{
	struct packet_event marks = begin_track(out, track);
	struct protobuf_mark thread = protobuf__begin(out, TRACK_THREAD, 1);

	protobuf__varint(out, THREAD_PID, pid);
	protobuf__varint(out, THREAD_TID, tid);
	packet__text(out, THREAD_NAME, name);
	protobuf__end(out, thread);
	packet_event__end(out, marks);
}

void packet__track(struct strbuf *out, uint64_t track, uint64_t parent, const char *name)
{
	struct packet_event marks = begin_track(out, track);

	packet__text(out, TRACK_NAME, name);
	if (parent)
		protobuf__varint(out, TRACK_PARENT, parent);
	packet_event__end(out, marks);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* One byte, and the number. */
static uint8_t *put_small(uint8_t *at, uint32_t field, uint64_t value)
{
	*at++ = (uint8_t)(field << 3 | PROTOBUF_VARINT);
	return varint__store(at, value);
}

/* Packets of events are most of a trace: their beginning is written at once. */
#define EVENT_HEAD_MOST 64

struct packet_event packet_event__begin(struct strbuf *out, enum packet_event_type type,
					uint64_t time_ns, uint64_t track, uint64_t name)
{
	struct packet_event marks = { .packet = { .reserved = 1 }, .event = { .reserved = 1 } };
	uint8_t *start = (uint8_t *)strbuf__room(out, EVENT_HEAD_MOST), *at = start;

	if (!start)
		return marks;
	*at++ = TRACE_PACKET << 3 | PROTOBUF_LENGTH;
	marks.packet.at = out->count + (size_t)(at++ - start);
	at = put_small(at, PACKET_SEQUENCE_ID, PACKET_SEQUENCE);
	at = put_small(at, PACKET_SEQUENCE_FLAGS, PACKET_STATE_NEEDED);
	at = put_small(at, PACKET_TIMESTAMP, time_ns);
	*at++ = PACKET_TRACK_EVENT << 3 | PROTOBUF_LENGTH;
	marks.event.at = out->count + (size_t)(at++ - start);
	at = put_small(at, EVENT_TYPE, type);
	at = put_small(at, EVENT_TRACK_UUID, track);
	if (name)
		at = put_small(at, EVENT_NAME_IID, name);
	out->count += (size_t)(at - start);
	return marks;
}

void packet_event__end(struct strbuf *out, struct packet_event event)
{
	protobuf__end(out, event.event);
	protobuf__end(out, event.packet);
}

/* ---- counters -------------------------------------------------------------------------------- */

void packet__counter_track(struct strbuf *out, uint64_t track, const char *name,
			   enum packet_unit unit)
{
	struct packet_event marks = begin_track(out, track);
	struct protobuf_mark counter;

	packet__text(out, TRACK_NAME, name);
	counter = protobuf__begin(out, TRACK_COUNTER, 1);
	protobuf__varint(out, COUNTER_UNIT, unit);
	protobuf__end(out, counter);
	packet_event__end(out, marks);
}

void packet__counter(struct strbuf *out, uint64_t time_ns, uint64_t track, int64_t value)
{
	struct packet_event marks = packet_event__begin(out, PACKET_COUNTER, time_ns, track, 0);

	protobuf__varint(out, EVENT_COUNTER_VALUE, (uint64_t)value);
	packet_event__end(out, marks);
}

void packet__real_counter(struct strbuf *out, uint64_t time_ns, uint64_t track, double value)
{
	struct packet_event marks = packet_event__begin(out, PACKET_COUNTER, time_ns, track, 0);

	protobuf__double(out, EVENT_DOUBLE_COUNTER_VALUE, value);
	packet_event__end(out, marks);
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

struct ftrace_marks {
	struct protobuf_mark packet, bundle, event, body;
};

static struct ftrace_marks begin_ftrace(struct strbuf *out, uint32_t cpu, uint64_t time_ns,
					uint32_t tid, uint32_t field)
{
	struct ftrace_marks marks;

	marks.packet = packet__begin(out, PACKET_SEQUENCE, PACKET_NO_FLAGS);
	marks.bundle = protobuf__begin(out, PACKET_FTRACE_EVENTS, 1);
	protobuf__varint(out, BUNDLE_CPU, cpu);
	marks.event = protobuf__begin(out, BUNDLE_EVENT, 1);
	protobuf__varint(out, FTRACE_TIMESTAMP, time_ns);
	protobuf__varint(out, FTRACE_PID, tid);
	marks.body = protobuf__begin(out, field, 1);
	return marks;
}

static void end_ftrace(struct strbuf *out, struct ftrace_marks marks)
{
	protobuf__end(out, marks.body);
	protobuf__end(out, marks.event);
	protobuf__end(out, marks.bundle);
	protobuf__end(out, marks.packet);
}

/* int32 and int64: negative numbers have ten bytes. */
static void put_signed(struct strbuf *out, uint32_t field, int64_t value)
{
	protobuf__varint(out, field, (uint64_t)value);
}

void packet__switch(struct strbuf *out, const struct packet_switch *context_switch)
{
	struct ftrace_marks marks = begin_ftrace(out, context_switch->cpu, context_switch->time_ns,
						 context_switch->previous, FTRACE_SCHED_SWITCH);

	packet__text(out, 1, context_switch->previous_comm);
	put_signed(out, 2, (int32_t)context_switch->previous);
	put_signed(out, 3, context_switch->previous_priority);
	put_signed(out, 4, context_switch->previous_state);
	packet__text(out, 5, context_switch->next_comm);
	put_signed(out, 6, (int32_t)context_switch->next);
	put_signed(out, 7, context_switch->next_priority);
	end_ftrace(out, marks);
}

void packet__waking(struct strbuf *out, const struct packet_waking *waking)
{
	struct ftrace_marks marks =
		begin_ftrace(out, waking->cpu, waking->time_ns, waking->tid, FTRACE_SCHED_WAKING);

	packet__text(out, 1, waking->comm);
	put_signed(out, 2, (int32_t)waking->woken);
	put_signed(out, 3, waking->priority);
	put_signed(out, 5, (int32_t)waking->target_cpu);
	end_ftrace(out, marks);
}
