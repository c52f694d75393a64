// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/json_file.c: opens, writes and rotates a file of lines of JSON. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "file/clock.h"
#include "file/json_file.h"
#include "file/json_lines.h"
#include "file/resume.h"

#define ROTATE_AGAIN_MS 10000

static bool is_out_of_space(int err)
{
	return err == -ENOSPC || err == -EDQUOT;
}

/* Lines that were made and not written do not belong to the next frame. */
static void end_frame(struct json_file *file)
{
	if (file->is_frame_open && !file->current.is_regular)
		strbuf__bytes(&file->before, FRAME_END, FRAME_END_BYTES);
	file->is_frame_open = false;
	if (file->frames)
		zstd_frames__begin(file->frames);
	file->generation++;
}

/* ---- rotated files --------------------------------------------------------------------------- */

/* Logs an error of rotation if it is another than before. */
static void note_rotation(struct json_file *file, int err)
{
	if (err && err != file->rotate_err)
		log__warn("output %s: cannot rotate %s, or remove its rotated files: %s: the "
			  "file grows until this is possible",
			  file->name, file->choice->path, strerror(-err));
	file->rotate_err = err;
	file->rotate_after_ms = err ? clock_ms() + ROTATE_AGAIN_MS : 0;
}

/* Removes rotated files, so that `more` bytes can be written. */
static int limit_files(struct json_file *file, size_t more)
{
	const struct file_choice *choice = file->choice;
	uint64_t bytes = file->current.bytes + more;

	if (choice->quota == UINT64_MAX)
		return rotated_files__limit(&file->rotated, choice->keep, UINT64_MAX);
	return rotated_files__limit(&file->rotated, choice->keep,
				    bytes < choice->quota ? choice->quota - bytes : 0);
}

/* ---- opening and closing --------------------------------------------------------------------- */

/* A link would be renamed instead of the file. */
static int check_link(const struct file_choice *choice)
{
	struct stat status;

	if ((choice->max_bytes == UINT64_MAX && choice->max_ms == UINT64_MAX) ||
	    lstat(choice->path, &status) || !S_ISLNK(status.st_mode))
		return 0;
	log__error("cannot write to %s: it is a symbolic link, and cannot be rotated: name the "
		   "file itself, or leave out max-size, max-age and quota",
		   choice->path);
	return -ELOOP;
}

static int open_file(struct json_file *file)
{
	const char *path = file->choice->path;
	int err = check_link(file->choice);

	if (err)
		return err;
	err = current_file__open(&file->current, path, file->choice->mode);
	if (err)
		return err;
	strbuf__cut(&file->before, 0);
	file->is_frame_open = false;
	end_frame(file);
	err = resume__after(&file->current, file->frames, &file->before);
	if (err == -EBADMSG)
		log__error("cannot append to %s: it is no file of %s: remove it, or choose "
			   "another path",
			   path, file->frames ? "zstd" : "JSON lines");
	else if (err && err != -EUCLEAN)
		log__error("cannot append to %s: %s", path, strerror(-err));
	if (err)
		current_file__close(&file->current);
	else if (file->before.count && !current_file__append(&file->current, file->before.bytes,
							     file->before.count, 0, false))
		strbuf__cut(&file->before, 0); /* otherwise with the first lines */
	return err;
}

/* A damaged file becomes a rotated one. */
static int open_or_replace(struct json_file *file)
{
	int err = open_file(file);

	if (err == -EUCLEAN) {
		log__warn("output %s: %s is damaged: it is renamed", file->name,
			  file->choice->path);
		err = rotated_files__add(&file->rotated);
		err = err ?: open_file(file);
	}
	if (!err && file->choice->sync != FILE_SYNC_NEVER && file->current.is_regular)
		current_file__sync_directory(file->choice->path);
	return err;
}

static void sync_and_close(struct json_file *file)
{
	if (file->choice->sync != FILE_SYNC_NEVER && file->current.is_regular &&
	    fsync(file->current.fd))
		log__warn("output %s: %s: fsync: %s", file->name, file->choice->path,
			  strerror(errno));
	current_file__close(&file->current);
}

