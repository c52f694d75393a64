/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jetstream/setup.h: makes the stream, or compares it with the configuration. */
#ifndef PEAT_JETSTREAM_SETUP_H
#define PEAT_JETSTREAM_SETUP_H

#include "jetstream/config.h"

/*
 * Prints a line for what it made, or for each difference; settings that the configuration does not
 * have are not compared.  `name`: the output's.
 *
 * 0; -EEXIST: there are differences; -EIO: no server answers, or it refuses.
 */
int setup__stream(const struct jetstream_config *config, const char *name,
		  void (*print)(void *arg, const char *line), void *arg);

#endif /* PEAT_JETSTREAM_SETUP_H */
