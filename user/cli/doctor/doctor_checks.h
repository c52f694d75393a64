/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* doctor_checks.h: the checks of this machine, kept, as text and JSON. */
#ifndef CLI_DOCTOR_CHECKS_H
#define CLI_DOCTOR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include <peat/peat.h>

#define DOCTOR_CHECKS 64

struct doctor_checks {
	struct peat_check at[DOCTOR_CHECKS]; /* owned: `found` and `remedy` */
	size_t count;
};

/* Runs all.  0, or an exit status after printing the error. */
int doctor_checks__run(struct doctor_checks *checks);
void doctor_checks__free(struct doctor_checks *checks);

/* Whether a check has failed that most sources need. */
bool doctor_checks__any_missing(const struct doctor_checks *checks);

/*
 * Whether check `i` explains why a source did not start: it has failed, and the messages contain
 * its name; or they name no failed check, and it is missing.
 */
bool doctor_checks__explains(const struct doctor_checks *checks, size_t i, const char *messages);

void doctor_checks__print(const struct doctor_checks *checks);
void doctor_checks__print_json(const struct doctor_checks *checks);

#endif /* CLI_DOCTOR_CHECKS_H */
