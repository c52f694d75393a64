/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/trials.h: loads copies of an object, to find the programs that the kernel refuses. */
#ifndef PEAT_SESSION_TRIALS_H
#define PEAT_SESSION_TRIALS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_object;
struct bpf_program;
struct load_failure;
struct part;
struct peat_session;

/* Whether a program is tried. */
typedef bool (*trial_filter)(const struct bpf_object *object, const struct bpf_program *program);

/* All trials of an object share maps, since large ones take long to be created. */
struct trials {
	const struct peat_session *session;
	const struct part *part;
	trial_filter accepts;
	struct bpf_object *maps; /* loaded without programs; NULL: each trial creates the maps */
	size_t most;		 /* programs of a trial */
	const struct bpf_program *last; /* that the trial has; NULL: the last one of the object */
};

/*
 * `accepts` NULL: all programs.  Programs that a filter accepts are expected to fail on some
 * kernels.
 */
void trials__begin(struct trials *trials, const struct peat_session *session,
		   const struct part *part, trial_filter accepts);
void trials__end(struct trials *trials);

/* Whether one of the programs after `from` is tried; NULL: of all. */
bool trials__any(const struct trials *trials, const struct bpf_program *from);

/*
 * Loads a copy with the programs after `from` that are not left out, NULL: from the first on; at
 * most trials->most, up to trials->last.  0, or the error of libbpf; -ECANCELED:
 * peat_session__cancel() was called.
 */
int trials__load(struct trials *trials, const struct bpf_program *from,
		 struct load_failure *failure);

/*
 * Loads a copy with one program, so that libbpf logs all steps of the verifier, and replaces
 * `failure`.
 */
void trials__log_steps(const struct trials *trials, struct load_failure *failure);

#endif /* PEAT_SESSION_TRIALS_H */
