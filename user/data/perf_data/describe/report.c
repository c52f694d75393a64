// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/report.c: reports on a perf.data: its header features, and counts of its
 * records. */
#include <stdlib.h>
#include <string.h>

#include <peat/recording.h>

#include "base/errors.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/sip_hash.h"
#include "perf_data/describe/ledger_note.h"
#include "perf_data/describe/features.h"
#include "perf_data/read/recording.h"
#include "perf_data/describe/record_counts.h"
#include "perf_data/tool_record.h"

/* A recording and the output about it. */
struct report {
	struct perf_recording rec;
	void *event_desc; /* copy of the feature; rec.features.event_desc points to it */
	struct strbuf out;
	struct emit emit;
	uint32_t recording; /* of several that follow each other, the present one; from 1 */
	struct hash seen;   /* features of all of them that were printed */
	int fd;
	bool json;
	int err; /* from writing */
};

/* Features of former recordings that are compared with those of the next ones. */
#define SEEN_MAX 65536

/* Events of former recordings, likewise. */
#define COMPARED_MAX 4096

/* ---- opening --------------------------------------------------------------------------------- */

static void write_some(struct emit *emit)
{
	struct report *report = emit->arg;
	int err = strbuf__write(&report->out, report->fd);

	if (!report->err)
		report->err = err;
}

static int report__open(struct report *report, const char *path, int fd, bool json)
{
	int err;

	*report = (struct report){ .fd = fd, .json = json };
	err = perf_recording__open(&report->rec, path);
	if (err)
		return err;
	report->emit = json ? emit__json(&report->out) : emit__lines(&report->out);
	report->emit.full = write_some;
	report->emit.arg = report;
	return 0;
}

/* `err`: an error from before.  Damage is an error after everything whole was printed. */
static int report__close(struct report *report, int err)
{
	if (report->json)
		strbuf__char(&report->out, '\n');
	write_some(&report->emit);
	if (!err && report->err && report->err != -EPIPE)
		log__error("cannot write: %s", strerror(-report->err));
	if (!err)
		err = report->err;
	if (!err && report->rec.end.how != PERF_END_WHOLE)
		err = -EBADMSG;
	strbuf__free(&report->out);
	for_each_entry (&report->seen, link)
		free(link);
	hash__free(&report->seen);
	free(report->event_desc);
	perf_recording__close(&report->rec);
	return err ? fail(err) : 0;
}

/* Calls use() for every record. */
static int each_record(struct report *report,
		       int (*use)(struct report *, struct perf_entry *, void *), void *context)
{
	struct perf_entry entry;
	int more = 0, err = 0;

	while (!err && !report->err && (more = perf_file__next(report->rec.file, &entry)) > 0)
		err = use(report, &entry, context);
	if (!err && !report->err && more < 0)
		err = perf_recording__log_error(&report->rec, more, NULL);
	if (!err && !report->err)
		perf_recording__report_file_end(&report->rec);
	return err;
}

