/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* doctor_source.h: starts a source and stops it, in a child process. */
#ifndef CLI_DOCTOR_SOURCE_H
#define CLI_DOCTOR_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options/options.h"

/*
 * A set of capabilities: bit N is capability N.  DOCTOR_AS_IS: those of this process, and its user.
 */
#define DOCTOR_AS_IS UINT64_MAX

/*
 * Whether the source starts: as `peat trace` starts it, to the first wait for events.  With a set
 * of capabilities, as a user who has no others, and is not root if this process can change its
 * user.  `*messages`: what it printed, to be freed; NULL: not wanted.
 */
bool doctor_source__starts(const struct options *options, const char *name, uint64_t caps,
			   char **messages);

#endif /* CLI_DOCTOR_SOURCE_H */
