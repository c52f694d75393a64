/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/debug/debug_link.h: the section .gnu_debuglink: name and checksum of a debug file. */
#ifndef PEAT_SYMBOLS_DEBUG_DEBUG_LINK_H
#define PEAT_SYMBOLS_DEBUG_DEBUG_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_link {
	const char *name; /* without directory; in the section */
	uint32_t checksum;
};

/* Parses the section.  Pure.  False: it is invalid, or the name has a directory. */
bool debug_link__parse(const void *section, size_t bytes, bool swapped, struct debug_link *link);

/*
 * Whether the content of a file has the checksum: reads all of it.  False also for files larger
 * than 1 GiB, and for those of which less than half is stored.
 */
bool debug_link__has_checksum(int fd, uint32_t checksum);

#endif /* PEAT_SYMBOLS_DEBUG_DEBUG_LINK_H */
