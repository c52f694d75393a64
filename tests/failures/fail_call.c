// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fail_call.c: a library for LD_PRELOAD that lets one call of a program fail, once.
 *
 *	FAIL_PROGRAM	the program's name: programs that it starts are left alone
 *	FAIL_CALL	malloc (calloc, realloc and the like, too), mmap, open, read, write, ioctl, bpf,
 *			perf_event_open, epoll_create1, epoll_ctl, pthread_create, ...
 *	FAIL_NTH	which of these calls, from 1
 *	FAIL_MARK	this file is created when it fails
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static const char *failing; /* NULL: nothing fails */
static const char *mark;
static unsigned long nth;
static atomic_ulong count;

/* ---- the one that fails ---------------------------------------------------------------------- */

__attribute__((constructor)) static void read_environment(void)
{
	const char *program = getenv("FAIL_PROGRAM"), *number = getenv("FAIL_NTH");

	if (!program || !number || strcmp(program, program_invocation_short_name) != 0)
		return;
	nth = strtoul(number, NULL, 10);
	mark = getenv("FAIL_MARK");
	failing = getenv("FAIL_CALL");
}

static bool fails(const char *name)
{
	int fd;

	if (!failing || strcmp(failing, name) != 0 || atomic_fetch_add(&count, 1) + 1 != nth)
		return false;
	fd = mark ? (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
	if (fd >= 0)
		syscall(SYS_close, fd);
	return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size)
{
	return fails("malloc") ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	return fails("malloc") ? no_memory() : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
	return fails("malloc") ? no_memory() : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t number, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(number, size, &bytes))
		return no_memory();
	return fails("malloc") ? no_memory() : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails("malloc") ? no_memory() : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	*memory = fails("malloc") ? NULL : __libc_memalign(alignment, size);
	return *memory ? 0 : ENOMEM;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	long mapped;

	if (fails("mmap")) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	mapped = syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
	return mapped == -1 ? MAP_FAILED : (void *)mapped;
}

void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off64_t offset)
{
	return mmap(address, bytes, protection, flags, fd, offset);
}

/* ---- files ----------------------------------------------------------------------------------- */

static long failed(int err)
{
	errno = err;
	return -1;
}

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
	if (fails("open"))
		return (int)failed(EMFILE);
	return (int)syscall(SYS_openat, directory, path, flags, mode);
}

#define MODE_OF(flags, mode)                                                                       \
	do {                                                                                       \
		va_list args;                                                                      \
		va_start(args, flags);                                                             \
		if ((flags) & (O_CREAT | O_TMPFILE))                                               \
			(mode) = va_arg(args, mode_t);                                             \
		va_end(args);                                                                      \
	} while (0)

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	MODE_OF(flags, mode);
	return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;

	MODE_OF(flags, mode);
	return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
	mode_t mode = 0;

	MODE_OF(flags, mode);
	return open_at(directory, path, flags, mode);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	return fails("read") ? failed(EIO) : syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
	return fails("read") ? failed(EIO) : syscall(SYS_pread64, fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails("write") ? failed(ENOSPC) : syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return fails("write") ? failed(ENOSPC) : syscall(SYS_pwrite64, fd, bytes, size, at);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return (int)(fails("ioctl") ? failed(EINVAL) : syscall(SYS_ioctl, fd, request, arg));
}

int epoll_create1(int flags)
{
	return (int)(fails("epoll_create1") ? failed(EMFILE) : syscall(SYS_epoll_create1, flags));
}

int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	return (int)(fails("epoll_ctl") ? failed(ENOMEM)
					: syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event));
}

/* ---- others ---------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(__typeof__(next))dlsym(RTLD_NEXT, "pthread_create");

	return fails("pthread_create") ? EAGAIN : next(thread, attr, run, arg);
}

/* bpf(2) and perf_event_open(2) have no function in libc. */
long syscall(long number, ...)
{
	static long (*next)(long, ...);
	va_list args;
	long words[6];

	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "syscall");
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_bpf && fails("bpf"))
		return failed(ENOMEM);
	if (number == SYS_perf_event_open && fails("perf_event_open"))
		return failed(EMFILE);
	return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
