/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>

/* A probe: its BPF object, compiled into the program; all that is known of it is in there. */
struct probe {
	const char *name;
	const void *object;
	size_t object_bytes;
};

/* The probe of this name, NULL if there is none. */
const struct probe *probe__find(const char *name);

/* The i-th probe, NULL behind the last. */
const struct probe *probe__at(size_t i);

#endif /* PROBE_H */
