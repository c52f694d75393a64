// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/rewrite.c: rewrites a recording of any layout as a file with sections. */
#include <stdlib.h>

#include <peat/recording.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "perf_data/note.h"
#include "perf_data/read/recording.h"
#include "perf_data/read/merge_files.h"
#include "replay/event_types.h"
#include "convert/choose_samples.h"
#include "convert/output_file.h"
#include "convert/output.h"
#include "convert/passes.h"
#include "convert/rounds.h"
#include "perf_data/tool_record.h"

#define LEVEL_MAX 22

struct rewrite {
	struct perf_recording rec;
	struct perf_recording first; /* its first pass, if it is read twice */
	const char *to;
	struct passes passes;
	struct convert_output output;
	bool has_header_records;   /* events and features are records */
	struct replay_types types; /* types given by the user, if `gives_types` */
	bool gives_types, types_given;
	struct choose_samples choose;
	bool is_logged;		    /* the error has been logged */
	struct perf_end header_end; /* damage of the features, reported last */

	/* For a directory. */
	bool has_parts;
	struct merge_files turns;
	struct rounds rounds;
};

/* All events known so far: in a pipe, they are records. */
static struct perf_attrs *all_events(const struct rewrite *rewrite)
{
	return perf_file__attrs(rewrite->first.file ? rewrite->first.file : rewrite->rec.file);
}

/* ---- types given by the user ----------------------------------------------------------------- */

/* If the feature is damaged, uses the part before the damage. */
static int read_types_of_feature(struct rewrite *rewrite, const struct perf_feature *feature)
{
	const char *why;
	uint64_t at;
	int err = 0;

	if (!rewrite->gives_types || !feature->bytes)
		return 0;
	if (feature->bit == FEATURE_TRACING_DATA)
		err = replay_types__add_formats(&rewrite->types, feature->bytes,
						feature->bytes_count, &why, &at);
	else if (feature->bit == FEATURE_BPF_BTF)
		err = replay_types__add_btfs(&rewrite->types, feature->bytes, feature->bytes_count,
					     &why);
	return err == -EBADMSG ? 0 : err;
}

/* Checks the types against all features and events of a file. */
static int check_types(struct rewrite *rewrite)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct perf_feature feature = { 0 };
	int more = 0, err = 0;

	while (!err && (more = perf_file__next_feature(rewrite->rec.file, &feature)) > 0)
		err = feature.bit == FEATURE_EVENT_DESC
			      ? perf_recording__add_names(&rewrite->rec, &feature, &end)
			      : read_types_of_feature(rewrite, &feature);
	if (more < 0)
		err = perf_recording__log_error(&rewrite->rec, more, NULL);
	return err ? err : replay_types__resolve_overrides(&rewrite->types, all_events(rewrite));
}

/* Call it when all events are known, before the first record is written. */
static int give_types(struct rewrite *rewrite)
{
	const struct retype_source source = {
		.path = rewrite->rec.path,
		.attrs = all_events(rewrite),
		.overrides = &rewrite->types.overrides,
		.tracing_data = rewrite->types.formats->tracing_data,
		.tracing_bytes = rewrite->types.formats->tracing_data_bytes,
	};
	int err;

	if (!rewrite->gives_types || rewrite->types_given)
		return 0;
	rewrite->types_given = true;
	err = replay_types__resolve_overrides(&rewrite->types, source.attrs);
	if (!err)
		err = convert_output__retype(&rewrite->output, &source);
	rewrite->is_logged = err;
	return err;
}

/* ---- header ---------------------------------------------------------------------------------- */

static int write_feature(struct rewrite *rewrite, const struct perf_feature *feature)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	int err = perf_recording__add_names(&rewrite->rec, feature, &end);

	if (!err)
		err = read_types_of_feature(rewrite, feature);
	return err ? err : convert_output__feature(&rewrite->output, feature);
}

