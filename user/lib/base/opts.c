// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/opts.c: structs of options and results that may grow without breaking older callers. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/opts.h"

static size_t stated_bytes(const void *callers)
{
	size_t bytes;

	memcpy(&bytes, callers, sizeof(bytes));
	return bytes;
}

static bool all_zero(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i])
			return false;
	return true;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

int opts__read(void *ours, size_t ours_bytes, const void *callers, const char *what)
{
	size_t bytes;

	if (!callers)
		return 0;
	bytes = stated_bytes(callers);
	if (bytes <= sizeof(bytes)) {
		log__error("%s: .sz is %zu: set it to sizeof the struct", what, bytes);
		return -EINVAL;
	}
	if (bytes > ours_bytes &&
	    !all_zero((const unsigned char *)callers + ours_bytes, bytes - ours_bytes)) {
		log__error("%s: an option is set that this version of libpeat does not know", what);
		return -EINVAL;
	}
	memcpy(ours, callers, smaller(bytes, ours_bytes));
	memcpy(ours, &ours_bytes, sizeof(ours_bytes));
	return 0;
}

int opts__check_reserved(const void *reserved, size_t count, const char *what)
{
	if (all_zero(reserved, count))
		return 0;
	log__error("%s: reserved is not 0: set it to 0", what);
	return -EINVAL;
}

int opts__copy_text(const char **text)
{
	const char *callers = *text;

	*text = callers ? strdup(callers) : NULL;
	return callers && !*text ? -ENOMEM : 0;
}

int opts__write(void *callers, const void *ours, size_t ours_bytes, const char *what)
{
	size_t bytes = stated_bytes(callers), filled = smaller(bytes, ours_bytes);

	if (bytes <= sizeof(bytes)) {
		log__error("%s: .sz is %zu: set it to sizeof the struct", what, bytes);
		return -EINVAL;
	}
	memset((unsigned char *)callers + filled, 0, bytes - filled);
	memcpy((unsigned char *)callers + sizeof(bytes),
	       (const unsigned char *)ours + sizeof(bytes), filled - sizeof(bytes));
	return 0;
}

/* A caller that forgot the size has any number in its place: far larger ones are refused. */
#define GROWTH_MAX 4096u

int opts__other_size(void *callers, size_t ours_bytes, const char *what)
{
	size_t bytes = stated_bytes(callers);

	if (bytes < ours_bytes || bytes - ours_bytes > GROWTH_MAX) {
		log__error("%s: .sz is %zu: set it to sizeof the struct", what, bytes);
		return -EINVAL;
	}
	memset((unsigned char *)callers + ours_bytes, 0, bytes - ours_bytes);
	return 0;
}
