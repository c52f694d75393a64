// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/recorded_file.c: records a pipeline's events to files that are rotated. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <peat/pcapng.h>
#include <peat/sink.h>

#include "base/errors.h"
#include "base/log.h"
#include "file/choice.h"
#include "file/clock.h"
#include "file/current_file.h"
#include "file/recorded_file.h"
#include "file/rotated_files.h"

#define AGAIN_MS 1000 /* after an error */
#define LIST_MS	 1000 /* between two looks at the files of other sources */

/* Events and records. */
struct counts {
	uint64_t recorded, dropped;
};

struct recorded_file {
	struct file_choice choice; /* its path is of this source */
	char *name;
	struct peat_reader *reader;
	uint64_t queue_bytes;
	struct current_file current;
	struct rotated_files rotated;
	struct rotated_files all; /* of all sources; no path: there is one */
	char *pattern;		  /* its path */
	uint64_t listed_ms;	  /* when it was read last */
	struct peat_sink *sink;	  /* NULL: none, until again_ms */
	uint64_t offered;	  /* to all files */
	struct counts past;	  /* of the files before */
	uint64_t flushed;	  /* pcapng: packets of this file that are written */
	int err;		  /* of the last failure; 0: all works */
	int limit_err;		  /* likewise of removing files */
	uint64_t again_ms;	  /* no attempt to open, or to rotate, before */
};

bool recorded_file__is_wanted(const struct peat_output_opts *opts)
{
	for (uint32_t i = 0; i < opts->setting_count; i++)
		if (!strcmp(opts->settings[i].name, "format"))
			return !strcmp(opts->settings[i].value, "perf") ||
			       !strcmp(opts->settings[i].value, "pcapng");
	return false;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static struct counts perf_counts(const struct recorded_file *file, bool failed)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };
	struct counts counts;

	if (peat_sink__perf_stats(file->sink, &stats))
		return (struct counts){ 0 };
	counts.recorded = stats.events + stats.records;
	counts.dropped = stats.lost + stats.lost_records + stats.skipped;
	if (failed) {
		uint64_t unwritten = stats.unwritten + stats.unwritten_records;

		unwritten = unwritten < counts.recorded ? unwritten : counts.recorded;
		counts.recorded -= unwritten;
		counts.dropped += unwritten;
	}
	return counts;
}

static struct peat_pcapng_stats pcapng_stats(const struct recorded_file *file)
{
	struct peat_pcapng_stats stats = { .sz = sizeof(stats) };

	if (peat_pcapng__stats(file->sink, &stats))
		return (struct peat_pcapng_stats){ 0 };
	return stats;
}

/* Packets after the last flush may be in the file, but count as dropped if it failed. */
static struct counts pcapng_counts(const struct recorded_file *file, bool failed)
{
	const struct peat_pcapng_stats stats = pcapng_stats(file);
	uint64_t recorded = failed ? file->flushed : stats.packets;

	return (struct counts){ recorded, stats.skipped + stats.packets - recorded };
}

/* The counts of this file.  `failed`: its sink has failed and is finished. */
static struct counts counts_of(const struct recorded_file *file, bool failed)
{
	if (!file->sink)
		return (struct counts){ 0 };
	return file->choice.format == FILE_PERF ? perf_counts(file, failed)
						: pcapng_counts(file, failed);
}

void recorded_file__counts(const struct recorded_file *file, uint64_t *recorded, uint64_t *dropped,
			   uint64_t *waiting)
{
	const struct counts now = counts_of(file, false);
	uint64_t decided;

	*recorded = file->past.recorded + now.recorded;
	*dropped = file->past.dropped + now.dropped;
	decided = *recorded + *dropped;
	*waiting = file->offered > decided ? file->offered - decided : 0;
}

static bool is_counted(const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
}

/* ---- files ----------------------------------------------------------------------------------- */

static struct peat_sink *new_sink(const struct recorded_file *file)
{
	const struct peat_perf_opts opts = { .sz = sizeof(opts),
					     .level = (int32_t)file->choice.level,
					     .queue_bytes = file->queue_bytes };

	if (file->choice.format == FILE_PERF)
		return peat_sink__new_perf(file->reader, file->current.fd, &opts);
	return peat_sink__new_pcapng(file->reader, file->current.fd, NULL);
}

