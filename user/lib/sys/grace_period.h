/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef GRACE_H
#define GRACE_H

/*
 * Waits until every BPF program that runs at the time of the call has ended; sleepable programs are
 * not waited for.  Takes some milliseconds.  0 or a negative errno.
 */
int grace__wait(void);

#endif /* GRACE_H */
