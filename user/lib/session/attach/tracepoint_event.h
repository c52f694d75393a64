/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/tracepoint_event.h: perf events of tracepoints, to attach programs to. */
#ifndef PEAT_SESSION_ATTACH_TRACEPOINT_EVENT_H
#define PEAT_SESSION_ATTACH_TRACEPOINT_EVENT_H

/*
 * Opens the perf event of a tracepoint, CATEGORY/NAME, as libbpf does, which needs a mounted
 * tracefs. The file descriptor, or a negative errno: those of tracefs__read_id() and
 * perf_event_open(2).
 */
int tracepoint_event__open(const char *name);

#endif /* PEAT_SESSION_ATTACH_TRACEPOINT_EVENT_H */
