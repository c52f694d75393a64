/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/load_errors.h: why an object or a program could not be loaded, and what to do. */
#ifndef PEAT_SESSION_LOAD_ERRORS_H
#define PEAT_SESSION_LOAD_ERRORS_H

#include <stdbool.h>

struct bpf_map;
struct bpf_program;
struct load_failure;
struct part;

/* Logs the reason, and returns it: `err`, or the errno of a limit that libbpf did not report. */
int load_errors__log(const struct part *part, struct load_failure *failure, int err);

/* Whether RLIMIT_NOFILE has no room for the maps and programs, or none was left: -EMFILE. */
bool load_errors__lack_files(const struct part *part, int err);

/* The remedy if this kernel has no BTF.  `given` is the file that is used instead, or NULL. */
const char *load_errors__btf_remedy(const char *given);

/*
 * Replaces a number in the reason, and names the type or member that the program reads and the file
 * `given`, or this kernel without a file, does not have.
 */
void load_errors__explain_reason(const char *given, struct load_failure *failure, int err);

/* Whether no program could be loaded for this reason: a limit, a missing capability or BTF. */
bool load_errors__concern_all(const struct part *part, const struct load_failure *failure, int err);

/* Logs that a program is left out: a warning, unless the others work without it. */
void load_errors__log_left_out(const struct part *part, const struct bpf_program *program,
			       struct load_failure *failure, int err);

/* Logs that a map is left out, which the kernel does not have: a warning. */
void load_errors__log_left_out_map(const struct part *part, const struct bpf_map *map, int err);

#endif /* PEAT_SESSION_LOAD_ERRORS_H */
