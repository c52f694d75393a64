// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/profile_samples.c: stacks of events as samples. */
#include <errno.h>
#include <stdio.h>
#include <sys/param.h>

#include "event/stack.h"
#include "perfetto/packets.h"
#include "perfetto/profile_samples.h"
#include "print/frames.h"

#define FRAMES_MOST 1024

/* Fields of messages, as in perfetto_trace.proto. */
enum {
	PACKET_INTERNED_DATA = 12,
	PACKET_DEFAULTS = 59,
	PACKET_PERF_SAMPLE = 66,

	DEFAULTS_PERF_SAMPLE = 12,
	SAMPLES_TIMEBASE = 1,
	TIMEBASE_NAME = 10,

	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_MAPPINGS = 19,

	MAPPING_PATH = 7,
	FRAME_FUNCTION = 2,
	FRAME_MAPPING = 3,
	FRAME_REL_PC = 4,
	CALLSTACK_FRAMES = 2,

	SAMPLE_CPU = 1,
	SAMPLE_PID = 2,
	SAMPLE_TID = 3,
	SAMPLE_CALLSTACK = 4,
};

/* ---- ids ------------------------------------------------------------------------------------- */

/* 0: no memory. */
static uint64_t id_of_text(struct profile_samples *samples, enum interned_kind kind, uint32_t field,
			   const char *text)
{
	bool is_new;
	uint64_t id =
		interned__find(&samples->interned, kind, text, text ? strlen(text) : 0, &is_new);

	if (id && is_new)
		packet__interned(&samples->news, field, id, text);
	return id;
}

static uint64_t id_of_mapping(struct profile_samples *samples, const char *module)
{
	uint64_t path = id_of_text(samples, INTERNED_PATH, INTERNED_MAPPING_PATHS, module), id;
	struct protobuf_mark mapping;
	bool is_new;

	if (!path)
		return 0;
	id = interned__find(&samples->interned, INTERNED_MAPPING, &path, sizeof(path), &is_new);
	if (!id || !is_new)
		return id;
	mapping = protobuf__begin(&samples->news, INTERNED_MAPPINGS, 1);
	protobuf__varint(&samples->news, 1, id);
	protobuf__varint(&samples->news, MAPPING_PATH, path);
	protobuf__end(&samples->news, mapping);
	return id;
}

struct frame_key {
	uint64_t function, mapping, rel_pc;
};

static uint64_t id_of_frame(struct profile_samples *samples, const struct frame_key *key)
{
	struct strbuf *news = &samples->news;
	struct protobuf_mark mark;
	bool is_new;
	uint64_t id =
		interned__find(&samples->interned, INTERNED_FRAME, key, sizeof(*key), &is_new);

	if (!id || !is_new)
		return id;
	mark = protobuf__begin(news, INTERNED_FRAMES, 1);
	protobuf__varint(news, 1, id);
	protobuf__varint(news, FRAME_FUNCTION, key->function);
	protobuf__varint(news, FRAME_MAPPING, key->mapping);
	protobuf__varint(news, FRAME_REL_PC, key->rel_pc);
	protobuf__end(news, mark);
	return id;
}

static const char *module_of(const struct peat_stack_frame *frame)
{
	return frame->module			   ? frame->module
	       : frame->space == PEAT_SPACE_KERNEL ? "[kernel]"
						   : "[unknown]";
}

/* A named frame has the place of its function, so that a function is one frame. */
static uint64_t place_of(const struct peat_stack_frame *frame)
{
	uint64_t place = frame->module_offset ? frame->module_offset : frame->address;

	return frame->symbol && frame->offset <= place ? place - frame->offset : place;
}

/* Appends the frame's id to samples->ids.  0 or -ENOMEM. */
static int add_frame(struct profile_samples *samples, const struct peat_stack_frame *frame)
{
	char address[32];
	const char *name = frame->symbol;
	struct frame_key key;
	uint64_t id;

	if (!name) {
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)frame->address);
		name = address;
	}
	key.function = id_of_text(samples, INTERNED_FUNCTION, INTERNED_FUNCTION_NAMES, name);
	key.mapping = id_of_mapping(samples, module_of(frame));
	key.rel_pc = place_of(frame);
	id = key.function && key.mapping ? id_of_frame(samples, &key) : 0;
	if (id)
		strbuf__bytes(&samples->ids, &id, sizeof(id));
	return id && !samples->ids.failed ? 0 : -ENOMEM;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* The outermost frame is the first.  Returns the number of frames; -ENOMEM. */
static int add_addresses(struct profile_samples *samples, const struct peat_event *event)
{
	struct peat_address addresses[FRAMES_MOST];
	uint32_t count = MIN(peat_event__addresses(event, addresses, FRAMES_MOST), FRAMES_MOST);
	int err = 0;

	for (uint32_t i = count; !err && i; i--) {
		const struct peat_stack_frame frame = { .address = addresses[i - 1].address,
							.space = addresses[i - 1].space };

		err = add_frame(samples, &frame);
	}
	return err ? err : (int)count;
}

static int add_frames(struct profile_samples *samples, const struct peat_event *event,
		      struct peat_symbols *symbols)
{
	const struct peat_stack_frame *frames;
	int count, err = 0;

	if (!symbols)
		return add_addresses(samples, event);
	count = peat_symbols__stack(symbols, event, &frames);
	for (int i = count; !err && i > 0; i--)
		err = add_frame(samples, &frames[i - 1]);
	return err ? err : count;
}

