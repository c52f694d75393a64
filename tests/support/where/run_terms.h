/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TESTS_SUPPORT_WHERE_RUN_TERMS_H
#define TESTS_SUPPORT_WHERE_RUN_TERMS_H

#include "where/terms.h"

/*
 * Whether an event passes the terms of its type, as include/peat/select.bpf.h runs them.  In front
 * of `data` are the 16 bytes of its head with ids; `comm` is the name of the running task.
 */
bool run_terms(const struct where_terms *terms, uint32_t type, const void *data, uint32_t bytes,
	       const char *comm);

#endif /* TESTS_SUPPORT_WHERE_RUN_TERMS_H */
