/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PARTIAL_H
#define PARTIAL_H

#include <limits.h>

/*
 * partial.h: files that are written in part under another name, so that they replace an older file
 * only when they are whole.
 *
 * Functions return 0 or an exit status; errors have been printed.
 */

/*
 * Creates an empty file in the directory of `path`, and writes its name to `partial`.
 */
int partial__open(char partial[static PATH_MAX], const char *path);

/* Renames it to `path`, with the permissions of a new file. */
int partial__keep(const char *partial, const char *path);

#endif /* PARTIAL_H */
