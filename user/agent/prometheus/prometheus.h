/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * prometheus/prometheus.h: the output "prometheus", which answers scrapes with the newest points of
 * each source.  Without libmicrohttpd it is not built in.
 */
#ifndef PEAT_PROMETHEUS_PROMETHEUS_H
#define PEAT_PROMETHEUS_PROMETHEUS_H

#include <peat/output.h>

extern const struct peat_output_ops prometheus_output;

#endif /* PEAT_PROMETHEUS_PROMETHEUS_H */
