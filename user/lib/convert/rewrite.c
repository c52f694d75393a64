// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rewrite.c: a recording of any shape becomes a file with sections. */
#include <stdlib.h>

#include <peat/recording.h>

#include "base/internal.h"
#include "perf_data/note.h"
#include "perf_data/read/recording.h"
#include "perf_data/read/merge_files.h"
#include "replay/event_types.h"
#include "convert/output_file.h"
#include "convert/output.h"
#include "convert/rounds.h"
#include "perf_data/tool_record.h"

#define LEVEL_MOST 22

/* As perf has it. */
#define MODE 0600

struct rewrite {
	struct perf_recording rec;
	struct perf_recording first; /* the same, if all of it was read once before */
	const char *to;
	struct rewritten result;
	bool learns;		    /* events and features are records */
	struct replay_events types; /* what somebody says that events are, if `retypes` */
	bool retypes, has_retyped;
	bool is_explained;	    /* the log has said what failed */
	struct perf_end header_end; /* what is wrong with features, to be told last */

	/* Of a directory. */
	bool has_parts;
	struct perf_turns turns;
	struct round_marks marks;
};

/* All that are known: those of a pipe come one by one. */
static struct perf_attrs *events_of(const struct rewrite *rewrite)
{
	return perf_file__attrs(rewrite->first.file ? rewrite->first.file : rewrite->rec.file);
}

/* ---- what somebody says that events are ------------------------------------------------------ */

/* What is damaged has as much as is whole. */
static int learn_types(struct rewrite *rewrite, const struct perf_feature *feature)
{
	const char *why;
	uint64_t at;
	int err = 0;

	if (!rewrite->retypes || !feature->bytes)
		return 0;
	if (feature->bit == FEATURE_TRACING_DATA)
		err = replay_events__learn_formats(&rewrite->types, feature->bytes,
						   feature->bytes_count, &why, &at);
	else if (feature->bit == FEATURE_BPF_BTF)
		err = replay_events__learn_types(&rewrite->types, feature->bytes,
						 feature->bytes_count, &why);
	return err == -EBADMSG ? 0 : err;
}

/* By all that a file has. */
static int check_types(struct rewrite *rewrite)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct perf_feature feature = { 0 };
	int more = 0, err = 0;

	while (!err && (more = perf_file__next_feature(rewrite->rec.file, &feature)) > 0)
		err = feature.bit == FEATURE_EVENT_DESC
			      ? perf_recording__learn_names(&rewrite->rec, &feature, &end)
			      : learn_types(rewrite, &feature);
	if (more < 0)
		err = perf_recording__explain(&rewrite->rec, more, NULL);
	return err ? err : replay_events__settle(&rewrite->types, events_of(rewrite));
}

/* Once all events are there: in front of the first record at the latest. */
static int retype(struct rewrite *rewrite)
{
	const struct retyped_of of = {
		.path = rewrite->rec.path,
		.attrs = events_of(rewrite),
		.as = &rewrite->types.as,
		.tracing_data = rewrite->types.formats,
		.tracing_bytes = rewrite->types.formats_bytes,
	};
	int err;

	if (!rewrite->retypes || rewrite->has_retyped)
		return 0;
	rewrite->has_retyped = true;
	err = replay_events__settle(&rewrite->types, of.attrs);
	if (!err)
		err = rewritten__retype(&rewrite->result, &of);
	rewrite->is_explained = err;
	return err;
}

/* ---- what the header says -------------------------------------------------------------------- */

static int keep_feature(struct rewrite *rewrite, const struct perf_feature *feature)
{
	int err = learn_types(rewrite, feature);

	return err ? err : rewritten__feature(&rewrite->result, feature);
}

/* What is wrong with it goes to *end. */
static int take_feature(struct rewrite *rewrite, const struct perf_feature *feature,
			struct perf_end *end)
{
	if (feature->bit == FEATURE_EVENT_DESC)
		return perf_recording__learn_names(&rewrite->rec, feature, end);
	if (!feature->bytes && feature->out_of_reach)
		log__warn("%s: what its header says of feature %u is out of reach in a pipe: name "
			  "the file itself",
			  rewrite->rec.path, feature->bit);
	return keep_feature(rewrite, feature);
}

