// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recording.c: what is in a perf.data, in two reports. */
#include <stdlib.h>
#include <string.h>

#include <peat/recording.h>

#include "base/internal.h"
#include "perf_data/describe/ledger_note.h"
#include "perf_data/read/recording.h"
#include "perf_data/describe/counts.h"
#include "perf_data/tool_record.h"

/* A recording that is told. */
struct told {
	struct perf_recording rec;
	void *event_desc; /* what rec.features.event_desc points to */
	struct out out;
	struct emit emit;
	int fd;
	bool json;
	int err; /* of writing */
};

/* ---- opening --------------------------------------------------------------------------------- */

static void write_some(struct emit *emit)
{
	struct told *told = emit->arg;
	int err = out__write(&told->out, told->fd);

	if (!told->err)
		told->err = err;
}

static int told__open(struct told *told, const char *path, int fd, bool json)
{
	int err;

	*told = (struct told){ .fd = fd, .json = json };
	err = perf_recording__open(&told->rec, path);
	if (err)
		return err;
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
	if (!err && told->rec.end.how != PERF_END_WHOLE)
		err = -EBADMSG;
	out__free(&told->out);
	free(told->event_desc);
	perf_recording__close(&told->rec);
	return err ? fail(err) : 0;
}

/* Every record, to the end. */
static int each_record(struct told *told,
		       int (*use)(struct told *, const struct perf_entry *, void *), void *context)
{
	struct perf_entry entry;
	int more = 0, err = 0;

	while (!err && !told->err && (more = perf_file__next(told->rec.file, &entry)) > 0)
		err = use(told, &entry, context);
	if (!err && !told->err && more < 0)
		err = perf_recording__explain(&told->rec, more, NULL);
	if (!err && !told->err)
		perf_recording__note_end(&told->rec);
	return err;
}

/* What is wrong with the sections goes to *end. */
static int learn_names_of_sections(struct told *told, struct perf_end *end)
{
	struct perf_feature feature = { 0 };
	int err = 0, more = 0;

	while (!err && (more = perf_file__next_feature(told->rec.file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			*end = perf_recording__unread(&told->rec, &feature);
		if (feature.bit == FEATURE_EVENT_DESC)
			err = perf_recording__learn_names(&told->rec, &feature, end);
	}
	return err ? err : more < 0 ? perf_recording__explain(&told->rec, more, NULL) : 0;
}

/* ---- how much of what ------------------------------------------------------------------------ */

struct counts {
	struct tally tally;
	struct ledger_told ledger;
};

static int count_record(struct told *told, const struct perf_entry *entry, void *context)
{
	struct counts *counts = context;
	struct perf_end end = { .how = PERF_END_WHOLE, .stream = entry->stream };
	struct perf_feature feature;
	int err = entry->type == TOOL_FEATURE
			  ? perf_recording__take_feature(&told->rec, entry, &feature, &end)
			  : 0;

	if (err > 0 && feature.bit == FEATURE_EVENT_DESC)
		err = perf_recording__learn_names(&told->rec, &feature, &end);
	perf_recording__note(&told->rec, &end);
	if (err < 0)
		return err;
	err = tally__add(&counts->tally, entry);
	if (!err)
		err = ledger_told__take(&counts->ledger, entry, told->rec.features.swapped);
	if (err)
		perf_recording__explain(&told->rec, err, NULL);
	return err;
}

static void tell_end(struct told *told)
{
	const struct perf_end *end = &told->rec.end;

	emit__text(&told->emit, "end", perf_recording__end_name(end->how));
	if (end->how == PERF_END_WHOLE)
		return;
	emit__unsigned(&told->emit, "end_offset", end->offset);
	emit__text(&told->emit, "end_why", end->why);
}

int peat_recording__write_stats(const char *path, int fd, bool json)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct counts counts = { 0 };
	struct told told;
	int err = told__open(&told, path, fd, json);

	if (err)
		return fail(err);
	tally__init(&counts.tally);
	err = learn_names_of_sections(&told, &end);
	if (!err)
		err = each_record(&told, count_record, &counts);
	if (!err)
		perf_recording__note(&told.rec, &end); /* if the records were whole */
	if (!err) {
		emit__begin(&told.emit, NULL, false);
		err = tally__tell(&counts.tally, perf_file__attrs(told.rec.file), &told.emit);
		if (err)
			perf_recording__explain(&told.rec, err, NULL);
		ledger_told__tell(&counts.ledger, &told.emit);
		tell_end(&told);
		emit__end(&told.emit, false);
	}
	tally__free(&counts.tally);
	ledger_told__free(&counts.ledger);
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
	told->rec.features.event_desc = told->event_desc;
	told->rec.features.event_desc_bytes = told->event_desc ? count : 0;
}

static void tell_feature(struct told *told, const struct perf_feature *feature)
{
	const char *why;

	if (feature->bit == FEATURE_EVENT_DESC && feature->bytes_count)
		keep_names(told, feature->bytes, feature->bytes_count);
	if (perf_features__walk(&told->rec.features, feature->bit, feature->bytes,
				feature->bytes_count, &told->emit, &why))
		perf_recording__note(&told->rec, &(struct perf_end){ .how = PERF_END_DAMAGED,
								     .offset = feature->offset,
								     .why = why });
}

static int tell_sections(struct told *told)
{
	struct perf_feature feature = { 0 };
	struct perf_end end;
	int more;

	while ((more = perf_file__next_feature(told->rec.file, &feature)) > 0) {
		if (feature.out_of_reach)
			return perf_recording__explain(
				&told->rec, -ESPIPE,
				"what its header says is out of reach in a pipe: name the "
				"file itself");
		end = perf_recording__unread(&told->rec, &feature);
		if (feature.bytes)
			tell_feature(told, &feature);
		else
			perf_recording__note(&told->rec, &end);
	}
	return more < 0 ? perf_recording__explain(&told->rec, more, NULL) : 0;
}

static int tell_feature_record(struct told *told, const struct perf_entry *entry, void *context)
{
	struct perf_feature feature;
	struct perf_end end;

	(void)context;
	if (entry->type != TOOL_FEATURE)
		return 0;
	if (perf_recording__take_feature(&told->rec, entry, &feature, &end) > 0)
		tell_feature(told, &feature);
	perf_recording__note(&told->rec, &end);
	return 0;
}

int peat_recording__write_header(const char *path, int fd, bool json)
{
	struct told told;
	int err = told__open(&told, path, fd, json);

	if (err)
		return fail(err);
	emit__begin(&told.emit, NULL, true);
	if (perf_file__info(told.rec.file)->mode == PERF_FILE_PIPE)
		err = each_record(&told, tell_feature_record, NULL);
	else
		err = tell_sections(&told);
	emit__end(&told.emit, true);
	return told__close(&told, err);
}
