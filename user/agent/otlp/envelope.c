// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/envelope.c: appends the messages around log records and metrics. */
#include <peat/peat.h>

#include "otlp/attribute.h"
#include "otlp/envelope.h"

/* Field numbers: of the request; of ResourceLogs; of ScopeLogs; of InstrumentationScope. */
enum { RESOURCE_ENTRIES = 1 };
enum { RESOURCE = 1, SCOPE_ENTRIES = 2 };
enum { SCOPE = 1 };
enum { SCOPE_NAME = 1, SCOPE_VERSION = 2, SCOPE_ATTRIBUTES = 3 };

#define LENGTH_BYTES 3 /* of batches of 16 KiB to 2 MiB */

struct otlp_envelope otlp_envelope__begin(struct strbuf *out, const struct strbuf *resource,
					  const struct peat_batch *batch)
{
	struct otlp_envelope envelope;
	struct protobuf_mark scope;

	envelope.resource_entry = protobuf__begin(out, RESOURCE_ENTRIES, LENGTH_BYTES);
	protobuf__bytes(out, RESOURCE, resource->bytes, resource->count);
	envelope.scope_entry = protobuf__begin(out, SCOPE_ENTRIES, LENGTH_BYTES);
	scope = protobuf__begin(out, SCOPE, 1);
	protobuf__text(out, SCOPE_NAME, "peat");
	protobuf__text(out, SCOPE_VERSION, PEAT_VERSION);
	otlp_attribute__text(out, SCOPE_ATTRIBUTES, "peat.source", peat_batch__source(batch));
	protobuf__end(out, scope);
	return envelope;
}

void otlp_envelope__end(struct strbuf *out, struct otlp_envelope envelope)
{
	protobuf__end(out, envelope.scope_entry);
	protobuf__end(out, envelope.resource_entry);
}
