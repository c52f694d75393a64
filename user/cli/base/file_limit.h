/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/file_limit.h: RLIMIT_NOFILE, whose default of 1024 is too low for many CPUs. */
#ifndef CLI_BASE_FILE_LIMIT_H
#define CLI_BASE_FILE_LIMIT_H

/*
 * Raises the soft limit to the hard limit.  If that fails, nothing is printed: the library reports
 * a limit that is too low.
 */
void file_limit__raise(void);

/* Restores the soft limit, for a command: select(2) cannot wait for files above 1023. */
void file_limit__restore(void);

#endif /* CLI_BASE_FILE_LIMIT_H */
