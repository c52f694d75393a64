/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OBJECT_CHECK_H
#define OBJECT_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * object_check.h: checks BPF objects in a child with limits of time and memory, since libbpf 1.1
 * crashes on some damaged objects.  The child passes objects that fail in another way: they have
 * better messages in this process.
 */

/* Whether the object can be opened without a crash.  If not, a message has been printed. */
bool object_check__opens(const char *path, const void *bytes, size_t count);

/*
 * Whether libbpf can load the object without a crash.  The kernel sees nothing of it: the child has
 * a seccomp filter that accepts everything in its place (no_kernel.h).
 */
bool object_check__loads(const char *path, const void *bytes, size_t count);

#endif /* OBJECT_CHECK_H */
