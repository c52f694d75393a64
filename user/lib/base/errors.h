/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/errors.h: errors that public functions return. */
#ifndef PEAT_BASE_ERRORS_H
#define PEAT_BASE_ERRORS_H

#include <errno.h>
#include <stddef.h>

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

/* The kernel's own ENOTSUPP; no header of libc defines it. */
#define KERNELS_ENOTSUPP 524

#endif /* PEAT_BASE_ERRORS_H */
