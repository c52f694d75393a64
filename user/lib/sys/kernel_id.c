// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/kernel_id.c: the build id of the running kernel. */
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "sys/kernel_id.h"

#define NOTES	    "/sys/kernel/notes"
#define NOTES_BYTES 4096

static size_t padded(uint32_t bytes)
{
	return ((size_t)bytes + 3) & ~(size_t)3;
}

static bool is_build_id(const Elf32_Nhdr *note, const char *name)
{
	return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
	       !memcmp(name, "GNU", sizeof("GNU")) && note->n_descsz &&
	       note->n_descsz <= KERNEL_ID_BYTES;
}

bool kernel_id__parse(const void *notes, size_t bytes, uint8_t id[KERNEL_ID_BYTES])
{
	const char *at = notes;
	Elf32_Nhdr note;

	while (bytes >= sizeof(note)) {
		size_t name, desc;

		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		bytes -= sizeof(note);
		name = padded(note.n_namesz);
		desc = padded(note.n_descsz);
		if (name > bytes || desc > bytes - name)
			return false;
		if (is_build_id(&note, at)) {
			memset(id, 0, KERNEL_ID_BYTES);
			memcpy(id, at + name, note.n_descsz);
			return true;
		}
		at += name + desc;
		bytes -= name + desc;
	}
	return false;
}

static uint8_t running[KERNEL_ID_BYTES];
static bool is_known;

static void load_kernel_id(void)
{
	char notes[NOTES_BYTES];
	int fd = open(NOTES, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -1 : read(fd, notes, sizeof(notes));

	if (bytes > 0)
		is_known = kernel_id__parse(notes, (size_t)bytes, running);
	else
		log__info("cannot read the build id of this kernel: " NOTES ": %m");
	if (fd >= 0)
		close(fd);
}

const uint8_t *kernel_id__running(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_kernel_id);
	return is_known ? running : NULL;
}
