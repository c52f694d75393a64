// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fail_alloc.c: malloc(), calloc(), realloc() and free(), which call those of glibc. */
#include <errno.h>
#include <stdlib.h>

#include "unit/fail_alloc.h"

static unsigned left; /* allocations up to the one that fails; 0: none fails */
static bool failed;
static long blocks; /* allocated and not freed; changed by all threads */

void fail_alloc__begin(unsigned nth)
{
	failed = false;
	left = nth;
}

bool fail_alloc__end(void)
{
	left = 0;
	return failed;
}

long fail_alloc__blocks(void)
{
	return __atomic_load_n(&blocks, __ATOMIC_RELAXED);
}

#if defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

#if !HAS_SANITIZER
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *old);

static bool fails(void)
{
	if (!left || --left)
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

static void *count(void *block)
{
	if (block)
		__atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
	return block;
}

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
	return fails() ? NULL : count(__libc_malloc(bytes));
}

__attribute__((visibility("default"))) void *calloc(size_t number, size_t bytes)
{
	return fails() ? NULL : count(__libc_calloc(number, bytes));
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t bytes)
{
	if (fails())
		return NULL;
	return old ? __libc_realloc(old, bytes) : count(__libc_realloc(old, bytes));
}

__attribute__((visibility("default"))) void free(void *old)
{
	if (old)
		__atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
	__libc_free(old);
}
#endif
