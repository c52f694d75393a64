// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fail_call.c: a library for LD_PRELOAD that lets one call of a program fail, once.
 *
 * FAIL_PROGRAM: the program's name.  Programs that it starts are left alone, its forks are not.
 *
 * FAIL_CALL, FAIL_NTH: a name of call_names[], and the number of the call, from 1.
 *
 * FAIL_MARK: a file that is created when the call fails, with the addresses of its callers.
 *
 * FAIL_SITES: no call fails.  At the end, this file gets a line for each call whose callers had not
 * made such a call before: "CALL NTH".
 *
 * FAIL_OBJECTS: this file gets a line for each BPF object that the program creates: "TYPE ID".
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum call {
	MALLOC,
	MMAP,
	OPEN,
	FOPEN,
	OPENDIR,
	READ,
	WRITE,
	FLUSH,
	CLOSE,
	STAT,
	FILES,
	IOCTL,
	EPOLL,
	WAIT,
	PIPE,
	SOCKET,
	FORK,
	THREAD,
	PERF,
	BPF,
	CALLS
};

/* Several functions that fail alike are one call: realloc(3) is a malloc, fstat(2) a stat. */
static const char *const call_names[CALLS] = {
	[MALLOC] = "malloc",
	[MMAP] = "mmap",
	[OPEN] = "open",
	[FOPEN] = "fopen",
	[OPENDIR] = "opendir",
	[READ] = "read",
	[WRITE] = "write",
	[FLUSH] = "fflush",
	[CLOSE] = "close",
	[STAT] = "stat",
	[FILES] = "ftruncate",
	[IOCTL] = "ioctl",
	[EPOLL] = "epoll",
	[WAIT] = "wait",
	[PIPE] = "pipe",
	[SOCKET] = "socket",
	[FORK] = "fork",
	[THREAD] = "pthread_create",
	[PERF] = "perf_event_open",
	[BPF] = "bpf",
};

enum { DEPTH = 10, SITES = 1 << 16 };

/* Shared by the program and its forks: one call of all of them fails. */
struct shared {
	atomic_ulong counts[CALLS];
	struct site {
		atomic_ulong hash; /* of call and callers; 0: unused */
		atomic_ulong first, last;
		atomic_uint call;
	} sites[SITES];
};

static struct shared *shared; /* NULL: calls are left alone */
static enum call failing = CALLS;
static const char *mark, *sites_path, *objects_path;
static unsigned long nth;
static pid_t owner;
static __thread bool is_inside;

/* ---- callers --------------------------------------------------------------------------------- */

static unsigned long hash_callers(enum call call)
{
	void *callers[DEPTH + 3];
	int count = backtrace(callers, DEPTH + 3);
	unsigned long hash = call + 1;

	for (int i = 3; i < count; i++)
		hash = (hash ^ (unsigned long)callers[i]) * 0x9e3779b97f4a7c15UL;
	return hash ? hash : 1;
}

static void note_site(enum call call, unsigned long number)
{
	unsigned long hash = hash_callers(call), unused;

	for (unsigned long i = hash % SITES, n = 0; n < SITES; n++, i = (i + 1) % SITES) {
		unused = 0;
		if (atomic_compare_exchange_strong(&shared->sites[i].hash, &unused, hash)) {
			shared->sites[i].call = call;
			shared->sites[i].first = number;
		} else if (unused != hash) {
			continue;
		}
		shared->sites[i].last = number;
		return;
	}
}

static void append(const char *path, const char *text, size_t bytes)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC,
			      0600);

	if (fd < 0)
		return;
	syscall(SYS_write, fd, text, bytes);
	syscall(SYS_close, fd);
}

static void append_line(const char *path, const char *word, unsigned long number)
{
	char line[64];
	int bytes = snprintf(line, sizeof(line), "%s %lu\n", word, number);

	append(path, line, (size_t)bytes);
}

