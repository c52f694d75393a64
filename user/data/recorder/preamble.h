/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorder/preamble.h: the features and records at the start of a recording of live events. */
#ifndef PEAT_RECORDER_PREAMBLE_H
#define PEAT_RECORDER_PREAMBLE_H

#include <peat/sink.h>

#include "recorder/event_formats.h"

/* Adds the machine, the command line, and the BTF of the event types.  0 or a negative errno. */
int preamble__features(struct perf_writer *writer, const struct peat_reader *reader,
		       const char *const *args);

/*
 * Appends records for the event of each id, the name of each running task, and the address of the
 * kernel's code, which symbols need.  0 or a negative errno.
 */
int preamble__records(struct strbuf *out, const struct event_formats *formats);

/* If events have an ifindex, appends the names of all interfaces.  0 or a negative errno. */
int preamble__interfaces(struct strbuf *out, struct peat_reader *reader);

#endif /* PEAT_RECORDER_PREAMBLE_H */
