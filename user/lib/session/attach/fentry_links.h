/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/fentry_links.h: functions of the kernel by programs of fentry and fexit, if the
 * kernel has no kprobes.  Each program has one function, which is fixed when it is loaded.
 */
#ifndef PEAT_SESSION_ATTACH_FENTRY_LINKS_H
#define PEAT_SESSION_ATTACH_FENTRY_LINKS_H

#include <stdbool.h>

struct bpf_program;
struct function_probe;

/* Whether the kernel accepts such programs (Linux 5.17).  It is tried. */
bool fentry_links__are_supported(void);

/* Whether the source can be attached so: it has one function, and its plan needs no registers. */
bool fentry_links__accept(const struct function_probe *probe);

/* Before the load: chooses the function.  0 or a negative errno; the log has the reason. */
int fentry_links__set_target(struct bpf_program *program, const struct function_probe *probe);

#endif /* PEAT_SESSION_ATTACH_FENTRY_LINKS_H */
