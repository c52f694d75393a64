/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file/json_file.h: a file of lines of JSON at one path: opened anew when another program has
 * renamed, removed or emptied it, rotated, limited in number and bytes.
 */
#ifndef PEAT_FILE_JSON_FILE_H
#define PEAT_FILE_JSON_FILE_H

#include "base/strbuf.h"
#include "file/choice.h"
#include "file/current_file.h"
#include "file/zstd_frames.h"
#include "file/rotated_files.h"

struct json_file {
	const struct file_choice *choice;
	const char *name; /* of the output, for messages */
	struct current_file current;
	struct rotated_files rotated;
	struct zstd_frames *frames; /* NULL: not compressed */
	bool is_frame_open;	    /* in the file */
	struct strbuf before;	    /* to be written before the next lines */
	/* Grows with each frame and each file: older lines do not belong into a newer one. */
	uint64_t generation;
	int rotate_err;		  /* of the last rotation, or removal */
	uint64_t rotate_after_ms; /* then it is tried again */
};

/* 0 or a negative errno, which is logged.  Close the file in any case. */
int json_file__open(struct json_file *file, const struct file_choice *choice, const char *name);

/* Opens and rotates it as necessary, and may change the generation.  0 or a negative errno. */
int json_file__prepare(struct json_file *file);

/*
 * Makes the lines of a batch, to be written once, before any others are made.  Events for which
 * there was no memory are counted in `refused`.  0; a negative errno: try again.
 */
int json_file__make_lines(struct json_file *file, const struct peat_batch *batch,
			  struct strbuf *lines, uint64_t *refused);

/*
 * Writes lines of the present generation: all of them, or none unless it is a pipe or another
 * special file.  There, `sent` is how many bytes were written, so far and then.
 *
 *	0
 *	-EAGAIN		a pipe is full: call again when it has room
 *	another negative errno
 */
int json_file__write(struct json_file *file, const struct strbuf *lines, size_t *sent);

void json_file__close(struct json_file *file);

#endif /* PEAT_FILE_JSON_FILE_H */