static int take_sections(struct rewrite *rewrite)
{
	struct perf_feature feature = { 0 };
	int more = 0, err = 0;

	while (!err && (more = perf_file__next_feature(rewrite->rec.file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			rewrite->header_end = perf_recording__unread(&rewrite->rec, &feature);
		err = take_feature(rewrite, &feature, &rewrite->header_end);
	}
	return more < 0 ? perf_recording__explain(&rewrite->rec, more, NULL) : err;
}

static int take_feature_record(struct rewrite *rewrite, const struct perf_entry *entry)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct perf_feature feature;
	int err = 0;

	if (perf_recording__take_feature(&rewrite->rec, entry, &feature, &end))
		err = take_feature(rewrite, &feature, &end);
	perf_recording__note(&rewrite->rec, &end);
	return err;
}

static int take_tracing_data(struct rewrite *rewrite, const struct perf_entry *entry)
{
	const struct perf_feature feature = { .bit = FEATURE_TRACING_DATA,
					      .bytes = entry->payload,
					      .bytes_count = entry->payload_bytes };

	if (!entry->payload)
		log__warn("%s: left out: formats of tracepoints, which are %llu bytes",
			  rewrite->rec.path, (unsigned long long)entry->payload_bytes);
	return keep_feature(rewrite, &feature);
}

static int take_header_record(struct rewrite *rewrite, const struct perf_entry *entry)
{
	if (rewrite->first.file)
		return 0;
	if (entry->type == TOOL_FEATURE)
		return take_feature_record(rewrite, entry);
	return entry->type == TOOL_TRACING_DATA ? take_tracing_data(rewrite, entry) : 0;
}

/* ---- records --------------------------------------------------------------------------------- */

enum duty {
	DUTY_COPY,
	DUTY_DROP,  /* the file says the same in another way */
	DUTY_LEARN, /* it belongs into the header */
	DUTY_ROUND
};

static enum duty duty_of_name(const struct rewrite *rewrite, const struct perf_entry *entry)
{
	struct tool_record rec;
	const char *why;

	if (tool_record__decode(entry->bytes, entry->size, rewrite->rec.features.swapped, &rec,
				&why))
		return DUTY_COPY;
	return rec.event_update.kind == TOOL_UPDATE_NAME ? DUTY_DROP : DUTY_COPY;
}

/* Names of events, or a note, of which one is merely room for what a file has. */
static enum duty duty_of_event_type(const struct rewrite *rewrite, const struct perf_entry *entry)
{
	struct tool_record rec;
	struct note note;
	const char *why;

	if (!tool_record__decode(entry->bytes, entry->size, rewrite->rec.features.swapped, &rec,
				 &why) &&
	    note__read(&rec, &note))
		return note.kind == NOTE_ATTRS ? DUTY_DROP : DUTY_COPY;
	return DUTY_DROP;
}

static enum duty duty_of(const struct rewrite *rewrite, const struct perf_entry *entry)
{
	switch (entry->type) {
	case TOOL_COMPRESSED:
	case TOOL_COMPRESSED2:
		return DUTY_DROP;
	case TOOL_FINISHED_ROUND:
		return rewrite->has_parts ? DUTY_DROP : DUTY_ROUND;
	case TOOL_TRACING_DATA:
	case TOOL_FEATURE:
		return DUTY_LEARN;
	case TOOL_HEADER_ATTR:
		return rewrite->learns ? DUTY_DROP : DUTY_COPY;
	case TOOL_EVENT_UPDATE:
		return rewrite->learns ? duty_of_name(rewrite, entry) : DUTY_COPY;
	case TOOL_EVENT_TYPE:
		return duty_of_event_type(rewrite, entry);
	default:
		return DUTY_COPY;
	}
}

static int copy(struct rewrite *rewrite, const struct perf_entry *entry)
{
	int err = retype(rewrite);

	return err ? err : rewritten__record(&rewrite->result, events_of(rewrite), entry);
}

static int take_entry(struct rewrite *rewrite, const struct perf_entry *entry)
{
	if (rewrite->turns.time_ns && round_marks__next(&rewrite->marks))
		rewritten__round(&rewrite->result);
	switch (duty_of(rewrite, entry)) {
	case DUTY_COPY:
		return copy(rewrite, entry);
	case DUTY_LEARN:
		return take_header_record(rewrite, entry);
	case DUTY_ROUND:
		rewritten__round(&rewrite->result);
		return 0;
	default:
		return 0;
	}
}

static int survey_entry(struct rewrite *rewrite, const struct perf_entry *entry)
{
	uint64_t time_ns = rewrite->turns.time_ns; /* of a directory */

	if (!rewrite->has_parts)
		return duty_of(rewrite, entry) == DUTY_LEARN ? take_header_record(rewrite, entry)
							     : 0;
	return time_ns ? round_marks__see(&rewrite->marks, time_ns) : 0;
}

/* Writing failed, or there is no memory. */
static int explain(const struct rewrite *rewrite, int err)
{
	if (rewrite->is_explained)
		return err;
	if (err == -ENOTSUP)
		log__error("cannot rewrite %s: a tracepoint comes behind records; a file can be "
			   "read twice, this cannot",
			   rewrite->rec.path);
	else
		log__error("cannot write to %s: %s", rewrite->to, strerror(-err));
	return err;
}

/* Every record, to the end. */
static int each_record(struct rewrite *rewrite,
		       int (*use)(struct rewrite *, const struct perf_entry *))
{
	struct perf_file *file = rewrite->rec.file;
	struct perf_entry entry;
	int more = 1, err = 0;

	if (rewrite->has_parts && perf_turns__init(&rewrite->turns, file))
		return perf_recording__explain(&rewrite->rec, -ENOMEM, NULL);
	while (!err && more > 0) {
		more = rewrite->has_parts ? perf_turns__next(&rewrite->turns, &entry)
					  : perf_file__next(file, &entry);
		if (more > 0)
			err = use(rewrite, &entry);
	}
	perf_turns__free(&rewrite->turns);
	if (err)
		return explain(rewrite, err);
	return more < 0 ? perf_recording__explain(&rewrite->rec, more, NULL) : 0;
}

/* ---- twice ----------------------------------------------------------------------------------- */

/* The events, features and times of all of it, before anything is written. */
static bool needs_survey(const struct rewrite *rewrite)
{
	return rewrite->has_parts || (rewrite->learns && perf_file__fd(rewrite->rec.file) < 0);
}

/* From its start once more; troubles that were told are not told again. */
static int reopen(struct rewrite *rewrite)
{
	int err;

	rewrite->first = rewrite->rec;
	err = perf_recording__open(&rewrite->rec, rewrite->first.path);
	rewrite->rec.end = rewrite->first.end;
	return err;
}

static int survey(struct rewrite *rewrite)
{
	int err = each_record(rewrite, survey_entry);

	round_marks__choose(&rewrite->marks);
	return err ? err : reopen(rewrite);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int write_all(struct rewrite *rewrite)
{
	int err = take_sections(rewrite);

	if (!err && needs_survey(rewrite))
		err = survey(rewrite);
	if (!err && events_of(rewrite)->count)
		err = retype(rewrite);
	if (err)
		return err;
	perf_file__hold_payloads(rewrite->rec.file);
	err = each_record(rewrite, take_entry);
	if (err)
		return err;
	perf_recording__note_end(&rewrite->rec);
	perf_recording__note(&rewrite->rec, &rewrite->header_end);
	err = retype(rewrite);
	if (!err)
		err = rewritten__close(&rewrite->result, events_of(rewrite));
	return err ? explain(rewrite, err) : 0;
}

/* Of a file before anything is written: words that are wrong do no harm then. */
static int open_types(struct rewrite *rewrite, const struct peat_rewrite_opts *opts)
{
	int err;

	replay_events__init(&rewrite->types, rewrite->rec.features.swapped);
	err = replay_events__say(&rewrite->types, opts->as, opts->btf);
	rewrite->retypes = rewrite->types.as.count;
	if (err || !rewrite->retypes || !perf_file__attrs(rewrite->rec.file)->count)
		return err;
	return check_types(rewrite);
}

static int open_result(struct rewrite *rewrite, int level)
{
	int fd = result_file__open(&rewrite->rec, rewrite->to, MODE), err;

	if (fd < 0)
		return fd;
	err = rewritten__open(&rewrite->result, fd, rewrite->rec.features.swapped, level);
	return err ? explain(rewrite, err) : 0;
}

static int rewrite_opened(struct rewrite *rewrite, const struct peat_rewrite_opts *opts)
{
	struct perf_file *file = rewrite->rec.file;
	int err = open_types(rewrite, opts);

	if (!err)
		err = open_result(rewrite, opts->level);
	if (err)
		return err;
	rewrite->learns = !perf_file__attrs(file)->count;
	rewrite->has_parts = perf_file__streams(file) > 1;
	err = write_all(rewrite);
	if (err)
		return err;
	rewritten__tell(&rewrite->result, rewrite->rec.path);
	return rewrite->rec.end.how == PERF_END_WHOLE ? 0 : -EBADMSG;
}

int peat_recording__rewrite(const char *path, const char *to,
			    const struct peat_rewrite_opts *callers_opts)
{
	struct peat_rewrite_opts opts = { .sz = sizeof(opts) };
	struct rewrite rewrite = { .to = to, .header_end.how = PERF_END_WHOLE };
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_rewrite_opts");

	if (!err && (opts.level < 0 || opts.level > LEVEL_MOST)) {
		log__error("peat_rewrite_opts: level is %d, not 0 to %d", opts.level, LEVEL_MOST);
		err = -EINVAL;
	}
	if (!err)
		err = perf_recording__open(&rewrite.rec, path);
	if (err)
		return fail(err);
	err = rewrite_opened(&rewrite, &opts);
	rewritten__free(&rewrite.result);
	replay_events__free(&rewrite.types);
	round_marks__free(&rewrite.marks);
	perf_recording__close(&rewrite.first);
	perf_recording__close(&rewrite.rec);
	return err ? fail(err) : 0;
}
