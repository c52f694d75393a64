// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/settled.c: reads and writes the places of settled pieces. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/log.h"
#include "base/write_at.h"
#include "spool/settled.h"

#define MAGIC "PEATSPL2"

/* Files of former versions have places alone. */
#define MAGIC_OF_PLACES "PEATSPL1"

/* The content of a file, in the byte order of the machine. */
struct record {
	char magic[8];
	uint64_t sequence;
	struct place before;
	uint32_t count;
	uint32_t crc; /* of all other bytes */
	/* The places, then the id, the number of sources, and the sources. */
	unsigned char rest[SETTLED_MAX * sizeof(struct place) + 2 * sizeof(uint64_t) +
			   SETTLED_SOURCES_MAX * sizeof(struct settled_source)];
};

static uint32_t crc_of(const struct record *record, size_t rest_bytes)
{
	uLong crc = crc32(0, (const Bytef *)record, offsetof(struct record, crc));

	return (uint32_t)crc32(crc, record->rest, (uInt)rest_bytes);
}

static bool has_magic(const struct record *record, const char *magic)
{
	return !memcmp(record->magic, magic, sizeof(record->magic));
}

struct bytes {
	const unsigned char *at;
	size_t left;
};

static bool read_bytes(struct bytes *bytes, void *into, size_t count)
{
	if (bytes->left < count)
		return false;
	memcpy(into, bytes->at, count);
	bytes->at += count;
	bytes->left -= count;
	return true;
}

static bool read_sources(struct bytes *bytes, struct settled *settled)
{
	uint64_t count;

	if (!read_bytes(bytes, &settled->id, sizeof(settled->id)) ||
	    !read_bytes(bytes, &count, sizeof(count)) || count > SETTLED_SOURCES_MAX ||
	    !read_bytes(bytes, settled->sources, count * sizeof(*settled->sources)))
		return false;
	settled->source_count = (uint32_t)count;
	for (uint64_t i = 0; i < count; i++)
		settled->sources[i].name[SETTLED_NAME - 1] = '\0';
	return true;
}

/* Parses `count` bytes after the head of a record, which may be more than it has. */
static bool parse_record(const struct record *record, size_t count, struct settled *settled)
{
	struct bytes bytes = { record->rest, count };

	*settled = (struct settled){ .before = record->before, .count = record->count };
	return record->count <= SETTLED_MAX &&
	       read_bytes(&bytes, settled->at, record->count * sizeof(*settled->at)) &&
	       (has_magic(record, MAGIC_OF_PLACES) ||
		(has_magic(record, MAGIC) && read_sources(&bytes, settled))) &&
	       crc_of(record, count - bytes.left) == record->crc;
}

/* Returns the sequence of the file's record; 0: it has no whole one. */
static uint64_t read_record(int fd, struct settled *settled)
{
	struct record record;
	ssize_t count = pread(fd, &record, sizeof(record), 0);

	if (count < (ssize_t)offsetof(struct record, rest) ||
	    !parse_record(&record, (size_t)count - offsetof(struct record, rest), settled))
		return 0;
	return record.sequence;
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
	struct settled read = { .count = 0 };
	int err;

	*settled = read;
	*files = (struct settled_files){ .fds = { -1, -1 } };
	err = open_both(files, directory);
	if (err) {
		settled__close(files);
		return err;
	}
	for (int i = 0; i < 2; i++) {
		uint64_t sequence = read_record(files->fds[i], &read);

		if (sequence <= files->sequence)
			continue;
		files->sequence = sequence;
		*settled = read;
	}
	reserve(files);
	return 0;
}

static int write_record(int fd, const struct record *record, size_t bytes, bool sync)
{
	int err = write_at(fd, record, bytes, 0);

	if (!err && sync && fdatasync(fd))
		err = -errno;
	return err;
}

static void append(struct record *record, size_t *bytes, const void *more, size_t count)
{
	memcpy(record->rest + *bytes, more, count);
	*bytes += count;
}

int settled__write(struct settled_files *files, const struct settled *settled, bool sync)
{
	const uint64_t sources = settled->source_count;
	struct record record;
	size_t bytes = 0;
	int err;

	memcpy(record.magic, MAGIC, sizeof(record.magic));
	record.sequence = ++files->sequence;
	record.before = settled->before;
	record.count = settled->count;
	append(&record, &bytes, settled->at, settled->count * sizeof(*settled->at));
	append(&record, &bytes, &settled->id, sizeof(settled->id));
	append(&record, &bytes, &sources, sizeof(sources));
	append(&record, &bytes, settled->sources, sources * sizeof(*settled->sources));
	record.crc = crc_of(&record, bytes);
	bytes += offsetof(struct record, rest);
	err = write_record(files->fds[0], &record, bytes, sync);
	return err ?: write_record(files->fds[1], &record, bytes, sync);
}

void settled__close(struct settled_files *files)
{
	for (int i = 0; i < 2; i++) {
		if (files->fds[i] >= 0)
			close(files->fds[i]);
		files->fds[i] = -1;
	}
}
