/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* written_timeline.h: checks packets that were written to a buffer. */
#ifndef TESTS_UNIT_PERFETTO_WRITTEN_TIMELINE_H
#define TESTS_UNIT_PERFETTO_WRITTEN_TIMELINE_H

#include "support/machine/harness.h"
#include "support/recording/timeline_read.h"
#include "unit/print/sink_output.h"

static struct strbuf out;
static struct timeline_packet *packets;
static size_t packet_count;

/* Reads what was written since the call before. */
static inline void read_packets(size_t wanted)
{
	static char *bytes;

	ck_assert(!out.failed);
	free(packets);
	free(bytes);
	bytes = out.bytes; /* packets point to it */
	packets = timeline_read(out.count ? bytes : "", out.count, &packet_count);
	out = (struct strbuf){ 0 };
	ck_assert_ptr_nonnull(packets);
	ck_assert_uint_eq(packet_count, wanted);
}

static inline struct protobuf_message packet_part(size_t i, uint32_t field)
{
	ck_assert_uint_lt(i, packet_count);
	return timeline_inner(packets[i].whole, field, 0);
}

/* The nth argument of an event. */
static inline struct protobuf_message argument(struct protobuf_message event, unsigned nth)
{
	return timeline_inner(event, 4, nth);
}

#endif /* TESTS_UNIT_PERFETTO_WRITTEN_TIMELINE_H */
