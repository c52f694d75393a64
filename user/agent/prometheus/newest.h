/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/newest.h: the newest batch of each source.  Any thread may call these. */
#ifndef PEAT_PROMETHEUS_NEWEST_H
#define PEAT_PROMETHEUS_NEWEST_H

#include <pthread.h>

#include <peat/batch.h>

struct newest {
	pthread_mutex_t mutex;
	struct peat_batch **at; /* with a reference each */
	size_t count;
};

void newest__init(struct newest *newest);

/* Keeps the batch in place of the batch of its source.  0 or -ENOMEM. */
int newest__keep(struct newest *newest, struct peat_batch *batch);

/*
 * All batches, with references of the caller's, who gives them back by newest__release().  NULL: no
 * memory.
 */
struct peat_batch **newest__hold(struct newest *newest, size_t *count);
void newest__release(struct peat_batch **batches, size_t count);

void newest__free(struct newest *newest);

#endif /* PEAT_PROMETHEUS_NEWEST_H */
