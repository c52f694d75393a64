/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* journal/journal.h: the output "journal", which sends events as alerts to journald or syslog. */
#ifndef PEAT_JOURNAL_JOURNAL_H
#define PEAT_JOURNAL_JOURNAL_H

#include <peat/output.h>

extern const struct peat_output_ops journal_output;

#endif /* PEAT_JOURNAL_JOURNAL_H */
