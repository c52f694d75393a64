// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* outputs/outputs.c: finds outputs by their names. */
#include <string.h>

#include <peat/output.h>

#include "base/errors.h"
#include "file/file.h"
#include "jetstream/jetstream.h"
#include "journal/journal.h"
#include "otlp/otlp.h"
#include "prometheus/prometheus.h"

static const struct peat_output_ops *const outputs[] = {
	&file_output,
#ifdef HAVE_NATS
	&jetstream_output,
#endif
	&journal_output,
#ifdef HAVE_CURL
	&otlp_output,
#endif
#ifdef HAVE_MICROHTTPD
	&prometheus_output,
#endif
	NULL,
};

const struct peat_output_ops *peat_output__find(const char *name)
{
	for (size_t i = 0; outputs[i]; i++)
		if (!strcmp(outputs[i]->name, name))
			return outputs[i];
	return fail_null(-ENOENT);
}
