/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/functions.h: sources of functions, and their files. */
#ifndef PEAT_SESSION_FUNCTIONS_H
#define PEAT_SESSION_FUNCTIONS_H

#include <limits.h>

struct function_source;
struct peat_session_opts;

/* As function_source__parse(), and logs what is wrong. */
int functions__parse(struct function_source *source, const char *text);

/*
 * Finds the file of functions of user space, as source_file__find(), and logs an error.  `path`
 * becomes "" for functions of the kernel.
 */
int functions__find_file(const struct function_source *source, const struct peat_session_opts *opts,
			 char path[PATH_MAX]);

#endif /* PEAT_SESSION_FUNCTIONS_H */
