/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* journal/entry.h: messages as journald and syslog receive them.  Pure. */
#ifndef PEAT_JOURNAL_ENTRY_H
#define PEAT_JOURNAL_ENTRY_H

#include <time.h>

#include "base/strbuf.h"

#define ENTRY_IDENTIFIER "peat-agent"

/* Appends a field of journald's native protocol.  `name` is valid there: [A-Z][A-Z0-9_]*. */
void entry__field(struct strbuf *out, const char *name, const char *value, size_t bytes);

/* Appends the fields that all entries have. */
void entry__begin(struct strbuf *out, int priority, const char *message, size_t bytes);

/*
 * Appends a message of syslog (RFC 3164): only its first line, and at most 8,000 bytes of it, which
 * then end in "...".
 */
void entry__syslog(struct strbuf *out, int priority, const struct tm *now, int pid,
		   const char *message, size_t bytes);

#endif /* PEAT_JOURNAL_ENTRY_H */
