// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/resume.c: finds what a file with content lacks before lines can follow. */
#include <errno.h>
#include <unistd.h>

#include "file/zstd_frames.h"
#include "file/resume.h"

static int after_lines(int reader, uint64_t bytes, struct strbuf *before)
{
	char first, last;

	if (pread(reader, &first, 1, 0) != 1 || pread(reader, &last, 1, (off_t)bytes - 1) != 1)
		return -EIO;
	if (first != '{')
		return -EBADMSG;
	if (last != '\n')
		strbuf__char(before, '\n');
	return 0;
}

static int after_frames(struct current_file *file, int reader, struct strbuf *before)
{
	uint64_t end;
	bool is_open;
	int err = zstd_frames__find_end(reader, &end, &is_open);

	if (!end)
		return err && err != -EBADMSG ? err : -EBADMSG;
	if (err)
		return err == -EBADMSG ? -EUCLEAN : err;
	if (end < file->bytes && ftruncate(file->fd, (off_t)end))
		return -errno;
	file->bytes = end;
	if (is_open)
		strbuf__bytes(before, FRAME_END, FRAME_END_BYTES);
	return 0;
}

int resume__after(struct current_file *file, bool is_compressed, struct strbuf *before)
{
	int reader, err;

	if (!file->is_regular || !file->bytes)
		return 0;
	reader = current_file__reader(file);
	if (reader < 0)
		return reader;
	err = is_compressed ? after_frames(file, reader, before)
			    : after_lines(reader, file->bytes, before);
	close(reader);
	return err;
}
