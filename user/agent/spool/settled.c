// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/settled.c: reads and writes the places of settled pieces. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/log.h"
#include "spool/settled.h"

#define MAGIC "PEATSPL1"

/* The content of a file, in the byte order of the machine. */
struct record {
	char magic[8];
	uint64_t sequence;
	struct place before;
	uint32_t count;
	uint32_t crc; /* of all bytes before, and of the places */
	struct place at[SETTLED_MAX];
};

static size_t bytes_of(const struct record *record)
{
	return offsetof(struct record, at) + record->count * sizeof(*record->at);
}

static uint32_t crc_of(const struct record *record)
{
	uLong crc = crc32(0, (const Bytef *)record, offsetof(struct record, crc));

	return (uint32_t)crc32(crc, (const Bytef *)record->at,
			       (uInt)(record->count * sizeof(*record->at)));
}

static bool read_record(int fd, struct record *record)
{
	ssize_t count = pread(fd, record, sizeof(*record), 0);

	return count >= (ssize_t)offsetof(struct record, at) &&
	       !memcmp(record->magic, MAGIC, sizeof(record->magic)) &&
	       record->count <= SETTLED_MAX && (size_t)count >= bytes_of(record) &&
	       crc_of(record) == record->crc;
}

static int open_both(struct settled_files *files, int directory)
{
	static const char *const names[] = { "settled.0", "settled.1" };

	for (int i = 0; i < 2; i++) {
		files->fds[i] = openat(directory, names[i],
				       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (files->fds[i] < 0)
			return -errno;
	}
	return 0;
}

/* A full disk then refuses new batches, but not that others are settled.  Not all file systems can.
 */
static void reserve(const struct settled_files *files)
{
	for (int i = 0; i < 2; i++) {
		int err = posix_fallocate(files->fds[i], 0, sizeof(struct record));

		if (err)
			log__debug("spool: cannot reserve space for settled places: %s",
				   strerror(err));
	}
}

int settled__open(struct settled_files *files, int directory, struct settled *settled)
{
	struct record record;
	int err;

	*settled = (struct settled){ .count = 0 };
	*files = (struct settled_files){ .fds = { -1, -1 } };
	err = open_both(files, directory);
	if (err) {
		settled__close(files);
		return err;
	}
	for (int i = 0; i < 2; i++) {
		if (!read_record(files->fds[i], &record) || record.sequence <= files->sequence)
			continue;
		files->sequence = record.sequence;
		settled->before = record.before;
		settled->count = record.count;
		memcpy(settled->at, record.at, record.count * sizeof(*record.at));
	}
	reserve(files);
	return 0;
}

static int write_record(int fd, const struct record *record, bool sync)
{
	size_t bytes = bytes_of(record);
	ssize_t written;

	do
		written = pwrite(fd, record, bytes, 0);
	while (written < 0 && errno == EINTR);
	if (written != (ssize_t)bytes)
		return written < 0 ? -errno : -ENOSPC;
	return sync && fdatasync(fd) ? -errno : 0;
}

int settled__write(struct settled_files *files, const struct settled *settled, bool sync)
{
	struct record record = { .magic = MAGIC,
				 .sequence = ++files->sequence,
				 .before = settled->before,
				 .count = settled->count };
	int err;

	memcpy(record.at, settled->at, settled->count * sizeof(*settled->at));
	record.crc = crc_of(&record);
	err = write_record(files->fds[0], &record, sync);
	return err ?: write_record(files->fds[1], &record, sync);
}

void settled__close(struct settled_files *files)
{
	for (int i = 0; i < 2; i++) {
		if (files->fds[i] >= 0)
			close(files->fds[i]);
		files->fds[i] = -1;
	}
}