/* Damage of the feature is noted in *end. */
static int read_header_feature(struct rewrite *rewrite, const struct perf_feature *feature,
			       struct perf_end *end)
{
	if (feature->bit == FEATURE_EVENT_DESC)
		return perf_recording__add_names(&rewrite->rec, feature, end);
	if (!feature->bytes && feature->out_of_reach)
		log__warn("%s: feature %u cannot be read: it is out of reach in a pipe: give the "
			  "path of the file",
			  rewrite->rec.path, feature->bit);
	return write_feature(rewrite, feature);
}

static int read_sections(struct rewrite *rewrite)
{
	struct perf_feature feature = { 0 };
	int more = 0, err = 0;

	while (!err && (more = perf_file__next_feature(rewrite->rec.file, &feature)) > 0) {
		if (!feature.bytes && !feature.out_of_reach)
			rewrite->header_end = perf_recording__unread_end(&rewrite->rec, &feature);
		err = read_header_feature(rewrite, &feature, &rewrite->header_end);
	}
	return more < 0 ? perf_recording__log_error(&rewrite->rec, more, NULL) : err;
}

static int read_feature_record(struct rewrite *rewrite, const struct perf_entry *entry)
{
	struct perf_end end = { .how = PERF_END_WHOLE };
	struct perf_feature feature;
	int err = 0;

	if (perf_recording__decode_feature(&rewrite->rec, entry, &feature, &end))
		err = read_header_feature(rewrite, &feature, &end);
	perf_recording__report_end(&rewrite->rec, &end);
	return err;
}

static int read_tracing_data(struct rewrite *rewrite, const struct perf_entry *entry)
{
	const struct perf_feature feature = { .bit = FEATURE_TRACING_DATA,
					      .bytes = entry->payload,
					      .bytes_count = entry->payload_bytes };

	if (!entry->payload)
		log__warn("%s: formats of tracepoints left out: too large: %llu bytes",
			  rewrite->rec.path, (unsigned long long)entry->payload_bytes);
	return write_feature(rewrite, &feature);
}

static int read_header_record(struct rewrite *rewrite, const struct perf_entry *entry)
{
	if (rewrite->first.file)
		return 0;
	if (entry->type == TOOL_FEATURE)
		return read_feature_record(rewrite, entry);
	return entry->type == TOOL_TRACING_DATA ? read_tracing_data(rewrite, entry) : 0;
}

/* ---- records --------------------------------------------------------------------------------- */

enum duty {
	DUTY_COPY,
	DUTY_SKIP, /* the new file describes it in another way */
	DUTY_READ, /* part of the new header */
	DUTY_ROUND
};

static enum duty event_update_duty(const struct rewrite *rewrite, const struct perf_entry *entry)
{
	struct tool_event_update update;
	struct tool_record rec;

	if (tool_record__parse(entry->bytes, entry->size, rewrite->rec.features.swapped, &rec) ||
	    tool_record__event_update(&rec, &update))
		return DUTY_COPY;
	return update.kind == TOOL_UPDATE_NAME ? DUTY_SKIP : DUTY_COPY;
}

/* Event names are skipped, as is the note NOTE_ATTRS, which only reserves space in a file. */
static enum duty event_type_duty(const struct rewrite *rewrite, const struct perf_entry *entry)
{
	struct tool_record rec;
	struct note note;

	if (!tool_record__parse(entry->bytes, entry->size, rewrite->rec.features.swapped, &rec) &&
	    note__read(&rec, &note))
		return note.kind == NOTE_ATTRS ? DUTY_SKIP : DUTY_COPY;
	return DUTY_SKIP;
}

static enum duty record_duty(const struct rewrite *rewrite, const struct perf_entry *entry)
{
	switch (entry->type) {
	case TOOL_COMPRESSED:
	case TOOL_COMPRESSED2:
		return DUTY_SKIP;
	case TOOL_FINISHED_ROUND:
		return rewrite->has_parts ? DUTY_SKIP : DUTY_ROUND;
	case TOOL_TRACING_DATA:
	case TOOL_FEATURE:
		return DUTY_READ;
	case TOOL_HEADER_ATTR:
		return rewrite->has_header_records ? DUTY_SKIP : DUTY_COPY;
	case TOOL_EVENT_UPDATE:
		return rewrite->has_header_records ? event_update_duty(rewrite, entry) : DUTY_COPY;
	case TOOL_EVENT_TYPE:
		return event_type_duty(rewrite, entry);
	default:
		return DUTY_COPY;
	}
}

