/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/return_values.h: programs that return 0 would hide events from other users.
 *
 * The kernel runs the programs of a tracepoint for all users of its event.  If one returns a value
 * with bit 0 clear, perf and all other users of that tracepoint on the machine miss the event
 * (trace_call_bpf(), Linux 4.7 to 7.2).
 */
#ifndef PEAT_SESSION_ATTACH_RETURN_VALUES_H
#define PEAT_SESSION_ATTACH_RETURN_VALUES_H

struct bpf_program;
struct part;

/* Before the load: such programs return 1 instead of 0, wherever the constant is only returned. */
int return_values__mend(const struct part *part);

/* After the load: warns about programs that still return 0 on some path. */
int return_values__check(const struct part *part);

/* Before the load: the program returns 0, whatever it computes.  0, or -E2BIG: it is too large. */
int return_values__make_zero(struct bpf_program *program);

#endif /* PEAT_SESSION_ATTACH_RETURN_VALUES_H */