/* A recording cannot be appended to: an existing one is renamed. */
static int move_existing(struct recorded_file *file)
{
	struct stat status;

	if (lstat(file->choice.path, &status))
		return 0;
	if (S_ISLNK(status.st_mode)) {
		log__error("cannot record to %s: it is a symbolic link, and cannot be rotated: "
			   "name the file itself",
			   file->choice.path);
		return -ELOOP;
	}
	return S_ISREG(status.st_mode) && status.st_size ? rotated_files__add(&file->rotated) : 0;
}

static int open_file(struct recorded_file *file)
{
	int err = move_existing(file);

	if (!err)
		err = current_file__open(&file->current, file->choice.path, file->choice.mode);
	if (err)
		return err;
	if (file->current.is_regular && file->current.bytes) {
		current_file__close(&file->current);
		return -EEXIST; /* written by another process meanwhile */
	}
	file->current.born_s = time(NULL); /* also if it was there, empty */
	file->flushed = 0;
	file->sink = new_sink(file);
	if (file->sink)
		return 0;
	err = -errno;
	if (file->current.is_regular && !ftruncate(file->current.fd, 0))
		file->current.bytes = 0; /* without events it is not rotated */
	current_file__close(&file->current);
	return err;
}

/* The other sources rotate their files, too. */
static int list_all(struct recorded_file *file)
{
	uint64_t now = clock_ms();

	if (now < file->listed_ms + LIST_MS)
		return 0;
	file->listed_ms = now;
	return rotated_files__list(&file->all);
}

/* Removes rotated files beside one of so many bytes. */
static int remove_files(struct recorded_file *file, uint64_t bytes)
{
	const uint64_t quota = file->choice.quota, left = bytes < quota ? quota - bytes : 0;
	int err = rotated_files__limit(&file->rotated, file->choice.keep, UINT64_MAX);

	if (err || quota == UINT64_MAX)
		return err;
	if (!file->pattern)
		return rotated_files__limit(&file->rotated, UINT64_MAX, left);
	err = list_all(file);
	return err ?: rotated_files__limit(&file->all, UINT64_MAX, left);
}

/* Logs an error if it is another than before. */
static void limit_files(struct recorded_file *file, uint64_t bytes)
{
	int err;

	if (!file->current.is_regular)
		return;
	err = remove_files(file, bytes);
	if (err && err != file->limit_err)
		log__warn("output %s: cannot remove rotated files of %s: %s", file->name,
			  file->choice.path, strerror(-err));
	file->limit_err = err;
}

/* Logs changes of state alone. */
static void note_state(struct recorded_file *file, int err)
{
	if (err && err != file->err)
		log__warn("output %s: cannot write to %s: %s: events are dropped until this is "
			  "possible",
			  file->name, file->choice.path, strerror(-err));
	else if (!err && file->err)
		log__warn("output %s: writes to %s again", file->name, file->choice.path);
	file->err = err;
	file->again_ms = err ? clock_ms() + AGAIN_MS : 0;
}

/* Completes the file: events that are not in it are dropped.  0 or a negative errno. */
static int finish_file(struct recorded_file *file, int failed)
{
	struct counts counts;
	int err;

	if (!file->sink)
		return 0;
	err = peat_sink__finish(file->sink);
	err = failed ?: err;
	counts = counts_of(file, err);
	file->past.recorded += counts.recorded;
	if (file->past.recorded > file->offered)
		file->past.recorded = file->offered;
	file->past.dropped = file->offered - file->past.recorded;
	peat_sink__free(file->sink);
	file->sink = NULL;
	if (!err && file->choice.sync != FILE_SYNC_NEVER && file->current.is_regular &&
	    fsync(file->current.fd))
		err = -errno;
	current_file__close(&file->current);
	return err;
}

/* Later events go to a new file, and this one, which is not complete, is rotated then. */
static void fail_file(struct recorded_file *file, int err)
{
	finish_file(file, err);
	note_state(file, err);
	if ((err == -ENOSPC || err == -EDQUOT) && file->choice.removes_when_full &&
	    !rotated_files__remove_oldest(&file->rotated))
		file->again_ms = 0;
}

static bool may_try(const struct recorded_file *file)
{
	return clock_ms() >= file->again_ms;
}