static int copy_record(struct rewrite *rewrite, const struct perf_entry *entry)
{
	int err = give_types(rewrite);
	bool is_kept = true;

	if (!err)
		err = choose_samples__test(&rewrite->choose, entry, &is_kept);
	if (err || !is_kept)
		return err;
	return convert_output__record(&rewrite->output, all_events(rewrite), entry);
}

static int write_entry(struct rewrite *rewrite, const struct perf_entry *entry)
{
	if (rewrite->turns.time_ns && rounds__next(&rewrite->rounds))
		convert_output__round(&rewrite->output);
	switch (record_duty(rewrite, entry)) {
	case DUTY_COPY:
		return copy_record(rewrite, entry);
	case DUTY_READ:
		return read_header_record(rewrite, entry);
	case DUTY_ROUND:
		convert_output__round(&rewrite->output);
		return 0;
	default:
		return 0;
	}
}

static int survey_entry(struct rewrite *rewrite, const struct perf_entry *entry)
{
	uint64_t time_ns = rewrite->turns.time_ns; /* set for a directory */

	if (!rewrite->has_parts)
		return record_duty(rewrite, entry) == DUTY_READ ? read_header_record(rewrite, entry)
								: 0;
	return time_ns ? rounds__add(&rewrite->rounds, time_ns) : 0;
}

/* Logs an error of writing or memory, unless it has been logged. */
static int log_write_error(const struct rewrite *rewrite, int err)
{
	if (rewrite->is_logged)
		return err;
	if (err == -ENOTSUP)
		log__error("cannot rewrite %s: a tracepoint follows after records: save it to a "
			   "file first, a pipe cannot be read twice",
			   rewrite->rec.path);
	else
		log__error("cannot write to %s: %s", rewrite->to, strerror(-err));
	return err;
}

/* Whether all events, features and times have to be read before the first record is written. */
static bool needs_survey(const struct rewrite *rewrite)
{
	return rewrite->has_parts ||
	       (rewrite->has_header_records && perf_file__fd(rewrite->rec.file) < 0);
}

/* Stock perf reads the types of one recording only. */
static int refuse_several(struct rewrite *rewrite)
{
	rewrite->is_logged = true;
	return perf_recording__log_error(
		&rewrite->rec, -ENOTSUP,
		"several recordings follow each other, and a perf.data has "
		"one: convert each of them, or use peat replay");
}

/* Calls `use` for every record to the end. */
static int for_each_record(struct rewrite *rewrite,
			   int (*use)(struct rewrite *, const struct perf_entry *))
{
	struct perf_file *file = rewrite->rec.file;
	struct perf_entry entry;
	int more = 1, err = 0;

	if (rewrite->has_parts && merge_files__init(&rewrite->turns, file))
		return perf_recording__log_error(&rewrite->rec, -ENOMEM, NULL);
	while (!err && more > 0) {
		more = rewrite->has_parts ? merge_files__next(&rewrite->turns, &entry)
					  : perf_file__next(file, &entry);
		if (more > 0)
			err = perf_file__recordings(file) > 1 ? refuse_several(rewrite)
							      : use(rewrite, &entry);
		passes__record(&rewrite->passes, file);
	}
	rewrite->passes.done++;
	merge_files__free(&rewrite->turns);
	if (err)
		return log_write_error(rewrite, err);
	return more < 0 ? perf_recording__log_error(&rewrite->rec, more, NULL) : 0;
}

/* ---- first pass ------------------------------------------------------------------------------ */

/* Reads the recording from its start again; damage that was reported is not reported again. */
static int reopen_recording(struct rewrite *rewrite)
{
	int err;

	rewrite->first = rewrite->rec;
	err = perf_recording__open(&rewrite->rec, rewrite->first.path);
	rewrite->rec.end = rewrite->first.end;
	return err;
}

