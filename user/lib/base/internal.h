/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/internal.h: log messages, errors and options: for every file of the library. */
#ifndef PEAT_BASE_INTERNAL_H
#define PEAT_BASE_INTERNAL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <stddef.h>

#include <peat/log.h>

__attribute__((format(printf, 2, 3))) void log__print(enum peat_log_level level, const char *format,
						      ...);

/*
 * Messages of this thread that are more severe than `level` get this level: for calls that may fail
 * without harm.  Returns the previous level; PEAT_LOG_ERROR: no change.
 */
enum peat_log_level log__set_severest(enum peat_log_level level);

#define log__error(...) log__print(PEAT_LOG_ERROR, __VA_ARGS__)
#define log__warn(...)	log__print(PEAT_LOG_WARN, __VA_ARGS__)
#define log__info(...)	log__print(PEAT_LOG_INFO, __VA_ARGS__)
#define log__debug(...) log__print(PEAT_LOG_DEBUG, __VA_ARGS__)

/*
 * Every public function that fails returns one of these: a negative errno with errno set to match,
 * or NULL with errno set.
 */
static inline int fail(int err)
{
	errno = -err;
	return err;
}

static inline void *fail_null(int err)
{
	errno = -err;
	return NULL;
}

/*
 * Copies the caller's options over `ours`, which holds the defaults and is `ours_bytes` long.  Both
 * structs begin with a size_t: the size the caller was compiled with.  A shorter struct leaves the
 * newer fields at their defaults; a longer struct is accepted only if its unknown tail is zero.
 * NULL means defaults.  -EINVAL: the log names `what`.
 */
int opts__read(void *ours, size_t ours_bytes, const void *callers, const char *what);

/*
 * Replaces a string of the caller's options, or NULL, by a copy.  An object owns options of its own
 * only from then on: it checks the caller's in a struct that nothing frees, and copies all strings
 * before anything else can fail.  -ENOMEM: the string is NULL.
 */
int opts__copy_text(const char **text);

/* For results: copies `ours` to the caller's struct, as many bytes as that has. */
int opts__write(void *callers, const void *ours, size_t ours_bytes, const char *what);

/* The part of opts__check_size() for other sizes. */
int opts__other_size(void *callers, size_t ours_bytes, const char *what);

/*
 * Checks the size that the caller of a function has set in the struct, which begins with it.  A
 * longer struct is zeroed beyond `ours_bytes`.  0 or -EINVAL: the log names `what`.
 */
static inline int opts__check_size(void *callers, size_t ours_bytes, const char *what)
{
	size_t bytes;

	memcpy(&bytes, callers, sizeof(bytes));
	if (__builtin_expect(bytes == ours_bytes, 1))
		return 0;
	return opts__other_size(callers, ours_bytes, what);
}

static inline bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* The kernel's own ENOTSUPP; no header of libc defines it. */
#define KERNELS_ENOTSUPP 524

/*
 * Now, by the clock of event timestamps: CLOCK_MONOTONIC of the initial time namespace.  In another
 * one, clock_gettime() adds an offset, and the kernel's and the programs' timestamps have none.
 */
uint64_t monotonic_ns(void);

#endif /* PEAT_BASE_INTERNAL_H */