/* Whether there is a file to write to. */
static bool has_file(struct recorded_file *file)
{
	enum peat_log_level level = PEAT_LOG_ERROR;
	int err;

	if (file->sink)
		return true;
	if (!may_try(file))
		return false;
	if (file->err)
		level = log__set_severest(PEAT_LOG_DEBUG);
	err = open_file(file);
	if (file->err)
		log__set_severest(level);
	note_state(file, err);
	return !err;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int64_t write_events(struct recorded_file *file, const struct peat_event *event,
			    int64_t most)
{
	int err;

	if (file->choice.format == FILE_PERF)
		return peat_sink__perf_write_row(file->sink, event, most);
	err = peat_sink__write(file->sink, event);
	return err ?: 1;
}

int64_t recorded_file__write(struct recorded_file *file, const struct peat_event *event,
			     int64_t most)
{
	int64_t written = has_file(file) ? write_events(file, event, most) : 0;

	if (is_counted(event))
		file->offered += written > 0 ? (uint64_t)written : 1;
	if (written > 0)
		return written;
	if (written)
		fail_file(file, (int)written);
	else
		file->past.dropped += is_counted(event);
	return 1;
}

/* ---- rotation -------------------------------------------------------------------------------- */

static uint64_t bytes_of(const struct recorded_file *file)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	if (file->choice.format != FILE_PERF)
		return pcapng_stats(file).bytes;
	return peat_sink__perf_stats(file->sink, &stats) ? 0 : stats.bytes;
}

static bool is_due(const struct recorded_file *file, uint64_t bytes)
{
	int64_t age_s = time(NULL) - file->current.born_s;

	return file->current.is_regular && may_try(file) &&
	       (bytes >= file->choice.max_bytes ||
		(age_s > 0 && (uint64_t)age_s >= file->choice.max_ms / 1000) ||
		current_file__is_moved(&file->current, file->choice.path));
}

static int flush(struct recorded_file *file)
{
	int err = peat_sink__flush(file->sink);

	if (!err && file->choice.format == FILE_PCAPNG)
		file->flushed = pcapng_stats(file).packets;
	return err;
}

int recorded_file__pause(struct recorded_file *file)
{
	uint64_t bytes;
	int err;

	if (!has_file(file))
		return file->err;
	err = flush(file);
	if (err) {
		fail_file(file, err);
		return err;
	}
	bytes = bytes_of(file);
	if (is_due(file, bytes)) {
		err = finish_file(file, 0);
		err = err ?: open_file(file);
		note_state(file, err);
		bytes = 0;
	}
	limit_files(file, bytes);
	return err;
}

/* ---- the object ------------------------------------------------------------------------------ */

/* Replaces the first "%s" of the file's name: the quota is of all sources then. */
static int name_path(struct recorded_file *file, const char *source)
{
	struct file_choice *choice = &file->choice;
	const char *at = strstr(choice->path, "%s");
	char *path;

	if (!at)
		return 0;
	if (asprintf(&path, "%.*s%s%s", (int)(at - choice->path), choice->path, source, at + 2) < 0)
		return -ENOMEM;
	file->pattern = choice->path;
	choice->path = path;
	file->all = (struct rotated_files){ .path = file->pattern, .own = path };
	return 0;
}

static int open_first(struct recorded_file *file, const struct peat_output_opts *opts,
		      const char *source)
{
	int err = file_choice__read(&file->choice, opts);

	if (!err && strchr(source, '/'))
		err = file_choice__refuse(opts, "file", "the name of a source has a /");
	if (!err && strchr(strstr(file->choice.path, "%s") ?: "", '/'))
		err = file_choice__refuse(opts, "file", "%s is not in the name of the file");
	if (!err)
		err = name_path(file, source);
	if (err)
		return err;
	file->rotated.path = file->choice.path;
	file->name = strdup(opts->name);
	if (!file->name)
		return -ENOMEM;
	err = strcmp(file->choice.path, "-") ? rotated_files__list(&file->rotated) : 0;
	if (err)
		log__error("cannot write to %s: %s", file->choice.path, strerror(-err));
	return err ?: open_file(file);
}

struct recorded_file *recorded_file__open(const struct peat_output_opts *opts,
					  struct peat_reader *reader, const char *source,
					  uint64_t queue_bytes)
{
	struct recorded_file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return fail_null(-ENOMEM);
	file->current.fd = -1;
	file->reader = reader;
	file->queue_bytes = queue_bytes;
	err = open_first(file, opts, source);
	if (!err)
		return file;
	recorded_file__close(file);
	return fail_null(err);
}

int recorded_file__finish(struct recorded_file *file)
{
	int err = finish_file(file, 0);

	if (err)
		note_state(file, err);
	return file->err;
}

void recorded_file__close(struct recorded_file *file)
{
	if (!file)
		return;
	finish_file(file, 0);
	current_file__close(&file->current);
	rotated_files__free(&file->rotated);
	rotated_files__free(&file->all);
	free(file->pattern);
	file_choice__free(&file->choice);
	free(file->name);
	free(file);
}
