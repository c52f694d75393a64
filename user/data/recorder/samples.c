// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/samples.c: events and samples of the kernel in a recording. */
#include <errno.h>
#include <string.h>
#include <linux/perf_event.h>

#include "record/attr_encode.h"
#include "recorder/samples.h"

int samples__append(struct strbuf *out, uint64_t id, const struct perf_event_header *sample)
{
	size_t at = out->count + sizeof(*sample);

	if (sample->size < sizeof(*sample) + sizeof(id))
		return -EBADMSG;
	strbuf__bytes(out, sample, sample->size);
	if (out->failed)
		return -ENOMEM;
	memcpy(out->bytes + at, &id, sizeof(id));
	return 0;
}

void samples__set_throttled(const struct event_formats *formats, uint32_t type,
			    struct peat_record *record)
{
	const struct event_format *format = event_formats__find(formats, type);

	if (format &&
	    (record->type == PEAT_RECORD_THROTTLE || record->type == PEAT_RECORD_UNTHROTTLE))
		record->throttle.id = record->throttle.stream_id = format->id;
}

int samples__add_event(struct perf_writer *writer, const struct reader_type *type, uint64_t id)
{
	struct perf_attr attr = type->sampled->attr;

	attr.bytes = ATTR_ENCODE_BYTES;
	attr.name = (char *)type->name;
	attr.ids = &id;
	attr.ids_count = 1;
	return perf_writer__event(writer, &attr);
}

bool samples__need_mappings(const struct event_formats *formats)
{
	return formats->count && formats->at[0].sampled &&
	       !perf_attr__has(&formats->at[0].sampled->attr, PERF_ATTR_ENABLE_ON_EXEC);
}
