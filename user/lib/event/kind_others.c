// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kind_others.c: the other records of the kernel's, which only recordings have, as events.
 *
 * LOST and LOST_SAMPLES are not among them: readers hand them out as PEAT_EVENT_LOST.
 */
#include "event/kind_records.h"

/* ---- what the events look like --------------------------------------------------------------- */

struct throttle {
	uint64_t id, stream_id;
};

/* The values are struct peat_read_value each. */
struct read {
	uint64_t time_enabled_ns, time_running_ns, count;
	uint32_t process, thread;
	char rest[];
};

struct aux {
	uint64_t offset, size, flags;
	uint8_t format;
};

struct itrace_start {
	uint32_t process, thread;
};

struct hw_id {
	uint64_t hw_id;
};

struct callchain_deferred {
	uint64_t cookie;
	char rest[];
};

static const struct peat_name aux_flags[] = {
	{ PEAT_AUX_TRUNCATED, "truncated" },
	{ PEAT_AUX_OVERWRITE, "overwrite" },
	{ PEAT_AUX_PARTIAL, "partial" },
	{ PEAT_AUX_COLLISION, "collision" },
};

/* Of peat_aux.flags: what the rest is written in, by the numbers of the PMU. */
#define AUX_FORMAT_SHIFT 8
#define AUX_FORMAT_MASK	 (0xffULL << AUX_FORMAT_SHIFT)

static struct peat_field throttle_fields[] = {
	FIELD(throttle, id, PEAT_FIELD_UNSIGNED, "of the event that was sampled too often"),
	FIELD(throttle, stream_id, PEAT_FIELD_UNSIGNED, "of its part on one CPU, of one task"),
};

static struct peat_field read_fields[] = {
	FIELD(read, process, PEAT_FIELD_UNSIGNED, "whose thread was counted"),
	FIELD(read, thread, PEAT_FIELD_UNSIGNED, NULL),
	FIELD(read, time_enabled_ns, PEAT_FIELD_UNSIGNED,
	      "while it was to count; 0: not asked for"),
	FIELD(read, time_running_ns, PEAT_FIELD_UNSIGNED,
	      "while it did; less when counters took turns"),
	FIELD(read, count, PEAT_FIELD_UNSIGNED, "of values; those of a group come together"),
	REST_ARRAY(read, "values", 4, NULL),
	ELEMENT_STRUCT(peat_read_value, 3),
	FIELD(peat_read_value, value, PEAT_FIELD_UNSIGNED, NULL),
	FIELD(peat_read_value, id, PEAT_FIELD_UNSIGNED, "0: not asked for"),
	FIELD(peat_read_value, lost, PEAT_FIELD_UNSIGNED, "samples of it, if asked for"),
};

static struct peat_field aux_fields[] = {
	FIELD(aux, offset, PEAT_FIELD_HEX, "in the AUX area, counted on when that wraps"),
	FIELD(aux, size, PEAT_FIELD_SIZE, NULL),
	NAMED(aux, flags, PEAT_FIELD_FLAGS, aux_flags, NULL),
	FIELD(aux, format, PEAT_FIELD_UNSIGNED, "of the data, by the numbers of the PMU"),
};

static struct peat_field itrace_start_fields[] = {
	FIELD(itrace_start, process, PEAT_FIELD_UNSIGNED, "whose thread is traced"),
	FIELD(itrace_start, thread, PEAT_FIELD_UNSIGNED, NULL),
};

static struct peat_field hw_id_fields[] = {
	FIELD(hw_id, hw_id, PEAT_FIELD_HEX, "by which AUX data name the event"),
};

static struct peat_field callchain_deferred_fields[] = {
	FIELD(callchain_deferred, cookie, PEAT_FIELD_HEX, "which samples wait for it have too"),
	REST_ARRAY(callchain_deferred, "callchain", 1, "of user space, innermost first"),
	ELEMENT(PEAT_FIELD_HEX, sizeof(uint64_t)),
};

static const struct peat_schema throttle_schema =
	FIXED("throttle", throttle_fields, throttle, .doc = "an event is not sampled for a while");
static const struct peat_schema unthrottle_schema =
	FIXED("unthrottle", throttle_fields, throttle, .doc = "it is sampled again");
static const struct peat_schema read_schema =
	OPEN("read", read_fields, read, .doc = "what counters stood at when a thread ended");
static const struct peat_schema aux_schema =
	FIXED("aux", aux_fields, aux, .doc = "data came to the AUX area");
