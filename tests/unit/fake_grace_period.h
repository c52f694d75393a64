/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fake_grace_period.h: grace_period__wait() of the library, without programs and without the
 * privilege to wait for them: it calls `hook`, in which a test lets its program end.
 */
#ifndef TESTS_UNIT_FAKE_GRACE_PERIOD_H
#define TESTS_UNIT_FAKE_GRACE_PERIOD_H

/* NULL: nothing happens.  `result` is that of the wait. */
void fake_grace_period__set(void (*hook)(void), int result);

/* How often the library waited since. */
unsigned fake_grace_period__waits(void);

#endif /* TESTS_UNIT_FAKE_GRACE_PERIOD_H */
