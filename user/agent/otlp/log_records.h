/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * otlp/log_records.h: the events of a batch as an ExportLogsServiceRequest.
 *
 * The name of an event, "peat.exec" or "peat.lost", is in event_name (OTLP 1.5), as the semantic
 * conventions want it, and in the older attribute event.name.  Its fields are attributes: their
 * names have no dots, so they are never those of the conventions, such as process.pid.  There is no
 * body: it is for text that people wrote.
 */
#ifndef PEAT_OTLP_LOG_RECORDS_H
#define PEAT_OTLP_LOG_RECORDS_H

#include <peat/batch.h>

#include "base/strbuf.h"

/*
 * Appends the message.  `resource` is the encoded Resource, now_ns the time since 1970.  Returns
 * the number of log records: records of perf itself (PEAT_EVENT_TOOL) have none.
 */
uint64_t otlp_log_records__append(struct strbuf *out, const struct strbuf *resource,
				  const struct peat_batch *batch, uint64_t now_ns);

#endif /* PEAT_OTLP_LOG_RECORDS_H */
