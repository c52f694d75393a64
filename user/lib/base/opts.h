/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/opts.h: structs of options and results that may grow without breaking older callers. */
#ifndef PEAT_BASE_OPTS_H
#define PEAT_BASE_OPTS_H

#include <stddef.h>
#include <string.h>

/*
 * Copies the caller's options over `ours`, which holds the defaults and is `ours_bytes` long.  Both
 * structs begin with a size_t: the size the caller was compiled with.  A shorter struct leaves the
 * newer fields at their defaults; a longer struct is accepted only if its unknown tail is zero.
 * NULL means defaults.  -EINVAL: the log names `what`.
 */
int opts__read(void *ours, size_t ours_bytes, const void *callers, const char *what);

/* 0; -EINVAL if a byte of a reserved member is set: the log names `what`. */
int opts__check_reserved(const void *reserved, size_t count, const char *what);

#define OPTS_CHECK_RESERVED(opts, what)                                                            \
	opts__check_reserved(&(opts)->reserved, sizeof((opts)->reserved), what)

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

#endif /* PEAT_BASE_OPTS_H */
