/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fleet.h: the tests of the fleet. */
#ifndef TESTS_FLEET_FLEET_H
#define TESTS_FLEET_FLEET_H

#include "support/machine/harness.h"

/* The first thing that this machine lacks; NULL: it lacks nothing. */
const char *fleet__lacks(void);

/* A fixture: the scratch directory, a file system for pins, and the seed. */
void fleet__begin(void);

Suite *kills_suite(void);

#endif /* TESTS_FLEET_FLEET_H */
