/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/find_functions.h: finds what a source stands for. */
#ifndef PEAT_FUNCTIONS_FIND_FUNCTIONS_H
#define PEAT_FUNCTIONS_FIND_FUNCTIONS_H

#include "functions/found_functions.h"
#include "functions/source.h"

/*
 * `found` is zeroes before, and freed by the caller, also after an error.  `path`: the file of
 * functions of user space.  0; -E2BIG: more than `most`; or another negative errno.  Logged.
 */
int find_functions__run(struct found_functions *found, const struct function_source *source,
			const char *path, uint32_t most);

/* The same without a limit, and without messages. */
int find_functions__search(struct found_functions *found, const struct function_source *source,
			   const char *path);

#endif /* PEAT_FUNCTIONS_FIND_FUNCTIONS_H */
