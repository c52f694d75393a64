/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CAPS_H
#define CAPS_H

#include <stdbool.h>

/*
 * What stands behind an EPERM, for messages: "CAP_BPF and CAP_PERFMON are missing: ..." with the
 * remedy, or the other causes when this process has both.  The text is static.
 */
const char *caps__explain(void);

/* The same of programs that see packets, which need CAP_NET_ADMIN too. */
const char *caps__explain_network(void);

/* The same from what is known: which capabilities there are, and kernel.perf_event_paranoid. */
const char *caps__reason(bool bpf, bool perfmon, int paranoid);

/* Whether CAP_BPF or CAP_PERFMON is. */
bool caps__any_missing(void);

#endif /* CAPS_H */
