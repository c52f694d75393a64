// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* slow_memory.c: page faults that are handled late. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/userfaultfd.h>

#include "support/machine/harness.h"
#include "support/machine/slow_memory.h"

static void *handle_fault(void *arg)
{
	struct slow_memory *memory = arg;
	struct uffdio_copy copy = { .dst = (uintptr_t)memory->page,
				    .src = (uintptr_t)memory->contents,
				    .len = memory->bytes };
	struct uffd_msg message;

	if (read(memory->fd, &message, sizeof(message)) != sizeof(message))
		return (void *)"no page fault";
	if (memory->meanwhile)
		memory->meanwhile(memory->arg);
	usleep((useconds_t)memory->us);
	return ioctl(memory->fd, UFFDIO_COPY, &copy) ? (void *)"the page cannot be filled" : NULL;
}

void slow_memory__make(struct slow_memory *memory, const char *text, long us,
		       void (*meanwhile)(void *), void *arg)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	memory->bytes = (size_t)sysconf(_SC_PAGESIZE);
	memory->us = us;
	memory->meanwhile = meanwhile;
	memory->arg = arg;
	memory->contents = calloc(1, memory->bytes);
	ck_assert_ptr_nonnull(memory->contents);
	ck_assert_uint_lt(strlen(text), memory->bytes);
	memcpy(memory->contents, text, strlen(text) + 1);
	memory->page = mmap(NULL, memory->bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory->page, MAP_FAILED);
	memory->fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	ck_assert_msg(memory->fd >= 0, "no userfaultfd: %s", strerror(errno));
	ck_assert_int_eq(ioctl(memory->fd, UFFDIO_API, &api), 0);
	range.range.start = (uintptr_t)memory->page;
	range.range.len = memory->bytes;
	ck_assert_int_eq(ioctl(memory->fd, UFFDIO_REGISTER, &range), 0);
	ck_assert_int_eq(pthread_create(&memory->thread, NULL, handle_fault, memory), 0);
}

void slow_memory__free(struct slow_memory *memory)
{
	void *failure;

	ck_assert_int_eq(pthread_join(memory->thread, &failure), 0);
	ck_assert_msg(!failure, "%s", (const char *)failure);
	munmap(memory->page, memory->bytes);
	close(memory->fd);
	free(memory->contents);
}
