// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* unused_texts.c: texts in pages that this process has not used. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unused_texts.h"

/*
 * With a page that is used, the kernel maps those around it, up to 64 KiB.  A text begins 5 bytes
 * before the end of a page, of 64 KiB at most.
 */
#define STEP  (1 << 20)
#define PLACE (STEP / 2 - 5)

static const char *texts;

static off_t offset_of(int i)
{
	return (off_t)i * STEP + PLACE;
}

void unused_texts__write(char text[UNUSED_TEXT_BYTES], int i)
{
	memset(text, 0, UNUSED_TEXT_BYTES);
	snprintf(text, UNUSED_TEXT_BYTES, "the text %d", i);
}

static bool write_all(int fd, int count)
{
	char text[UNUSED_TEXT_BYTES];

	for (int i = 0; i < count; i++) {
		unused_texts__write(text, i);
		if (pwrite(fd, text, sizeof(text), offset_of(i)) != sizeof(text))
			return false;
	}
	return true;
}

bool unused_texts__make(int count)
{
	size_t bytes = (size_t)count * STEP;
	int fd = memfd_create("texts", MFD_CLOEXEC);
	bool is_written = fd >= 0 && !ftruncate(fd, (off_t)bytes) && write_all(fd, count);
	void *memory = is_written ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;

	if (fd >= 0)
		close(fd);
	texts = memory;
	return memory != MAP_FAILED;
}

const char *unused_texts__at(int i)
{
	return texts + offset_of(i);
}
