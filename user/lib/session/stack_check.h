/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_STACK_CHECK_H
#define PEAT_SESSION_STACK_CHECK_H

#include <peat/session.h>

/* 0, or -EINVAL: stacks are requested, but no program of the session can take them; logged. */
int stack_check__session(const struct peat_session *session);

#endif /* PEAT_SESSION_STACK_CHECK_H */
