// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recording.c: what is in a perf.data, in two reports. */
#include <stdlib.h>
#include <string.h>

#include <peat/recording.h>

#include "event_names.h"
#include "internal.h"
#include "perf_features.h"
#include "perf_file.h"
#include "tally.h"
#include "tool_record.h"

/* A recording that is told. */
struct told {
	const char *path;
	struct perf_file *file;
	struct perf_features features;
	void *event_desc; /* what features.event_desc points to */
	struct out out;
	struct emit emit;
	int fd;
	bool json;
	struct perf_end end; /* what was wrong first, which the log has said */
	int err;	     /* of writing */
};

/* ---- opening --------------------------------------------------------------------------------- */

static const char *called(const struct told *told)
{
	return strcmp(told->path, "-") ? told->path : "standard input";
}

/* The log says what is wrong, `why` or errno does. */
static int explain(const struct told *told, int err, const char *why)
{
	log__error("cannot read %s: %s", called(told), why ? why : strerror(-err));
	return err;
}

static void write_some(struct emit *emit)
{
	struct told *told = emit->arg;
	int err = out__write(&told->out, told->fd);

	if (!told->err)
		told->err = err;
}

static int told__open(struct told *told, const char *path, int fd, bool json)
{
	const char *why;
	int err;

	*told = (struct told){ .path = path, .fd = fd, .json = json };
	told->end.how = PERF_END_WHOLE;
	err = perf_file__open(&told->file, path, &why);
	if (err)
		return explain(told, err, why);
	told->features.swapped = perf_file__info(told->file)->swapped;
	told->emit = json ? emit__json(&told->out) : emit__lines(&told->out);
	told->emit.full = write_some;
	told->emit.arg = told;
	return 0;
}

/* `err` is what happened before; damage is an error once all that is whole was told. */
static int told__close(struct told *told, int err)
{
	if (told->json)
		out__char(&told->out, '\n');
	write_some(&told->emit);
	if (!err && told->err && told->err != -EPIPE)
		log__error("cannot write: %s", strerror(-told->err));
	if (!err)
		err = told->err;
	if (!err && told->end.how != PERF_END_WHOLE)
		err = -EBADMSG;
	out__free(&told->out);
	free(told->event_desc);
	perf_file__close(told->file);
	return err ? fail(err) : 0;
}

/* ---- its end --------------------------------------------------------------------------------- */

static const char *end_name(enum perf_end_how how)
{
	return how == PERF_END_CUT ? "cut" : how == PERF_END_DAMAGED ? "damaged" : "whole";
}

/* The first trouble is told, as what follows may come of it. */
static void note_trouble(struct told *told, const struct perf_end *end)
{
	bool parts = perf_file__streams(told->file) > 1;

	if (told->end.how != PERF_END_WHOLE)
		return;
	told->end = *end;
	log__error("%s%s%s is %s at byte %llu: %s", called(told), parts ? "/" : "",
		   parts ? perf_file__stream_name(told->file, end->stream) : "", end_name(end->how),
		   (unsigned long long)end->offset, end->why);
}

static void note_end(struct told *told)
{
	const struct perf_end *end = perf_file__end(told->file);

	if (end->how != PERF_END_WHOLE && end->how != PERF_END_NOT_YET)
		note_trouble(told, end);
}

/* Of a section that cannot be read the place may not be known either: it is in a table behind the
 * data. */
static struct perf_end unread(const struct told *told, const struct perf_feature *feature)
{
	const struct perf_file_info *info = perf_file__info(told->file);

	return (struct perf_end){
		.how = feature->bytes_count > PERF_FEATURE_MAX ? PERF_END_DAMAGED : PERF_END_CUT,
		.offset = feature->offset ? feature->offset : info->data_offset + info->data_bytes,
		.why = feature->why,
	};
}

/* Every record, to the end. */
static int each_record(struct told *told,
		       int (*use)(struct told *, const struct perf_entry *, void *), void *context)
{
	struct perf_entry entry;
	int more = 0, err = 0;

	while (!err && !told->err && (more = perf_file__next(told->file, &entry)) > 0)
		err = use(told, &entry, context);
	if (!err && !told->err && more < 0)
		err = explain(told, more, NULL);
	if (!err && !told->err)
		note_end(told);
	return err;
}

/* ---- names of events ------------------------------------------------------------------------- */

/* What is wrong with it goes to *end. */
static int learn_names(struct told *told, const struct perf_feature *feature, struct perf_end *end)
{
	int err = event_names__learn(perf_file__attrs(told->file), feature->bytes,
				     feature->bytes_count, told->features.swapped);

	if (!err)
		return 0;
	if (err != -EBADMSG)
		return explain(told, err, NULL);
	*end = (struct perf_end){ .how = PERF_END_DAMAGED,
				  .offset = feature->offset,
				  .why = "the description of its events is damaged" };
	return 0;
}

static int learn_names_of_section(struct told *told, const struct perf_feature *feature,
				  struct perf_end *end)
{
	if (feature->bytes)
		return learn_names(told, feature, end);
	if (feature->out_of_reach)
		log__warn("%s: the names of its events are out of reach in a pipe: name the file "
			  "itself",
			  called(told));
	return 0;
}

