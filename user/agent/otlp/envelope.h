/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * otlp/envelope.h: the messages around log records and metrics, which have the same numbers:
 * Export...ServiceRequest, Resource..., Scope...
 */
#ifndef PEAT_OTLP_ENVELOPE_H
#define PEAT_OTLP_ENVELOPE_H

#include <peat/batch.h>

#include "protobuf/protobuf_write.h"

/* The field number of ScopeLogs.log_records and ScopeMetrics.metrics. */
#define OTLP_SCOPE_ENTRIES 2

struct otlp_envelope {
	struct protobuf_mark resource_entry, scope_entry;
};

/* `resource` is the encoded Resource. */
struct otlp_envelope otlp_envelope__begin(struct strbuf *out, const struct strbuf *resource,
					  const struct peat_batch *batch);
void otlp_envelope__end(struct strbuf *out, struct otlp_envelope envelope);

#endif /* PEAT_OTLP_ENVELOPE_H */
