// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/recording.c: opens a recording, and logs its damage with name and offset. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "perf_data/event_names.h"
#include "perf_data/read/recording.h"

static const char *recording_name(const struct perf_recording *rec)
{
	return strcmp(rec->path, "-") ? rec->path : "standard input";
}

int perf_recording__log_error(const struct perf_recording *rec, int err, const char *why)
{
	log__error("cannot read %s: %s", recording_name(rec), why ? why : strerror(-err));
	return err;
}

int perf_recording__open(struct perf_recording *rec, const char *path)
{
	const char *why;
	int err;

	*rec = (struct perf_recording){ .path = path, .end = { .how = PERF_END_WHOLE } };
	err = perf_file__open(&rec->file, path, &why);
	if (err)
		return perf_recording__log_error(rec, err, why);
	rec->features.swapped = perf_file__info(rec->file)->swapped;
	return 0;
}

void perf_recording__close(struct perf_recording *rec)
{
	perf_file__close(rec->file);
	rec->file = NULL;
}

/* ---- damage ---------------------------------------------------------------------------------- */

const char *perf_recording__end_name(enum perf_end_how how)
{
	return how == PERF_END_CUT ? "cut" : how == PERF_END_DAMAGED ? "damaged" : "whole";
}

void perf_recording__report_end(struct perf_recording *rec, const struct perf_end *end)
{
	bool parts = perf_file__streams(rec->file) > 1;

	if (end->how <= PERF_END_WHOLE || rec->end.how != PERF_END_WHOLE)
		return;
	rec->end = *end;
	log__error("%s%s%s is %s at byte %llu: %s", recording_name(rec), parts ? "/" : "",
		   parts ? perf_file__stream_name(rec->file, end->stream) : "",
		   perf_recording__end_name(end->how), (unsigned long long)end->offset, end->why);
}

void perf_recording__report_file_end(struct perf_recording *rec)
{
	perf_recording__report_end(rec, perf_file__end(rec->file));
}

/* The offset may be unknown: it is in a table after the data. */
struct perf_end perf_recording__unread_end(const struct perf_recording *rec,
					   const struct perf_feature *feature)
{
	const struct perf_file_info *info = perf_file__info(rec->file);

	return (struct perf_end){
		.how = feature->bytes_count > PERF_FEATURE_MAX ? PERF_END_DAMAGED : PERF_END_CUT,
		.offset = feature->offset ? feature->offset : info->data_offset + info->data_bytes,
		.why = feature->why,
	};
}

/* ---- features -------------------------------------------------------------------------------- */

int perf_recording__decode_feature(const struct perf_recording *rec, const struct perf_entry *entry,
				   struct perf_feature *feature, struct perf_end *end)
{
	struct tool_feature decoded;
	struct tool_record record;

	*end = (struct perf_end){ .how = PERF_END_WHOLE,
				  .offset = entry->offset,
				  .stream = entry->stream };
	if (tool_record__parse(entry->bytes, entry->size, rec->features.swapped, &record) ||
	    tool_record__feature(&record, &decoded)) {
		end->how = PERF_END_DAMAGED;
		end->why = TOOL_RECORD_TOO_SHORT;
		return 0;
	}
	*feature = (struct perf_feature){ .bit = (unsigned)decoded.id,
					  .offset = entry->offset,
					  .bytes = decoded.data,
					  .bytes_count = decoded.bytes };
	return !decoded.end;
}

static int add_names(struct perf_recording *rec, const struct perf_feature *feature,
		     struct perf_end *end)
{
	int err = event_names__add_described(perf_file__attrs(rec->file), feature->bytes,
					     feature->bytes_count, rec->features.swapped);

	if (!err)
		return 0;
	if (err != -EBADMSG)
		return perf_recording__log_error(rec, err, NULL);
	*end = (struct perf_end){ .how = PERF_END_DAMAGED,
				  .offset = feature->offset,
				  .why = "the description of its events is damaged" };
	return 0;
}

static int add_tracepoints(struct perf_recording *rec, const struct perf_feature *feature)
{
	int err = event_names__add_tracepoints(perf_file__attrs(rec->file), feature->bytes,
					       (size_t)feature->bytes_count);

	return err ? perf_recording__log_error(rec, err, NULL) : 0;
}

int perf_recording__add_names(struct perf_recording *rec, const struct perf_feature *feature,
			      struct perf_end *end)
{
	if (feature->bit == FEATURE_TRACING_DATA)
		return feature->bytes ? add_tracepoints(rec, feature) : 0;
	if (feature->bit != FEATURE_EVENT_DESC)
		return 0;
	if (feature->bytes)
		return add_names(rec, feature, end);
	if (feature->out_of_reach)
		log__warn("%s: the names of its events are out of reach in a pipe: name the file "
			  "itself",
			  recording_name(rec));
	return 0;
}
