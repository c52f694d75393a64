/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/sampled_programs.h: programs that run at samples of perf events:
 * SEC("perf_event"). */
#ifndef PEAT_SESSION_ATTACH_SAMPLED_PROGRAMS_H
#define PEAT_SESSION_ATTACH_SAMPLED_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_program;
struct part;
struct peat_session;

/* Whether the program runs at samples of a perf event. */
bool sampled_programs__accepts(const struct bpf_program *program);

/*
 * Attaches a loaded program to the event that its object states by PEAT_SAMPLED(), on each CPU.  0
 * or a negative errno; `why`, of `room` bytes, gets the cause and the remedy.
 */
int sampled_programs__attach(struct peat_session *session, const struct part *part,
			     const struct bpf_program *program, char *why, size_t room);

#endif /* PEAT_SESSION_ATTACH_SAMPLED_PROGRAMS_H */
