// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/newest.c: keeps the newest batch of each source. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "prometheus/newest.h"

void newest__init(struct newest *newest)
{
	memset(newest, 0, sizeof(*newest));
	pthread_mutex_init(&newest->mutex, NULL);
}

static size_t find_source(const struct newest *newest, const struct peat_batch *batch)
{
	const char *source = peat_batch__source(batch);
	size_t i = 0;

	while (i < newest->count && strcmp(peat_batch__source(newest->at[i]), source) != 0)
		i++;
	return i;
}

int newest__keep(struct newest *newest, struct peat_batch *batch)
{
	struct peat_batch *old = NULL;
	int err = 0;
	size_t i;

	pthread_mutex_lock(&newest->mutex);
	i = find_source(newest, batch);
	if (i == newest->count && !ARRAY_RESERVE_NEXT(newest->at, newest->count)) {
		err = -ENOMEM;
	} else {
		if (i == newest->count)
			newest->count++;
		else
			old = newest->at[i];
		newest->at[i] = peat_batch__ref(batch);
	}
	pthread_mutex_unlock(&newest->mutex);
	peat_batch__unref(old); /* may call a function of the source */
	return err;
}

struct peat_batch **newest__hold(struct newest *newest, size_t *count)
{
	struct peat_batch **batches;

	pthread_mutex_lock(&newest->mutex);
	*count = newest->count;
	batches = malloc((*count + 1) * sizeof(struct peat_batch *));
	for (size_t i = 0; batches && i < *count; i++)
		batches[i] = peat_batch__ref(newest->at[i]);
	pthread_mutex_unlock(&newest->mutex);
	return batches;
}

void newest__release(struct peat_batch **batches, size_t count)
{
	for (size_t i = 0; batches && i < count; i++)
		peat_batch__unref(batches[i]);
	free(batches);
}

void newest__free(struct newest *newest)
{
	newest__release(newest->at, newest->count);
	pthread_mutex_destroy(&newest->mutex);
}
