/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* doctor_needs.h: the capabilities that a source needs, found by leaving each out. */
#ifndef CLI_DOCTOR_NEEDS_H
#define CLI_DOCTOR_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options/options.h"

/* False: they are unknown, since this process cannot give a child enough of them. */
bool doctor_needs__find(const struct options *options, const char *name, uint64_t *caps);

/* The name of the i-th capability of a set, without CAP_: "BPF"; NULL after the last. */
const char *doctor_needs__name(uint64_t caps, unsigned i);

/* How to give a program, a unit and a container the capabilities: as text, and members of JSON. */
void doctor_needs__print(uint64_t caps);
void doctor_needs__print_json(uint64_t caps);

#endif /* CLI_DOCTOR_NEEDS_H */
