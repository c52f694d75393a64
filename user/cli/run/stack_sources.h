/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STACK_SOURCES_H
#define CLI_STACK_SOURCES_H

#include "cli/options/options.h"

/*
 * Checks that --stacks has a source whose programs take stacks; for objects that do not use peat,
 * and for perf events, the kernel samples them.  0 or an exit status; the error has been printed,
 * with the probes that have stacks.
 */
int stack_sources__check(const struct options *options);

/*
 * 1: the events of an object have a field "stack" that is not PEAT_STACKS; 0: none; negative: an
 * exit status.
 */
int stack_sources__have_own_field(const struct options *options);

#endif /* CLI_STACK_SOURCES_H */
