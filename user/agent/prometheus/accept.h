/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/accept.h: the format that a client asks for.  Pure. */
#ifndef PEAT_PROMETHEUS_ACCEPT_H
#define PEAT_PROMETHEUS_ACCEPT_H

#include <stdbool.h>

/*
 * Whether a header "Accept:" (NULL: none) prefers OpenMetrics 1.0 to the text format.  If it likes
 * both as much: true, as the clients that know OpenMetrics name it first.
 */
bool accept__is_openmetrics(const char *header);

#endif /* PEAT_PROMETHEUS_ACCEPT_H */
