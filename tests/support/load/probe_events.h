/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * probe_events.h: a child that causes events of most probes, and sessions of probes.  Needs a
 * network namespace (netns.h) and a scratch directory (scratch.h).
 */
#ifndef TESTS_SUPPORT_LOAD_PROBE_EVENTS_H
#define TESTS_SUPPORT_LOAD_PROBE_EVENTS_H

#include <peat/session.h>

/* The name of all tasks that cause events: tests that run meanwhile have other ones. */
const char *probe_events__name(void);

/* The child.  It uses "SSL" functions of this program. */
void probe_events__start(void);
void probe_events__end(void);

/* Causes all events, and returns after most of them. */
void probe_events__request(void);

/* Sets options of a probe: "min=0,waits,library=/lib/x". */
void probe_events__set_options(struct peat_session *session, char *options);

#endif /* TESTS_SUPPORT_LOAD_PROBE_EVENTS_H */
