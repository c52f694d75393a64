// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/choose_samples.c: tests the samples of a recording by an expression. */
#include <errno.h>
#include <string.h>

#include <peat/where.h>

#include "base/log.h"
#include "convert/choose_samples.h"
#include "perf_data/read/merge_files.h"

/* ---- names and types ------------------------------------------------------------------------- */

/* Reads what names tasks and describes the machine. */
static int read_entry(struct choose_samples *choose, struct perf_entry *entry)
{
	struct replay_intake *in = &choose->in;
	int err = 0;

	if (entry->type < TOOL_HEADER_ATTR)
		err = replay_intake__begin(in, entry);
	if (entry->type >= TOOL_HEADER_ATTR)
		err = replay_intake__fill_tool_event(in, entry);
	else if (!err && entry->type != PEAT_RECORD_SAMPLE &&
		 replay_intake__decode(in, entry->attr, entry->layout, entry->bytes, entry->size))
		err = replay_intake__fill_event(in, entry->attr);
	return err < 0 ? err : 0;
}

/* Damage is reported by the second pass, which writes the records before it. */
static int read_names(struct choose_samples *choose, struct passes *passes)
{
	struct perf_file *file = choose->in.rec.file;
	bool has_parts = perf_file__streams(file) > 1;
	struct merge_files turns = { 0 };
	struct perf_entry entry;
	int more = 1, err = has_parts ? merge_files__init(&turns, file) : 0;

	/* Of several recordings the rewrite refuses the second. */
	while (!err && more > 0 && perf_file__recordings(file) == 1) {
		more = has_parts ? merge_files__next(&turns, &entry)
				 : perf_file__next(file, &entry);
		if (more > 0)
			err = read_entry(choose, &entry);
		passes__record(passes, file);
	}
	passes->done++;
	merge_files__free(&turns);
	if (!err && more < 0)
		return perf_recording__log_error(&choose->in.rec, more, NULL);
	return err ? err : replay_intake__resolve_types(&choose->in);
}

static int add_types(struct choose_samples *choose)
{
	const struct perf_attrs *attrs = perf_file__attrs(choose->in.rec.file);
	int err = 0;

	for (uint32_t i = 0; i < attrs->count && err >= 0; i++) {
		const struct replay_type *type = replay_types__of(&choose->in.types, attrs->at[i]);

		err = type ? peat_where__add_type(choose->where, type->schema) : -ENOMEM;
	}
	return err < 0 ? err : peat_where__check(choose->where);
}

/* ---- opening --------------------------------------------------------------------------------- */

static int check_is_file(const struct perf_recording *rec)
{
	if (perf_file__fd(rec->file) < 0 && strcmp(rec->path, "-") != 0)
		return 0;
	log__error("cannot select events of %s: that reads it twice: save it to a file, and "
		   "name the file",
		   strcmp(rec->path, "-") ? rec->path : "standard input");
	return -ESPIPE;
}

static int open_intake(struct choose_samples *choose, const char *path,
		       const struct peat_rewrite_opts *opts)
{
	struct peat_replay_opts replay = PEAT_REPLAY_OPTS_INIT;
	int err = perf_recording__open(&choose->in.rec, path);

	if (err)
		return err;
	replay.names = choose->in.keeps_all_names = true;
	replay.as = opts->as;
	replay.btf = opts->btf;
	return replay_intake__open(&choose->in, &choose->reader, &replay);
}

int choose_samples__open(struct choose_samples *choose, const struct perf_recording *rec,
			 const struct peat_rewrite_opts *opts, struct passes *passes)
{
	int err = opts->where ? check_is_file(rec) : 0;

	*choose = (struct choose_samples){ 0 };
	if (err || !opts->where)
		return err;
	choose->where = opts->where;
	err = open_intake(choose, rec->path, opts);
	if (!err)
		err = read_names(choose, passes);
	return err ? err : add_types(choose);
}

void choose_samples__close(struct choose_samples *choose)
{
	if (choose->where)
		replay_intake__close(&choose->in);
	choose->where = NULL;
}

/* ---- testing --------------------------------------------------------------------------------- */

/* Samples that cannot be decoded are kept: the rewrite copies them as they are. */
int choose_samples__test(struct choose_samples *choose, const struct perf_entry *entry,
			 bool *is_kept)
{
	const struct perf_attrs *attrs;
	const struct perf_attr *attr;
	int ret;

	*is_kept = true;
	if (!choose->where || entry->type != PEAT_RECORD_SAMPLE || !entry->attr)
		return 0;
	attrs = perf_file__attrs(choose->in.rec.file);
	attr = entry->attr->index < attrs->count ? attrs->at[entry->attr->index] : NULL;
	if (!attr ||
	    !replay_intake__decode(&choose->in, attr, &attr->layout, entry->bytes, entry->size))
		return 0;
	ret = replay_intake__fill_event(&choose->in, attr);
	if (ret < 0)
		return ret;
	*is_kept = ret && peat_where__test(choose->where, &choose->reader.event);
	choose->kept += *is_kept;
	choose->left_out += !*is_kept;
	return 0;
}
