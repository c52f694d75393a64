/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>

/* probe.h: the probes' BPF objects, compiled into the program.  An object describes itself. */
struct probe {
	const char *name;
	const void *object;
	size_t object_bytes;
};

/* The probe of this name; NULL: unknown. */
const struct probe *probe__find(const char *name);

/* The i-th probe; NULL after the last. */
const struct probe *probe__at(size_t i);

#endif /* PROBE_H */
