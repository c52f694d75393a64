/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>
#include <stdio.h>

#include <peat/reader.h>

/* How a probe's events become lines for a person.  A view writes no newline. */
struct probe_view {
	const char *summary;
	void (*print_head)(FILE *out);
	void (*print)(FILE *out, const struct peat_event *event);
};

/* A probe: its BPF object, compiled into the program, and its view. */
struct probe {
	const char *name;
	const void *object;
	size_t object_bytes;
	const struct probe_view *view;
};

/* The probe of this name, NULL if there is none. */
const struct probe *probe__find(const char *name);

/* The i-th probe, NULL behind the last. */
const struct probe *probe__at(size_t i);

#endif /* PROBE_H */