static const struct peat_schema itrace_start_schema = FIXED(
	"itrace_start", itrace_start_fields, itrace_start, .doc = "a trace of instructions begins");
static const struct peat_schema hw_id_schema =
	FIXED("hw_id", hw_id_fields, hw_id, .doc = "how the hardware calls an event");
static const struct peat_schema callchain_deferred_schema =
	OPEN("callchain_deferred", callchain_deferred_fields, callchain_deferred,
	     .doc = "the callers of samples before it");

const struct peat_schema *kind_others__schema(uint32_t i)
{
	static const struct peat_schema *const schemas[] = {
		&throttle_schema,
		&unthrottle_schema,
		&read_schema,
		&aux_schema,
		&itrace_start_schema,
		&hw_id_schema,
		&callchain_deferred_schema,
	};

	return i < COUNT(schemas) ? schemas[i] : NULL;
}

/* ---- from records ---------------------------------------------------------------------------- */

static void fill_throttle(struct kind_event *event, const struct peat_record *record)
{
	struct throttle *throttle = BEGIN(event, throttle);

	throttle->id = record->throttle.id;
	throttle->stream_id = record->throttle.stream_id;
}

static const struct peat_schema *fill_read(struct kind_event *event,
					   const struct peat_record *record)
{
	const struct peat_read *values = &record->read.values;
	struct read *read = BEGIN_OPEN(event, read);

	read->process = record->read.pid;
	read->thread = record->read.tid;
	read->time_enabled_ns = values->time_enabled_ns;
	read->time_running_ns = values->time_running_ns;
	read->count = values->count;
	for (uint64_t i = 0; i < values->count; i++) {
		struct peat_read_value value = peat_read__at(values, i);

		if (!kind_event__add_element(event, &value, sizeof(value)))
			break;
	}
	return &read_schema;
}

static const struct peat_schema *fill_aux(struct kind_event *event,
					  const struct peat_record *record)
{
	struct aux *aux = BEGIN(event, aux);

	aux->offset = record->aux.offset;
	aux->size = record->aux.bytes;
	aux->flags = record->aux.flags & ~AUX_FORMAT_MASK;
	aux->format = (uint8_t)(record->aux.flags >> AUX_FORMAT_SHIFT);
	return &aux_schema;
}

static const struct peat_schema *fill_itrace_start(struct kind_event *event,
						   const struct peat_record *record)
{
	struct itrace_start *start = BEGIN(event, itrace_start);

	start->process = record->itrace_start.pid;
	start->thread = record->itrace_start.tid;
	return &itrace_start_schema;
}

static const struct peat_schema *fill_hw_id(struct kind_event *event,
					    const struct peat_record *record)
{
	struct hw_id *hw_id = BEGIN(event, hw_id);

	hw_id->hw_id = record->hw_id.hw_id;
	return &hw_id_schema;
}

/* Contexts are no addresses, and all are of user space. */
static const struct peat_schema *fill_callchain_deferred(struct kind_event *event,
							 const struct peat_record *record)
{
	struct callchain_deferred *deferred = BEGIN_OPEN(event, callchain_deferred);
	const struct peat_words *chain = &record->callchain_deferred.callchain;

	deferred->cookie = record->callchain_deferred.cookie;
	for (uint64_t i = 0; i < chain->count; i++) {
		uint64_t address = peat_words__at(chain, i);

		if (address >= PEAT_CONTEXT_MAX)
			continue;
		if (!kind_event__add_element(event, &address, sizeof(address)))
			break;
	}
	return &callchain_deferred_schema;
}

const struct peat_schema *kind_others__fill(struct kind_event *event,
					    const struct peat_record *record)
{
	switch (record->type) {
	case PEAT_RECORD_THROTTLE:
		fill_throttle(event, record);
		return &throttle_schema;
	case PEAT_RECORD_UNTHROTTLE:
		fill_throttle(event, record);
		return &unthrottle_schema;
	case PEAT_RECORD_READ:
		return fill_read(event, record);
	case PEAT_RECORD_AUX:
		return fill_aux(event, record);
	case PEAT_RECORD_ITRACE_START:
		return fill_itrace_start(event, record);
	case PEAT_RECORD_AUX_OUTPUT_HW_ID:
		return fill_hw_id(event, record);
	case PEAT_RECORD_CALLCHAIN_DEFERRED:
		return fill_callchain_deferred(event, record);
	default:
		return NULL;
	}
}
