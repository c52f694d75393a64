/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* flight_run.h: waits for a flight recorder, peat record --flight -v, and for its dumps. */
#ifndef TESTS_SUPPORT_RECORDING_FLIGHT_RUN_H
#define TESTS_SUPPORT_RECORDING_FLIGHT_RUN_H

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "support/machine/command.h"

/* Returns when the triggers are ready, too. */
static inline void flight_run__start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "keeping the last");
}

/* A dump is reported when its file is complete. */
static inline void flight_run__expect_dump(struct command *peat, const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "%s: ", name);
	command__expect(peat->err, text);
}

static inline bool flight_run__exists(const char *path)
{
	return !access(path, F_OK);
}

#endif /* TESTS_SUPPORT_RECORDING_FLIGHT_RUN_H */
