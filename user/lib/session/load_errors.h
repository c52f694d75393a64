/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/load_errors.h: why an object or a program could not be loaded, and what to do. */
#ifndef PEAT_SESSION_LOAD_ERRORS_H
#define PEAT_SESSION_LOAD_ERRORS_H

#include <stdbool.h>

struct bpf_program;
struct load_failure;
struct part;

/* Logs the reason, and returns it: `err`, or the errno of a limit that libbpf did not report. */
int load_errors__log(const struct part *part, struct load_failure *failure, int err);

/* Whether RLIMIT_NOFILE has no room for the maps and programs, or none was left: -EMFILE. */
bool load_errors__lack_files(const struct part *part, int err);

/* Whether no program could be loaded for this reason: a limit, a missing capability or BTF. */
bool load_errors__concern_all(const struct part *part, const struct load_failure *failure, int err);

/* Warns that a program is left out. */
void load_errors__log_left_out(const struct part *part, const struct bpf_program *program,
			       struct load_failure *failure, int err);

#endif /* PEAT_SESSION_LOAD_ERRORS_H */
