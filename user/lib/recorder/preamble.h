/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_start.h: what a recording of live events begins with. */
#ifndef PERF_START_H
#define PERF_START_H

#include <peat/sink.h>

#include "recorder/event_formats.h"

/* The machine, the command line, and the BTF that types come from.  0 or a negative errno. */
int perf_start__features(struct perf_writer *writer, const struct peat_reader *reader,
			 const char *const *args);

/*
 * Appends records of whose ids are whose, of the tasks that run already, with their names, and of
 * where the kernel's code is, for symbols.  0 or a negative errno.
 */
int perf_start__records(struct out *out, const struct perf_formats *formats);

#endif /* PERF_START_H */