/* What is wrong with the sections goes to *end. */
static int learn_names_of_sections(struct told *told, struct perf_end *end)
{
	struct perf_feature feature = { 0 };
	int err = 0, more = 0;

	while (!err && (more = perf_file__next_feature(told->file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			*end = unread(told, &feature);
		if (feature.bit == FEATURE_EVENT_DESC)
			err = learn_names_of_section(told, &feature, end);
	}
	return err ? err : more < 0 ? explain(told, more, NULL) : 0;
}

/* A feature that is a record: 1; 0: it is the mark behind the last, or damaged, which *end says. */
static int take_feature(const struct told *told, const struct perf_entry *entry,
			struct perf_feature *feature, struct perf_end *end)
{
	struct tool_record record;

	*end = (struct perf_end){ .how = PERF_END_DAMAGED,
				  .offset = entry->offset,
				  .stream = entry->stream };
	if (tool_record__decode(entry->bytes, entry->size, told->features.swapped, &record,
				&end->why))
		return 0;
	end->how = PERF_END_WHOLE;
	*feature = (struct perf_feature){ .bit = (unsigned)record.feature.id,
					  .offset = entry->offset,
					  .bytes = record.feature.data,
					  .bytes_count = record.feature.bytes };
	return !record.feature.end;
}

/* ---- how much of what ------------------------------------------------------------------------ */

static int count_record(struct told *told, const struct perf_entry *entry, void *tally)
{
	struct perf_end end = { .how = PERF_END_WHOLE, .stream = entry->stream };
	struct perf_feature feature;
	int err = entry->type == TOOL_FEATURE ? take_feature(told, entry, &feature, &end) : 0;

	if (err > 0 && feature.bit == FEATURE_EVENT_DESC)
		err = learn_names(told, &feature, &end);
	if (end.how != PERF_END_WHOLE)
		note_trouble(told, &end);
	if (err >= 0 && (err = tally__add(tally, entry)))
		explain(told, err, NULL);
	return err;
}

static void tell_end(struct told *told)
{
	const struct perf_end *end = &told->end;

	emit__text(&told->emit, "end", end_name(end->how));
	if (end->how == PERF_END_WHOLE)
		return;
	emit__unsigned(&told->emit, "end_offset", end->offset);
	emit__text(&told->emit, "end_why", end->why);
}

int peat_recording__write_stats(const char *path, int fd, bool json)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct tally tally;
	struct told told;
	int err = told__open(&told, path, fd, json);

	if (err)
		return fail(err);
	tally__init(&tally);
	err = learn_names_of_sections(&told, &end);
	if (!err)
		err = each_record(&told, count_record, &tally);
	if (!err && end.how != PERF_END_WHOLE)
		note_trouble(&told, &end); /* if the records were whole */
	if (!err) {
		emit__begin(&told.emit, NULL, false);
		err = tally__tell(&tally, perf_file__attrs(told.file), &told.emit);
		if (err)
			explain(&told, err, NULL);
		tell_end(&told);
		emit__end(&told.emit, false);
	}
	tally__free(&tally);
	return told__close(&told, err);
}

/* ---- what the header says -------------------------------------------------------------------- */

/* For the names in GROUP_DESC, which comes later.  They stay numbers if there is no memory. */
static void keep_names(struct told *told, const void *bytes, size_t count)
{
	free(told->event_desc);
	told->event_desc = malloc(count);
	if (told->event_desc)
		memcpy(told->event_desc, bytes, count);
	told->features.event_desc = told->event_desc;
	told->features.event_desc_bytes = told->event_desc ? count : 0;
}

static void tell_feature(struct told *told, const struct perf_feature *feature)
{
	const char *why;

	if (feature->bit == FEATURE_EVENT_DESC && feature->bytes_count)
		keep_names(told, feature->bytes, feature->bytes_count);
	if (perf_features__walk(&told->features, feature->bit, feature->bytes, feature->bytes_count,
				&told->emit, &why))
		note_trouble(told, &(struct perf_end){ .how = PERF_END_DAMAGED,
						       .offset = feature->offset,
						       .why = why });
}

static int tell_sections(struct told *told)
{
	struct perf_feature feature = { 0 };
	struct perf_end end;
	int more;

	while ((more = perf_file__next_feature(told->file, &feature)) > 0) {
		if (feature.out_of_reach)
			return explain(told, -ESPIPE,
				       "what its header says is out of reach in a pipe: name the "
				       "file itself");
		end = unread(told, &feature);
		if (feature.bytes)
			tell_feature(told, &feature);
		else
			note_trouble(told, &end);
	}
	return more < 0 ? explain(told, more, NULL) : 0;
}

static int tell_feature_record(struct told *told, const struct perf_entry *entry, void *context)
{
	struct perf_feature feature;
	struct perf_end end;

	(void)context;
	if (entry->type != TOOL_FEATURE)
		return 0;
	if (take_feature(told, entry, &feature, &end) > 0)
		tell_feature(told, &feature);
	if (end.how != PERF_END_WHOLE)
		note_trouble(told, &end);
	return 0;
}

int peat_recording__write_header(const char *path, int fd, bool json)
{
	struct told told;
	int err = told__open(&told, path, fd, json);

	if (err)
		return fail(err);
	emit__begin(&told.emit, NULL, true);
	if (perf_file__info(told.file)->mode == PERF_FILE_PIPE)
		err = each_record(&told, tell_feature_record, NULL);
	else
		err = tell_sections(&told);
	emit__end(&told.emit, true);
	return told__close(&told, err);
}
