/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_CAPS_H
#define PEAT_SYS_CAPS_H

#include <stdbool.h>

/*
 * Causes of an EPERM with their remedies, for messages.  All texts are static.
 *
 * "CAP_BPF and CAP_PERFMON are missing: ...", or other possible causes if this process has both.
 */
const char *caps__explain(void);

/* For tc and XDP programs, which need CAP_NET_ADMIN too. */
const char *caps__explain_network(void);

/* For perf events of uprobes, which need CAP_SYS_ADMIN on kernels with the mend of CVE-2025-38466.
 */
const char *caps__explain_uprobes(void);

/* For EACCES from tracefs, which belongs to root. */
const char *caps__explain_tracefs(void);

/* For rings that exceed the memory that may be locked. */
const char *caps__explain_memlock(void);

/* For BPF maps that are listed, or opened by id or name. */
const char *caps__explain_map_ids(void);

/* For hidden addresses in /proc/kallsyms. */
const char *caps__explain_kallsyms(void);

/* For perf events that count. */
const char *caps__explain_counters(void);

/* caps__explain() for these capabilities and this kernel.perf_event_paranoid. */
const char *caps__reason(bool bpf, bool perfmon, int paranoid);

/* Whether CAP_BPF or CAP_PERFMON is missing. */
bool caps__any_missing(void);

/*
 * Whether this process has a capability, such as CAP_SYSLOG.  CAP_SYS_ADMIN implies CAP_BPF and
 * CAP_PERFMON.
 */
bool caps__has(int capability);

/* Whether its capabilities are those of a user namespace, which BPF and perf events do not accept.
 */
bool caps__are_of_namespace(void);

/* Whether this process has CAP_SYS_ADMIN, without which no BTF of a kernel module can be read. */
bool caps__has_admin(void);

#endif /* PEAT_SYS_CAPS_H */