static int survey_records(struct rewrite *rewrite)
{
	int err = for_each_record(rewrite, survey_entry);

	rounds__choose(&rewrite->rounds);
	return err ? err : reopen_recording(rewrite);
}

/* ---- the rewrite ----------------------------------------------------------------------------- */

static int write_recording(struct rewrite *rewrite)
{
	int err = read_sections(rewrite);

	if (!err && needs_survey(rewrite))
		err = survey_records(rewrite);
	if (!err && all_events(rewrite)->count)
		err = give_types(rewrite);
	if (err)
		return err;
	perf_file__keep_payloads(rewrite->rec.file);
	err = for_each_record(rewrite, write_entry);
	if (err)
		return err;
	perf_recording__report_file_end(&rewrite->rec);
	perf_recording__report_end(&rewrite->rec, &rewrite->header_end);
	err = give_types(rewrite);
	if (!err)
		err = convert_output__close(&rewrite->output, all_events(rewrite));
	return err ? log_write_error(rewrite, err) : 0;
}

/* For a file, checks the types before anything is written: wrong options do no harm. */
static int init_types(struct rewrite *rewrite, const struct peat_rewrite_opts *opts)
{
	int err;

	replay_types__init(&rewrite->types, rewrite->rec.features.swapped);
	err = replay_types__set_overrides(&rewrite->types, opts->as, opts->btf);
	rewrite->gives_types = rewrite->types.overrides.count;
	if (err || !rewrite->gives_types || !perf_file__attrs(rewrite->rec.file)->count)
		return err;
	return check_types(rewrite);
}

static int open_rewrite_output(struct rewrite *rewrite, int level)
{
	int fd = output_file__open(&rewrite->rec, rewrite->to), err;

	if (fd < 0)
		return fd;
	err = convert_output__open(&rewrite->output, fd, rewrite->rec.features.swapped, level);
	return err ? log_write_error(rewrite, err) : 0;
}

static int rewrite_opened(struct rewrite *rewrite, const struct peat_rewrite_opts *opts)
{
	struct perf_file *file = rewrite->rec.file;
	int err = init_types(rewrite, opts);

	rewrite->has_header_records = !perf_file__attrs(file)->count;
	rewrite->has_parts = perf_file__streams(file) > 1;
	rewrite->passes = (struct passes){ .report = opts->progress,
					   .arg = opts->progress_arg,
					   .all = 1U + !!opts->where + needs_survey(rewrite) };
	if (!err)
		err = choose_samples__open(&rewrite->choose, &rewrite->rec, opts, &rewrite->passes);
	if (!err)
		err = open_rewrite_output(rewrite, opts->level);
	if (err)
		return err;
	err = write_recording(rewrite);
	if (err)
		return err;
	convert_output__report(&rewrite->output, rewrite->rec.path);
	if (opts->kept)
		*opts->kept = rewrite->choose.kept;
	if (opts->left_out)
		*opts->left_out = rewrite->choose.left_out;
	return rewrite->rec.end.how == PERF_END_WHOLE ? 0 : -EBADMSG;
}

int peat_recording__rewrite(const char *path, const char *to,
			    const struct peat_rewrite_opts *callers_opts)
{
	struct peat_rewrite_opts opts = { .sz = sizeof(opts) };
	struct rewrite rewrite = { .to = to, .header_end.how = PERF_END_WHOLE };
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_rewrite_opts");

	if (!err && (opts.level < 0 || opts.level > LEVEL_MAX)) {
		log__error("peat_rewrite_opts: invalid level %d: must be 0 to %d", opts.level,
			   LEVEL_MAX);
		err = -EINVAL;
	}
	if (!err)
		err = perf_recording__open(&rewrite.rec, path);
	if (err)
		return fail(err);
	err = rewrite_opened(&rewrite, &opts);
	convert_output__free(&rewrite.output);
	choose_samples__close(&rewrite.choose);
	replay_types__free(&rewrite.types);
	rounds__free(&rewrite.rounds);
	perf_recording__close(&rewrite.first);
	perf_recording__close(&rewrite.rec);
	return err ? fail(err) : 0;
}