/* The instruction that was sampled, and the functions that it is inlined into. */
static int add_address(struct profile_samples *samples, const struct peat_event *event,
		       struct peat_symbols *symbols)
{
	const uint64_t address = event->record->sample.ip;
	const struct peat_stack_frame alone = { .address = address,
						.space = frames__space(event->record, address) };
	const struct peat_stack_frame *frames = &alone;
	int count = 1, err = 0;

	if (symbols)
		count = peat_symbols__address(symbols, alone.space, event->pid, event->time_ns,
					      address, &frames);
	for (int i = count; !err && i > 0; i--)
		err = add_frame(samples, &frames[i - 1]);
	return err ? err : count;
}

/* 0: no memory. */
static uint64_t id_of_stack(struct profile_samples *samples)
{
	const struct strbuf *ids = &samples->ids;
	struct protobuf_mark stack;
	bool is_new;
	uint64_t id = interned__find(&samples->interned, INTERNED_STACK, ids->bytes, ids->count,
				     &is_new),
		 frame;

	if (!id || !is_new)
		return id;
	stack = protobuf__begin(&samples->news, INTERNED_CALLSTACKS, 2);
	protobuf__varint(&samples->news, 1, id);
	for (size_t at = 0; at < ids->count; at += sizeof(frame)) {
		memcpy(&frame, ids->bytes + at, sizeof(frame));
		protobuf__varint(&samples->news, CALLSTACK_FRAMES, frame);
	}
	protobuf__end(&samples->news, stack);
	return id;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Begins the sequence, or begins it anew: packets before have no effect on those that follow. */
static void begin_sequence(struct profile_samples *samples, struct strbuf *out)
{
	struct protobuf_mark packet, defaults, sample, timebase;

	interned__free(&samples->interned);
	packet = packet__begin(out, samples->sequence, PACKET_STATE_CLEARED);
	defaults = protobuf__begin(out, PACKET_DEFAULTS, 1);
	sample = protobuf__begin(out, DEFAULTS_PERF_SAMPLE, 1);
	timebase = protobuf__begin(out, SAMPLES_TIMEBASE, 1);
	packet__text(out, TIMEBASE_NAME, samples->name);
	protobuf__end(out, timebase);
	protobuf__end(out, sample);
	protobuf__end(out, defaults);
	protobuf__end(out, packet);
	samples->has_begun = true;
}

static void put_sample(struct strbuf *out, const struct peat_event *event, uint64_t stack)
{
	struct protobuf_mark sample = protobuf__begin(out, PACKET_PERF_SAMPLE, 1);

	if (event->cpu != PEAT_NO_CPU)
		protobuf__varint(out, SAMPLE_CPU, event->cpu);
	if (event->pid != PEAT_NO_TASK)
		protobuf__varint(out, SAMPLE_PID, event->pid);
	if (event->tid != PEAT_NO_TASK)
		protobuf__varint(out, SAMPLE_TID, event->tid);
	protobuf__varint(out, SAMPLE_CALLSTACK, stack);
	protobuf__end(out, sample);
}

static void put_packet(struct profile_samples *samples, struct strbuf *out,
		       const struct peat_event *event, uint64_t stack)
{
	struct protobuf_mark packet = packet__begin(out, samples->sequence, PACKET_STATE_NEEDED);

	packet__time(out, event->time_ns);
	if (samples->news.count)
		protobuf__bytes(out, PACKET_INTERNED_DATA, samples->news.bytes,
				samples->news.count);
	put_sample(out, event, stack);
	protobuf__end(out, packet);
}

/* Most events have none. */
static bool has_stack(const struct peat_event *event)
{
	struct peat_user_state state = { .sz = sizeof(state) };

	return stack__may_be_in(event) &&
	       (peat_event__addresses(event, NULL, 0) ||
		(peat_event__user_state(event, &state) && state.stack_bytes));
}

/* After a failure, ids that no packet has defined must not be used. */
static int give_up(struct profile_samples *samples)
{
	samples->has_begun = false;
	samples->ids.failed = samples->news.failed = false;
	return -ENOMEM;
}

static void begin_sample(struct profile_samples *samples, struct strbuf *out)
{
	if (!samples->has_begun || interned__bytes(&samples->interned) > SAMPLES_BYTES)
		begin_sequence(samples, out);
	strbuf__cut(&samples->ids, 0);
	strbuf__cut(&samples->news, 0);
}

/* `count` frames were added, or there was an error. */
static int end_sample(struct profile_samples *samples, struct strbuf *out,
		      const struct peat_event *event, int count)
{
	uint64_t stack;

	if (!count)
		return 0;
	stack = count > 0 ? id_of_stack(samples) : 0;
	if (!stack || samples->news.failed)
		return give_up(samples);
	put_packet(samples, out, event, stack);
	return out->failed ? give_up(samples) : 1;
}

int profile_samples__append(struct profile_samples *samples, struct strbuf *out,
			    const struct peat_event *event, struct peat_symbols *symbols)
{
	if (!has_stack(event))
		return 0;
	begin_sample(samples, out);
	return end_sample(samples, out, event, add_frames(samples, event, symbols));
}

int profile_samples__append_address(struct profile_samples *samples, struct strbuf *out,
				    const struct peat_event *event, struct peat_symbols *symbols)
{
	const struct peat_record *record = event->record;

	if (!record || record->type != PEAT_RECORD_SAMPLE || !(record->has & PEAT_SAMPLE_IP))
		return 0;
	begin_sample(samples, out);
	return end_sample(samples, out, event, add_address(samples, event, symbols));
}

void profile_samples__free(struct profile_samples *samples)
{
	interned__free(&samples->interned);
	strbuf__free(&samples->ids);
	strbuf__free(&samples->news);
	samples->ids = samples->news = (struct strbuf){ 0 };
	samples->has_begun = false;
}
