/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* machine/check.h: a check of the machine as a row, and its result. */
#ifndef PEAT_MACHINE_CHECK_H
#define PEAT_MACHINE_CHECK_H

#include <stdbool.h>

#include <peat/machine.h>

struct check {
	enum peat_check_state state;
	const char *remedy; /* static; NULL: none */
	char found[256];
};

struct check_row {
	const char *name; /* NULL: after the last row */
	void (*run)(struct check *check, int argument);
	int argument;
};

__attribute__((format(printf, 2, 3))) void check__pass(struct check *check, const char *found, ...);

/* The remedy may be NULL. */
__attribute__((format(printf, 4, 5))) void check__fail(struct check *check,
						       enum peat_check_state state,
						       const char *remedy, const char *found, ...);

/* The rows of each topic. */
extern const struct check_row capabilities__rows[];
extern const struct check_row restrictions__rows[];
extern const struct check_row kernel_files__rows[];
extern const struct check_row programs__rows[];
extern const struct check_row events__rows[];
extern const struct check_row limits__rows[];
extern const struct check_row namespaces__rows[];

#endif /* PEAT_MACHINE_CHECK_H */
