/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef REPORT_H
#define REPORT_H

#include <peat/peat.h>

/* On stderr: where the events went, each kind of loss with what helps against it. */
void report__ledger(const struct peat_reader *reader);

/* What each program cost, and how often the kernel left it out. */
void report__programs(const struct peat_session *session);

/* What the events of perf event arrays were taken for, and why. */
void report__arrays(const struct peat_session *session);

#endif /* REPORT_H */
