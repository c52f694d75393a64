/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/endpoint.h: the URLs of log records and metrics. */
#ifndef PEAT_OTLP_ENDPOINT_H
#define PEAT_OTLP_ENDPOINT_H

#include "otlp/config.h"

/*
 * Makes the URL of each signal, by the rule of OTEL_EXPORTER_OTLP_ENDPOINT: "/v1/logs" and
 * "/v1/metrics" follow the path.  If the path ends in one of them, it is replaced.  The caller
 * frees the URLs, also after an error.
 *
 * 0; -EINVAL: `why` has the reason; -ENOMEM.
 */
int otlp_endpoint__urls(const char *endpoint, char *urls[OTLP_SIGNALS], const char **why);

#endif /* PEAT_OTLP_ENDPOINT_H */
