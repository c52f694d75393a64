/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/return_values.h: programs that return 0 would hide events from other users.
 *
 * The kernel runs the programs of a tracepoint for all users of its event.  If one returns a value
 * with bit 0 clear, perf and all other users of that tracepoint on the machine miss the event
 * (trace_call_bpf(), Linux 4.7 to 7.2).
 */
#ifndef PEAT_SESSION_RETURN_VALUES_H
#define PEAT_SESSION_RETURN_VALUES_H

struct part;

/* Before the load: such programs return 1 instead of 0, wherever the constant is only returned. */
int return_values__mend(const struct part *part);

/* After the load: warns about programs that still return 0 on some path. */
int return_values__check(const struct part *part);

#endif /* PEAT_SESSION_RETURN_VALUES_H */
