/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_RUN_TIMES_H
#define PEAT_SESSION_RUN_TIMES_H

/*
 * Lets the kernel measure all programs while a file descriptor is open, which is returned; or a
 * negative errno: -EPERM: without CAP_SYS_ADMIN.
 */
int run_times__enable(void);

#endif /* PEAT_SESSION_RUN_TIMES_H */
