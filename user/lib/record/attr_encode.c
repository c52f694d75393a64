// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/attr_encode.c: encodes a struct perf_event_attr, and makes the attrs of our events. */
#include "record/attr_encode.h"
#include "record/attr_fields.h"

#define TYPE_SOFTWARE	1
#define TYPE_TRACEPOINT 2
#define SW_BPF_OUTPUT	10
#define MONOTONIC	1 /* CLOCK_MONOTONIC; a pure file does not include <time.h> */

#define SAMPLE_TYPE                                                                                \
	(PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |           \
	 PEAT_SAMPLE_RAW)

void attr_encode__put(struct strbuf *out, const struct perf_attr *attr)
{
	uint8_t bytes[ATTR_ENCODE_BYTES];

	attr_fields__encode(attr, bytes, sizeof(bytes), out->swapped);
	strbuf__bytes(out, bytes, sizeof(bytes));
}

static struct perf_attr event(uint32_t type, uint64_t config, uint64_t sample_type)
{
	return (struct perf_attr){
		.type = type,
		.bytes = ATTR_ENCODE_BYTES,
		.config = config,
		.period = 1,
		.flags = 1ULL << PERF_ATTR_SAMPLE_ID_ALL | 1ULL << PERF_ATTR_USE_CLOCKID,
		.clockid = MONOTONIC,
		.layout = { .sample_type = sample_type, .sample_id_all = true },
	};
}

struct perf_attr attr_encode__tracepoint(uint16_t id)
{
	return event(TYPE_TRACEPOINT, id, SAMPLE_TYPE);
}

struct perf_attr attr_encode__bpf_output(void)
{
	return event(TYPE_SOFTWARE, SW_BPF_OUTPUT, SAMPLE_TYPE | PEAT_SAMPLE_IP);
}
