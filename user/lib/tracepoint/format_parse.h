/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * trace_format.h: what the bytes of a tracepoint's samples mean, from its format text: that of
 * tracefs (events/SYSTEM/EVENT/format), which is also what a perf.data has (tracing_data.h).
 *
 *	struct trace_format format;
 *	const char *why;
 *
 *	if (trace_format__read(&format, system, text, bytes, data.long_bytes, &why))
 *		say(why);
 *	...a sample of the event whose attr.config is format.id:
 *	if (data.swapped)
 *		trace_format__to_host(&format, raw, raw_bytes, copy);
 *	event.schema = format.schema;
 *	event.data = data.swapped ? copy : raw;
 *	event.size = raw_bytes;
 *	...
 *	trace_format__free(&format);
 *
 * The schema is called "sched:sched_switch" and has the event's own fields, not those that all
 * events begin with (common_type, common_flags, common_preempt_count, common_pid).  Their names are
 * those of the format; as in all schemas what JSON has beside the fields gets a _ behind it ("pid"
 * is "pid_"), and so does what is there twice.
 *
 *	char x[16], __data_loc char[] x		STRING
 *	u8 x[16], struct foo x			BYTES, or IPV4, IPV6, MAC: where it is printed so
 *	u32 x[4], __data_loc u64[] x		ARRAY
 *	int, u64, pid_t, enum foo		SIGNED or UNSIGNED; ENUM or FLAGS where it is
 *printed by names bool					BOOL
 *	void *					HEX, as is what is printed in hexadecimal
 *	__be16, __be32				PORT, IPV4
 *
 * Pure: text and payloads may be anything.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <peat/schema.h>

/* Numbers in the payload. */
struct trace_numbers {
	uint32_t offset, bytes; /* bytes: of all of them; 0: to the end */
	uint32_t each;
	enum peat_field_place place;
};

struct trace_format {
	uint32_t id;
	struct peat_schema *schema;
	struct trace_numbers *numbers; /* without those in network order */
	uint32_t number_count;
};

/*
 * Reads `bytes` bytes of text.  long_bytes: of a long in the traced kernel, 4 or 8; `system` may be
 * NULL, and then the schema has the event's name alone.  0, -EBADMSG (the text is no format, or
 * asks for too much: `why` says it in words) or -ENOMEM; then there is nothing to free.
 */
int trace_format__read(struct trace_format *format, const char *system, const char *text,
		       size_t bytes, uint32_t long_bytes, const char **why);

/* The id alone, without reading the fields.  False: it says none. */
bool trace_format__id(const char *text, size_t bytes, uint32_t *id);

/*
 * Copies a payload of the other byte order to `out`, which has room for as much, so that all
 * numbers of the format are in this machine's.
 */
void trace_format__to_host(const struct trace_format *format, const void *payload, size_t bytes,
			   void *out);

void trace_format__free(struct trace_format *format);

#endif /* TRACE_FORMAT_H */
