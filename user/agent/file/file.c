// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/file.c: writes batches to a file, one after the other. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/log.h"
#include "file/clock.h"
#include "file/file.h"
#include "file/json_file.h"

#define AGAIN_MS 1000 /* after an error */

struct file {
	struct peat_output output;
	struct file_choice choice;
	char *name;
	int wake_fd;
	struct json_file json;

	struct peat_batch *batch; /* under way; NULL: none */
	struct strbuf lines;	  /* its lines */
	uint64_t generation;	  /* of the lines; 0: not made yet */
	size_t sent;		  /* bytes of them */
	uint64_t refused;

	int err;	   /* of the last attempt */
	uint64_t again_ms; /* no attempt before */
	uint32_t settled;  /* batches, since acknowledged() returned */
};

/* ---- a batch --------------------------------------------------------------------------------- */

static void settle(struct file *file, uint64_t refused, const char *why)
{
	struct peat_batch *batch = file->batch;

	file->batch = NULL;
	file->settled++;
	peat_output__settle(&file->output, batch, refused, refused ? why : NULL);
	peat_batch__unref(batch);
}

/* Checks the file, such as its age, when there is no batch. */
static int write_batch(struct file *file)
{
	int err = json_file__prepare(&file->json);

	if (err == -EAGAIN)
		err = -EBUSY; /* other processes replace the file all the time */
	if (!err && file->batch && file->generation != file->json.generation) {
		file->sent = 0;
		err = json_file__make_lines(&file->json, file->batch, &file->lines, &file->refused);
		file->generation = err ? 0 : file->json.generation;
	}
	if (!err && file->batch)
		err = json_file__write(&file->json, &file->lines, &file->sent);
	return err;
}

/* Logs the first failure and its end: meanwhile events wait, or the queue drops them. */
static void note_state(struct file *file, int err)
{
	if (err && err != file->err)
		log__warn("output %s: cannot write to %s: %s: events wait in the queue", file->name,
			  file->choice.path, strerror(-err));
	else if (!err && file->err)
		log__warn("output %s: writes to %s again", file->name, file->choice.path);
	file->err = err;
	file->again_ms = err ? clock_ms() + AGAIN_MS : 0;
}

static void attempt(struct file *file)
{
	enum peat_log_level level = PEAT_LOG_ERROR;
	int err;

	if (file->err)
		level = log__set_severest(PEAT_LOG_DEBUG);
	err = write_batch(file);
	if (file->err)
		log__set_severest(level);
	if (err == -EAGAIN) {
		file->again_ms = 0; /* as soon as the pipe has room */
		return;
	}
	note_state(file, err);
	if (!err && file->batch)
		settle(file, file->refused, "no memory");
}

static int file_write(struct peat_output *output, struct peat_batch *batch)
{
	struct file *file = (struct file *)output;

	if (file->batch || clock_ms() < file->again_ms)
		return -EAGAIN;
	file->batch = peat_batch__ref(batch);
	file->generation = 0;
	attempt(file);
	return 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Milliseconds to wait after an error, timeout_ms at most. */
static int until_attempt(const struct file *file, int timeout_ms)
{
	uint64_t now = clock_ms();
	int left = now < file->again_ms ? (int)(file->again_ms - now) : 0;

	return timeout_ms < 0 || left < timeout_ms ? left : timeout_ms;
}

static void wait_for_room(const struct file *file, int timeout_ms)
{
	const bool is_blocked = file->batch && !file->again_ms;
	struct pollfd fds[] = {
		{ .fd = file->wake_fd, .events = POLLIN },
		{ .fd = is_blocked ? file->json.current.fd : -1, .events = POLLOUT },
	};

	if (file->again_ms)
		timeout_ms = until_attempt(file, timeout_ms);
	poll(fds, 2, timeout_ms); /* EINTR: earlier */
}

static int file_acknowledged(struct peat_output *output, int timeout_ms)
{
	struct file *file = (struct file *)output;
	uint32_t settled;

	if (!file->settled)
		wait_for_room(file, timeout_ms);
	if (clock_ms() >= file->again_ms)
		attempt(file);
	settled = file->settled;
	file->settled = 0;
	return (int)settled;
}

/* ---- the output ------------------------------------------------------------------------------ */

static void file_close(struct peat_output *output)
{
	struct file *file = (struct file *)output;

	if (!file)
		return;
	if (file->batch)
		settle(file, peat_batch__events(file->batch) + peat_batch__points(file->batch),
		       "closed");
	json_file__close(&file->json);
	strbuf__free(&file->lines);
	file_choice__free(&file->choice);
	free(file->name);
	free(file);
}

static int open_output(struct file *file, const struct peat_output_opts *opts)
{
	int err = file_choice__read(&file->choice, opts);

	if (err)
		return err;
	if (file->choice.format != FILE_JSON)
		return file_choice__refuse(opts, "format",
					   "pipelines write such files themselves: see "
					   "file/recorded_file.h");
	file->name = strdup(opts->name);
	return file->name ? json_file__open(&file->json, &file->choice, file->name) : -ENOMEM;
}

static struct peat_output *file_open(const struct peat_output_opts *opts)
{
	struct file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return fail_null(-ENOMEM);
	file->output = (struct peat_output){ .sz = sizeof(struct peat_output),
					     .ops = &file_output,
					     .settled = opts->settled,
					     .arg = opts->arg };
	file->wake_fd = opts->wake_fd;
	file->json.current.fd = -1;
	err = open_output(file, opts);
	if (!err)
		return &file->output;
	file_close(&file->output);
	return fail_null(err);
}

static int file_check(const struct peat_output_opts *opts)
{
	struct file_choice choice = { 0 };
	int err = file_choice__read(&choice, opts);

	file_choice__free(&choice);
	return err;
}

const struct peat_output_ops file_output = {
	.sz = sizeof(struct peat_output_ops),
	.name = "file",
	.takes = PEAT_TAKES_EVENTS | PEAT_TAKES_POINTS,
	.check = file_check,
	.open = file_open,
	.write = file_write,
	.acknowledged = file_acknowledged,
	.close = file_close,
};
