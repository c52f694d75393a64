/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TESTS_SUPPORT_WHERE_RUN_TERMS_H
#define TESTS_SUPPORT_WHERE_RUN_TERMS_H

#include "where/terms.h"

/*
 * The result of the terms of an event's type, as include/peat/select.bpf.h runs them:
 * PEAT_TERM_PASS and so on.  Before `data` are the 16 bytes of the event's head with ids; the byte
 * after the end of a shorter event is set to 0.  `comm` is the name of the running task.
 */
uint32_t run_terms(const struct where_terms *terms, uint32_t type, void *data, uint32_t bytes,
		   const char *comm);

#endif /* TESTS_SUPPORT_WHERE_RUN_TERMS_H */
