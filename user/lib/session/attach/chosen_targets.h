/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/chosen_targets.h: targets that the user chose for programs, instead of those that
 * sections name: peat_session__attach_to().
 */
#ifndef PEAT_SESSION_ATTACH_CHOSEN_TARGETS_H
#define PEAT_SESSION_ATTACH_CHOSEN_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_link;
struct bpf_object;
struct bpf_program;
struct peat_session;

/* Whether peat_session__attach_to() can choose a target for the program. */
bool chosen_targets__accepts(const struct bpf_program *program);

/*
 * Sets the targets that the kernel has to know at the load, such as those of fentry, chosen for
 * programs of `from`, in `to`: the same object, or a copy of it.  0, or a negative errno, logged.
 */
int chosen_targets__bind(const struct peat_session *session, const struct bpf_object *from,
			 const struct bpf_object *to);

/*
 * The section that the program would have with its chosen target `i`: "uprobe/FILE:FUNCTION",
 * "tracepoint/CATEGORY/NAME".  NULL: it has no such target.
 */
const char *chosen_targets__section(const struct peat_session *session,
				    const struct bpf_program *program, size_t i);

/* Attaches a loaded program, other than of a tracepoint, as the section says.  NULL and errno. */
struct bpf_link *chosen_targets__attach(const struct bpf_program *program, const char *section);

void chosen_targets__free(struct peat_session *session);

#endif /* PEAT_SESSION_ATTACH_CHOSEN_TARGETS_H */