int json_file__open(struct json_file *file, const struct file_choice *choice, const char *name)
{
	int err;

	*file = (struct json_file){
		.choice = choice, .name = name, .current.fd = -1, .rotated.path = choice->path
	};
	if (choice->level) {
		file->frames = zstd_frames__new((int)choice->level);
		if (!file->frames)
			return -ENOMEM;
	}
	err = open_or_replace(file);
	if (!err && file->current.is_regular)
		err = rotated_files__list(&file->rotated);
	if (!err)
		note_rotation(file, limit_files(file, 0));
	return err;
}

void json_file__close(struct json_file *file)
{
	size_t sent = 0;
	int err = 0;

	if (file->current.fd >= 0 && file->is_frame_open && !file->current.is_regular)
		err = current_file__send(&file->current, FRAME_END, FRAME_END_BYTES, &sent);
	if (err)
		log__warn("output %s: %s lacks the end of its frame: %s", file->name,
			  file->choice->path, strerror(-err));
	if (file->current.fd >= 0)
		sync_and_close(file);
	rotated_files__free(&file->rotated);
	zstd_frames__free(file->frames);
	strbuf__free(&file->before);
}

/* ---- rotation -------------------------------------------------------------------------------- */

static bool is_due(const struct json_file *file)
{
	const struct file_choice *choice = file->choice;
	const struct current_file *current = &file->current;
	int64_t age_s = time(NULL) - current->born_s;

	return current->is_regular && current->bytes &&
	       (current->bytes >= choice->max_bytes ||
		(age_s > 0 && (uint64_t)age_s >= choice->max_ms / 1000)) &&
	       clock_ms() >= file->rotate_after_ms;
}

/* A file that cannot be renamed is written to as before. */
static int rotate(struct json_file *file)
{
	int err = rotated_files__add(&file->rotated);

	note_rotation(file, err);
	if (err)
		return 0;
	sync_and_close(file);
	err = open_or_replace(file);
	if (!err)
		note_rotation(file, limit_files(file, 0));
	return err;
}

int json_file__prepare(struct json_file *file)
{
	int err = 0;

	if (file->current.fd >= 0 && current_file__is_changed(&file->current, file->choice->path))
		sync_and_close(file);
	if (file->current.fd < 0)
		err = open_or_replace(file);
	return !err && is_due(file) ? rotate(file) : err;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int append(struct json_file *file, const struct strbuf *lines)
{
	const size_t end = file->is_frame_open ? FRAME_END_BYTES : 0;
	int err = limit_files(file, lines->count);

	if (err)
		note_rotation(file, err);
	do {
		err = current_file__append(&file->current, lines->bytes, lines->count, end,
					   file->choice->sync == FILE_SYNC_BATCH);
	} while (is_out_of_space(err) && file->choice->removes_when_full &&
		 !rotated_files__remove_oldest(&file->rotated));
	return err;
}

/* The rest of a line is dropped if the reader of a FIFO closes it: the next gets whole lines. */
static int send_lines(struct json_file *file, const struct strbuf *lines, size_t *sent)
{
	int err = current_file__send(&file->current, lines->bytes, lines->count, sent);

	if (err && err != -EAGAIN && file->current.fd != STDOUT_FILENO)
		current_file__close(&file->current);
	return err;
}

int json_file__make_lines(struct json_file *file, const struct peat_batch *batch,
			  struct strbuf *lines, uint64_t *refused)
{
	int err;

	strbuf__cut(lines, 0);
	lines->failed = false;
	if (file->before.count)
		strbuf__bytes(lines, file->before.bytes, file->before.count);
	err = json_lines__add(batch, file->frames, lines, refused);
	if (lines->count == file->before.count)
		strbuf__cut(lines, 0); /* no line: nothing is to be written */
	else if (file->frames && file->current.is_regular)
		strbuf__bytes(lines, FRAME_END, FRAME_END_BYTES);
	if (!err && lines->failed)
		err = -ENOMEM;
	if (err)
		end_frame(file);
	return err;
}

int json_file__write(struct json_file *file, const struct strbuf *lines, size_t *sent)
{
	int err = 0;

	if (lines->count)
		err = file->current.is_regular ? append(file, lines)
					       : send_lines(file, lines, sent);
	if (err || !lines->count)
		return err;
	strbuf__cut(&file->before, 0);
	file->is_frame_open |= file->frames != NULL;
	return 0;
}