static void write_mark(void)
{
	void *callers[DEPTH * 2];
	int fd = (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	backtrace_symbols_fd(callers, backtrace(callers, DEPTH * 2), fd);
	syscall(SYS_close, fd);
}

/* ---- the call that fails --------------------------------------------------------------------- */

static enum call find_call(const char *name)
{
	enum call call = 0;

	while (call < CALLS && (!name || strcmp(name, call_names[call]) != 0))
		call++;
	return call;
}

/* The first backtrace() loads a library. */
__attribute__((constructor)) static void read_environment(void)
{
	const char *program = getenv("FAIL_PROGRAM"), *number = getenv("FAIL_NTH");
	void *callers[1], *memory;

	if (!program || strcmp(program, program_invocation_short_name) != 0)
		return;
	backtrace(callers, 1);
	owner = getpid();
	nth = number ? strtoul(number, NULL, 10) : 0;
	mark = getenv("FAIL_MARK");
	sites_path = getenv("FAIL_SITES");
	objects_path = getenv("FAIL_OBJECTS");
	failing = find_call(getenv("FAIL_CALL"));
	memory = (void *)syscall(SYS_mmap, NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0L);
	shared = memory == MAP_FAILED ? NULL : memory;
}

__attribute__((destructor)) static void write_sites(void)
{
	struct shared *seen = shared;

	shared = NULL;
	if (!seen || !sites_path || getpid() != owner)
		return;
	for (int i = 0; i < SITES; i++) {
		if (!seen->sites[i].hash)
			continue;
		append_line(sites_path, call_names[seen->sites[i].call], seen->sites[i].first);
		if (seen->sites[i].last > seen->sites[i].first)
			append_line(sites_path, call_names[seen->sites[i].call],
				    seen->sites[i].last);
	}
}

static bool fails(enum call call)
{
	unsigned long number;
	bool is_it;
	int err = errno;

	if (!shared || is_inside || (failing != call && !sites_path))
		return false;
	is_inside = true;
	number = atomic_fetch_add(&shared->counts[call], 1) + 1;
	is_it = failing == call && number == nth;
	if (is_it && mark)
		write_mark();
	if (sites_path)
		note_site(call, number);
	is_inside = false;
	errno = err;
	return is_it;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size)
{
	return fails(MALLOC) ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	return fails(MALLOC) ? no_memory() : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
	return fails(MALLOC) ? no_memory() : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t number, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(number, size, &bytes))
		return no_memory();
	return fails(MALLOC) ? no_memory() : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(MALLOC) ? no_memory() : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	*memory = fails(MALLOC) ? NULL : __libc_memalign(alignment, size);
	return *memory ? 0 : ENOMEM;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	long mapped;

	if (fails(MMAP)) {
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
	if (fails(OPEN))
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
	return fails(READ) ? failed(EIO) : syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
	return fails(READ) ? failed(EIO) : syscall(SYS_pread64, fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails(WRITE) ? failed(ENOSPC) : syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return fails(WRITE) ? failed(ENOSPC) : syscall(SYS_pwrite64, fd, bytes, size, at);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return (int)(fails(IOCTL) ? failed(EINVAL) : syscall(SYS_ioctl, fd, request, arg));
}

int epoll_create1(int flags)
{
	return (int)(fails(EPOLL) ? failed(EMFILE) : syscall(SYS_epoll_create1, flags));
}

int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	return (int)(fails(EPOLL) ? failed(ENOMEM)
				  : syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event));
}

/* ---- functions of libc ------------------------------------------------------------------------
 */

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* A function of libc that returns RESULT and sets errno to ERR if CALL fails. */
#define WRAP(call, type, name, parameters, arguments, result, err)                                 \
	type name parameters                                                                       \
	{                                                                                          \
		static __typeof__(&(name)) next;                                                   \
                                                                                                   \
		if (!next)                                                                         \
			next = NEXT(name);                                                         \
		if (!fails(call))                                                                  \
			return next arguments;                                                     \
		errno = (err);                                                                     \
		return result;                                                                     \
	}

WRAP(FOPEN, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
WRAP(FOPEN, FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
WRAP(FOPEN, FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, ENOMEM)
WRAP(FOPEN, FILE *, open_memstream, (char **text, size_t *bytes), (text, bytes), NULL, ENOMEM)
WRAP(OPENDIR, DIR *, opendir, (const char *path), (path), NULL, EMFILE)
WRAP(OPENDIR, DIR *, fdopendir, (int fd), (fd), NULL, ENOMEM)
WRAP(STAT, int, stat, (const char *path, struct stat *s), (path, s), -1, EACCES)
WRAP(STAT, int, lstat, (const char *path, struct stat *s), (path, s), -1, EACCES)
WRAP(STAT, int, fstat, (int fd, struct stat *s), (fd, s), -1, EIO)
WRAP(STAT, int, fstatat, (int fd, const char *path, struct stat *s, int flags),
     (fd, path, s, flags), -1, EACCES)
WRAP(FILES, int, ftruncate, (int fd, off_t bytes), (fd, bytes), -1, EIO)
WRAP(FILES, int, renameat, (int from, const char *a, int to, const char *b), (from, a, to, b), -1,
     EACCES)
WRAP(FILES, int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), -1, ENOSPC)
WRAP(FILES, int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)
WRAP(FILES, int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), -1, EACCES)
WRAP(FILES, off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence), -1, ESPIPE)
WRAP(EPOLL, int, eventfd, (unsigned int value, int flags), (value, flags), -1, EMFILE)
WRAP(EPOLL, int, timerfd_create, (int clock, int flags), (clock, flags), -1, EMFILE)
WRAP(WAIT, int, epoll_wait, (int fd, struct epoll_event *e, int count, int ms), (fd, e, count, ms),
     -1, EINTR)