/* Damaged sections are noted in *end. */
static int read_event_desc(struct report *report, struct perf_end *end)
{
	struct perf_feature feature = { 0 };
	int err = 0, more = 0;

	while (!err && (more = perf_file__next_feature(report->rec.file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			*end = perf_recording__unread_end(&report->rec, &feature);
		err = perf_recording__add_names(&report->rec, &feature, end);
	}
	return err ? err : more < 0 ? perf_recording__log_error(&report->rec, more, NULL) : 0;
}

/* ---- counts ---------------------------------------------------------------------------------- */

struct totals {
	struct record_counts counts;
	struct ledger_note ledger;
};

static struct perf_attr *find_equal(void *arg, const struct perf_attr *attr)
{
	const struct perf_attrs *attrs = arg;

	for (uint32_t i = 0; i < attrs->begin && i < COMPARED_MAX; i++)
		if (perf_attrs__are_equal(attrs->at[i], attr))
			return attrs->at[i];
	return NULL;
}

/* The first record of a recording that follows another: equal events become one. */
static int merge_recording(struct report *report, struct totals *totals, struct perf_entry *entry)
{
	struct perf_attrs *attrs = perf_file__attrs(report->rec.file);
	const uint32_t recording = perf_file__recordings(report->rec.file);

	if (entry->type >= TOOL_HEADER_ATTR || report->recording == recording)
		return 0;
	report->recording = recording;
	if (recording == 1)
		return 0;
	perf_attrs__merge(attrs, find_equal, attrs);
	entry->attr =
		perf_attrs__owner(attrs, entry->type, entry->bytes, entry->size, &entry->layout);
	return ledger_note__end_recording(&totals->ledger);
}

static int count_record(struct report *report, struct perf_entry *entry, void *context)
{
	struct totals *totals = context;
	struct perf_end end = { .how = PERF_END_WHOLE, .stream = entry->stream };
	struct perf_feature feature = { 0 };
	int err = 0;

	if (entry->type == TOOL_TRACING_DATA && entry->payload)
		feature = (struct perf_feature){ .bit = FEATURE_TRACING_DATA,
						 .bytes = entry->payload,
						 .bytes_count = entry->payload_bytes };
	else if (entry->type == TOOL_FEATURE &&
		 !perf_recording__decode_feature(&report->rec, entry, &feature, &end))
		feature.bit = 0;
	err = perf_recording__add_names(&report->rec, &feature, &end);
	perf_recording__report_end(&report->rec, &end);
	if (err < 0)
		return err;
	err = merge_recording(report, totals, entry);
	err = err ?: record_counts__add(&totals->counts, entry);
	if (!err)
		err = ledger_note__keep(&totals->ledger, entry, report->rec.features.swapped);
	if (err)
		perf_recording__log_error(&report->rec, err, NULL);
	return err;
}

static void emit_end(struct report *report)
{
	const struct perf_end *end = &report->rec.end;

	emit__text(&report->emit, "end", perf_recording__end_name(end->how));
	if (end->how == PERF_END_WHOLE)
		return;
	emit__unsigned(&report->emit, "end_offset", end->offset);
	emit__text(&report->emit, "end_why", end->why);
}

int peat_recording__write_stats(const char *path, int fd, bool json)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct totals totals = { 0 };
	struct report report;
	int err = report__open(&report, path, fd, json);

	if (err)
		return fail(err);
	record_counts__init(&totals.counts);
	err = read_event_desc(&report, &end);
	if (!err)
		err = each_record(&report, count_record, &totals);
	if (!err)
		perf_recording__report_end(&report.rec, &end); /* if the records were whole */
	if (!err && totals.ledger.sums)
		err = ledger_note__end_recording(&totals.ledger);
	if (!err) {
		emit__begin(&report.emit, NULL, false);
		err = record_counts__emit(&totals.counts, perf_file__attrs(report.rec.file),
					  &report.emit);
		if (err)
			perf_recording__log_error(&report.rec, err, NULL);
		ledger_note__emit(&totals.ledger, &report.emit);
		emit_end(&report);
		emit__end(&report.emit, false);
	}
	record_counts__free(&totals.counts);
	ledger_note__free(&totals.ledger);
	return report__close(&report, err);
}

/* ---- header features ------------------------------------------------------------------------- */

/* For the names in GROUP_DESC, a later feature, which has numbers if memory is short. */
static void keep_event_desc(struct report *report, const void *bytes, size_t count)
{
	free(report->event_desc);
	report->event_desc = malloc(count);
	if (report->event_desc)
		memcpy(report->event_desc, bytes, count);
	report->rec.features.event_desc = report->event_desc;
	report->rec.features.event_desc_bytes = report->event_desc ? count : 0;
}

static void emit_feature(struct report *report, const struct perf_feature *feature)
{
	const char *why;

	if (feature->bit == FEATURE_EVENT_DESC && feature->bytes_count)
		keep_event_desc(report, feature->bytes, feature->bytes_count);
	if (features__emit(&report->rec.features, feature->bit, feature->bytes,
			   feature->bytes_count, &report->emit, &why))
		perf_recording__report_end(&report->rec,
					   &(struct perf_end){ .how = PERF_END_DAMAGED,
							       .offset = feature->offset,
							       .why = why });
}

static int emit_sections(struct report *report)
{
	struct perf_feature feature = { 0 };
	struct perf_end end;
	int more;

	while ((more = perf_file__next_feature(report->rec.file, &feature)) > 0) {
		if (feature.out_of_reach)
			return perf_recording__log_error(
				&report->rec, -ESPIPE,
				"what its header says is out of reach in a pipe: name the "
				"file itself");
		end = perf_recording__unread_end(&report->rec, &feature);
		if (feature.bytes)
			emit_feature(report, &feature);
		else
			perf_recording__report_end(&report->rec, &end);
	}
	return more < 0 ? perf_recording__log_error(&report->rec, more, NULL) : 0;
}

/* 1: no former recording had the same; 0; -ENOMEM. */
static int is_new(struct report *report, const struct perf_feature *feature)
{
	const uint64_t code =
		sip_hash__key(feature->bytes, feature->bytes_count) ^ hash__number(feature->bit);
	struct hash_link *link = hash__first(&report->seen, code);

	if (link || report->seen.count == SEEN_MAX)
		return !link || report->recording == 1;
	link = calloc(1, sizeof(*link));
	if (!link || hash__add(&report->seen, link, code)) {
		free(link);
		return -ENOMEM;
	}
	return 1;
}

/* Of recordings that follow each other, features that differ are printed. */
static int emit_new_feature(struct report *report, const struct perf_feature *feature)
{
	const uint32_t recording = perf_file__recordings(report->rec.file);
	const struct emit_value number = { .number = recording };
	const bool begins = report->rec.features.recording != recording;
	int ret;

	report->recording = recording;
	ret = is_new(report, feature);
	if (ret <= 0)
		return ret;
	report->rec.features.recording = recording;
	if (begins && recording > 1)
		emit__print_filled(&report->emit, "# recording : $0\n", &number);
	emit_feature(report, feature);
	return 0;
}

static int emit_feature_record(struct report *report, struct perf_entry *entry, void *context)
{
	struct perf_feature feature;
	struct perf_end end;
	int err = 0;

	(void)context;
	if (entry->type != TOOL_FEATURE)
		return 0;
	if (perf_recording__decode_feature(&report->rec, entry, &feature, &end) > 0)
		err = emit_new_feature(report, &feature);
	if (err)
		return perf_recording__log_error(&report->rec, err, NULL);
	perf_recording__report_end(&report->rec, &end);
	return 0;
}

int peat_recording__write_header(const char *path, int fd, bool json)
{
	struct report report;
	int err = report__open(&report, path, fd, json);

	if (err)
		return fail(err);
	emit__begin(&report.emit, NULL, true);
	if (perf_file__info(report.rec.file)->mode == PERF_FILE_PIPE)
		err = each_record(&report, emit_feature_record, NULL);
	else
		err = emit_sections(&report);
	emit__end(&report.emit, true);
	return report__close(&report, err);
}
