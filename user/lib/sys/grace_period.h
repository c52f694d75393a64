/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_GRACE_PERIOD_H
#define PEAT_SYS_GRACE_PERIOD_H

/*
 * Waits until all BPF programs that run at the time of the call have ended, but for sleepable ones.
 * Takes some milliseconds.  0 or a negative errno.
 */
int grace_period__wait(void);

#endif /* PEAT_SYS_GRACE_PERIOD_H */