WRAP(WAIT, int, poll, (struct pollfd * fds, nfds_t count, int ms), (fds, count, ms), -1, EINTR)
WRAP(PIPE, int, pipe, (int ends[2]), (ends), -1, EMFILE)
WRAP(PIPE, int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
WRAP(PIPE, int, dup, (int fd), (fd), -1, EMFILE)
WRAP(PIPE, int, dup2, (int fd, int other), (fd, other), -1, EMFILE)
WRAP(PIPE, int, dup3, (int fd, int other, int flags), (fd, other, flags), -1, EMFILE)
WRAP(SOCKET, int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1,
     EMFILE)
WRAP(FORK, pid_t, fork, (void), (), -1, EAGAIN)
WRAP(THREAD, int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg),
     (thread, attr, run, arg), EAGAIN, EAGAIN)
WRAP(FORK, int, posix_spawn,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files,
      const posix_spawnattr_t *attr, char *const argv[], char *const env[]),
     (pid, path, files, attr, argv, env), EAGAIN, EAGAIN)
WRAP(FORK, int, posix_spawnp,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files,
      const posix_spawnattr_t *attr, char *const argv[], char *const env[]),
     (pid, path, files, attr, argv, env), EAGAIN, EAGAIN)

/* Nothing interrupts a call that does not wait. */
pid_t waitpid(pid_t pid, int *status, int flags)
{
	static pid_t (*next)(pid_t, int *, int);

	if (!next)
		next = NEXT(waitpid);
	return (pid_t)(!(flags & WNOHANG) && fails(WAIT) ? failed(EINTR)
							 : next(pid, status, flags));
}

/* The descriptor is closed nevertheless, as Linux does. */
int close(int fd)
{
	bool failure = fails(CLOSE);
	int status = (int)syscall(SYS_close, fd);

	return (int)(failure ? failed(EIO) : status);
}

static int fail_flush(FILE *file)
{
	file->_flags |= 0x20; /* ferror(3) */
	return (int)failed(ENOSPC);
}

int fflush(FILE *file)
{
	static int (*next)(FILE *);

	if (!next)
		next = NEXT(fflush);
	return file && fails(FLUSH) ? fail_flush(file) : next(file);
}

int fclose(FILE *file)
{
	static int (*next)(FILE *);
	bool failure = fails(FLUSH);
	int status;

	if (!next)
		next = NEXT(fclose);
	status = next(file);
	return (int)(failure ? failed(ENOSPC) : status);
}

/* ---- bpf(2) and perf_event_open(2) ------------------------------------------------------------
 */

/* The id is the first or second number of the kernel's struct bpf_prog_info, bpf_map_info and
 * bpf_link_info. */
static void note_object(const char *type, int fd)
{
	uint32_t info[8] = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)fd,
					  .info_len = sizeof(info),
					  .info = (uintptr_t)info } };

	if (!syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
		append_line(objects_path, type, info[1]);
}

static const char *created_type(long command)
{
	switch (command) {
	case BPF_PROG_LOAD:
		return "prog";
	case BPF_MAP_CREATE:
		return "map";
	case BPF_LINK_CREATE:
	case BPF_RAW_TRACEPOINT_OPEN:
		return "link";
	default:
		return NULL;
	}
}

/* libc has no functions for these. */
long syscall(long number, ...)
{
	static long (*next)(long, ...);
	const char *type;
	va_list args;
	long words[6], result;

	if (!next)
		next = NEXT(syscall);
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_bpf && fails(BPF))
		return failed(ENOMEM);
	if (number == SYS_perf_event_open && fails(PERF))
		return failed(EMFILE);
	result = next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
	type = number == SYS_bpf && result >= 0 && objects_path && !is_inside
		       ? created_type(words[0])
		       : NULL;
	if (type) {
		is_inside = true;
		note_object(type, (int)result);
		is_inside = false;
	}
	return result;
}
