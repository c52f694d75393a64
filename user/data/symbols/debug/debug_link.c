// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug/debug_link.c: the section .gnu_debuglink. */
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cursor.h"
#include "symbols/elf/budget.h"
#include "symbols/debug/debug_link.h"

#define CHUNK_BYTES 65536
#define SMALL_BYTES 65536
#define BLOCK_BYTES 512 /* of st_blocks */

bool debug_link__parse(const void *section, size_t bytes, bool swapped, struct debug_link *link)
{
	const char *name = section;
	const size_t length = strnlen(name, bytes);
	const size_t checksum_at = (length + 1 + 3) & ~(size_t)3;

	if (!length || length == bytes || memchr(name, '/', length) || !strcmp(name, "..") ||
	    checksum_at > bytes || bytes - checksum_at < sizeof(uint32_t))
		return false;
	link->name = name;
	link->checksum = load_u32(name + checksum_at, swapped);
	return true;
}

/* Holes cost nothing to make, and time to read.  Small files may have no blocks. */
static bool is_readable(int fd)
{
	struct stat found;

	if (fstat(fd, &found) || found.st_size > BUDGET_CHECKSUM_BYTES)
		return false;
	return found.st_size <= SMALL_BYTES || found.st_blocks * BLOCK_BYTES >= found.st_size / 2;
}

bool debug_link__has_checksum(int fd, uint32_t wanted)
{
	uint8_t chunk[CHUNK_BYTES];
	uLong checksum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t count = -1;

	if (!is_readable(fd))
		return false;
	while (at <= BUDGET_CHECKSUM_BYTES && (count = pread(fd, chunk, sizeof(chunk), at)) > 0) {
		checksum = crc32(checksum, chunk, (uInt)count);
		at += count;
	}
	return count == 0 && checksum == wanted;
}
