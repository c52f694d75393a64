/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracepoint/format_parse.h: parses a tracepoint's format text into a schema of its payload.  The
 * text is in tracefs (events/SYSTEM/EVENT/format) and in a perf.data (tracing_data/tracing_data.h).
 *
 *	struct trace_format format;
 *	const char *why;
 *
 *	if (format_parse__text(&format, system, text, bytes, data.long_bytes, &why))
 *		print(why);
 *	for each sample of the event whose attr.config is format.id:
 *		if (data.swapped)
 *			format_parse__to_host(&format, raw, raw_bytes, copy);
 *		event.schema = format.schema;
 *		event.data = data.swapped ? copy : raw;
 *		event.size = raw_bytes;
 *	format_parse__free(&format);
 *
 * The schema's name is "sched:sched_switch".  Its fields are the event's own, without the common
 * ones (common_type, common_flags, common_preempt_count, common_pid).  Like in all schemas, a name
 * that JSON uses for all events gets a '_' ("pid" becomes "pid_"), and so does a duplicate name.
 *
 *	char x[16], __data_loc char[] x		STRING
 *	u8 x[16], struct foo x			BYTES; IPV4, IPV6, MAC if printed so
 *	u32 x[4], __data_loc u64[] x		ARRAY
 *	int, u64, pid_t, enum foo		SIGNED or UNSIGNED; ENUM or FLAGS if printed by name
 *	bool					BOOL
 *	void *, numbers printed as %x		HEX
 *	__be16, __be32				PORT, IPV4
 *
 * Pure: any text and any payload is safe.
 */
#ifndef PEAT_TRACEPOINT_FORMAT_PARSE_H
#define PEAT_TRACEPOINT_FORMAT_PARSE_H

#include <peat/schema.h>

/* Adjacent numbers in the payload. */
struct trace_numbers {
	uint32_t offset, bytes; /* bytes: total size; 0: to the end of the payload */
	uint32_t each;		/* size of a number in bytes */
	enum peat_field_place place;
};

struct trace_format {
	uint32_t id;
	struct peat_schema *schema;
	struct trace_numbers *numbers; /* to be swapped: not those in network order */
	uint32_t number_count;
};

/*
 * Parses `bytes` bytes of text.  long_bytes: size of a long in the traced kernel, 4 or 8.  If
 * `system` is NULL, the schema's name is the event's name without a system.  On failure, there is
 * nothing to free.
 *   0
 *   -EBADMSG: the text is no format or exceeds a limit; `why` is the reason
 *   -ENOMEM
 */
int format_parse__text(struct trace_format *format, const char *system, const char *text,
		       size_t bytes, uint32_t long_bytes, const char **why);

/* Parses the id only, not the fields.  False: there is none. */
bool format_parse__id(const char *text, size_t bytes, uint32_t *id);

/*
 * Copies a payload of the other byte order to `out`, which has room for `bytes`, and swaps the
 * numbers of the format to this machine's order.
 */
void format_parse__to_host(const struct trace_format *format, const void *payload, size_t bytes,
			   void *out);

void format_parse__free(struct trace_format *format);

#endif /* PEAT_TRACEPOINT_FORMAT_PARSE_H */
