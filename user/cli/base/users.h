/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_USERS_H
#define CLI_USERS_H

#include <stdint.h>

/*
 * users.h: the users of this machine: those of glibc's name services, or, in a static executable,
 * which cannot load these, those of /etc/passwd.
 */

/* 0; -ESRCH: no such user; in a static executable: the error of opening /etc/passwd. */
int users__find(const char *name, uint32_t *uid);

/* Calls `add` with each name. */
void users__list(void (*add)(void *arg, const char *name), void *arg);

#endif /* CLI_USERS_H */
