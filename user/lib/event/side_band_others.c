// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * event/side_band_others.c: the kernel's other records, which only recordings have, as events.
 *
 * LOST and LOST_SAMPLES are not among them: readers return them as PEAT_EVENT_LOST.
 */
#include "event/side_band_records.h"

/* ---- schemas --------------------------------------------------------------------------------- */

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

/* The bits of peat_aux.flags with the format of the trace: a number of the PMU. */
#define AUX_FORMAT_SHIFT 8
#define AUX_FORMAT_MASK	 (0xffULL << AUX_FORMAT_SHIFT)

static struct peat_field throttle_fields[] = {
	FIELD(peat_throttle, id, PEAT_FIELD_UNSIGNED, "of the event that was sampled too often"),
	FIELD(peat_throttle, stream_id, PEAT_FIELD_UNSIGNED, "of its part on one CPU, of one task"),
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
	FIELD_OF(peat_itrace_start, pid, "process", PEAT_FIELD_UNSIGNED, "whose thread is traced"),
	FIELD_OF(peat_itrace_start, tid, "thread", PEAT_FIELD_UNSIGNED, NULL),
};

static struct peat_field hw_id_fields[] = {
	FIELD(peat_hw_id, hw_id, PEAT_FIELD_HEX, "by which AUX data name the event"),
};

static struct peat_field callchain_deferred_fields[] = {
	FIELD(callchain_deferred, cookie, PEAT_FIELD_HEX, "which samples wait for it have too"),
	REST_ARRAY(callchain_deferred, "callchain", 1, "of user space, innermost first"),
	ELEMENT(PEAT_FIELD_HEX, sizeof(uint64_t)),
};

static const struct peat_schema throttle_schema = FIXED(
	"throttle", throttle_fields, peat_throttle, .doc = "an event is not sampled for a while");
static const struct peat_schema unthrottle_schema =
	FIXED("unthrottle", throttle_fields, peat_throttle, .doc = "it is sampled again");
static const struct peat_schema read_schema =
	OPEN("read", read_fields, read, .doc = "what counters stood at when a thread ended");
static const struct peat_schema aux_schema =
	FIXED("aux", aux_fields, aux, .doc = "data came to the AUX area");
static const struct peat_schema itrace_start_schema =
	FIXED("itrace_start", itrace_start_fields, peat_itrace_start,
	      .doc = "a trace of instructions begins");
static const struct peat_schema hw_id_schema =
	FIXED("hw_id", hw_id_fields, peat_hw_id, .doc = "how the hardware calls an event");
static const struct peat_schema callchain_deferred_schema =
	OPEN("callchain_deferred", callchain_deferred_fields, callchain_deferred,
	     .doc = "the callers of samples before it");

/* ---- from records ---------------------------------------------------------------------------- */

static void fill_read(struct kind_event *event, const struct peat_record *record)
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
}

static void fill_aux(struct kind_event *event, const struct peat_record *record)
{
	struct aux *aux = BEGIN(event, aux);

	aux->offset = record->aux.offset;
	aux->size = record->aux.bytes;
	aux->flags = record->aux.flags & ~AUX_FORMAT_MASK;
	aux->format = (uint8_t)(record->aux.flags >> AUX_FORMAT_SHIFT);
}

/* Skips PEAT_CONTEXT_* values; all addresses are of user space. */
static void fill_callchain_deferred(struct kind_event *event, const struct peat_record *record)
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
}

const struct kind_row side_band_others[KIND_ROWS] = {
	[PEAT_RECORD_THROTTLE] = { PEAT_SIDE_BAND_OTHER, &throttle_schema, NULL },
	[PEAT_RECORD_UNTHROTTLE] = { PEAT_SIDE_BAND_OTHER, &unthrottle_schema, NULL },
	[PEAT_RECORD_READ] = { PEAT_SIDE_BAND_OTHER, &read_schema, fill_read },
	[PEAT_RECORD_AUX] = { PEAT_SIDE_BAND_OTHER, &aux_schema, fill_aux },
	[PEAT_RECORD_ITRACE_START] = { PEAT_SIDE_BAND_OTHER, &itrace_start_schema, NULL },
	[PEAT_RECORD_AUX_OUTPUT_HW_ID] = { PEAT_SIDE_BAND_OTHER, &hw_id_schema, NULL },
	[PEAT_RECORD_CALLCHAIN_DEFERRED] = { PEAT_SIDE_BAND_OTHER, &callchain_deferred_schema,
					     fill_callchain_deferred },
};
