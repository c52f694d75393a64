/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/samples.h: samples that the kernel took itself (peat/sampling.h).  They are recorded as
 * the kernel wrote them, with the id of their event in the recording: the kernel's ids differ by
 * CPU and task, and change when a CPU returns.
 */
#ifndef PEAT_RECORDER_SAMPLES_H
#define PEAT_RECORDER_SAMPLES_H

#include <peat/record.h>

#include "base/strbuf.h"
#include "recorder/event_formats.h"

struct perf_event_header;

/*
 * Appends a sample, whose first field is IDENTIFIER.  0; -EBADMSG: it has no such field; -ENOMEM:
 * nothing was appended.
 */
int samples__append(struct strbuf *out, uint64_t id, const struct perf_event_header *sample);

/* Sets the event's id in a THROTTLE or UNTHROTTLE.  `type`: peat_event.type. */
void samples__set_throttled(const struct event_formats *formats, uint32_t type,
			    struct peat_record *record);

/* Adds the event of a sampled type, with the attr as it was opened.  0 or a negative errno. */
int samples__add_event(struct perf_writer *writer, const struct reader_type *type, uint64_t id);

/* Whether tasks that run already can be sampled, so that their mappings are needed. */
bool samples__need_mappings(const struct event_formats *formats);

#endif /* PEAT_RECORDER_SAMPLES_H */
