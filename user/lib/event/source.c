// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/source.c: the counts of a source, copied for other threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/source.h"

void source__open(struct peat_reader *reader)
{
	pthread_mutex_init(&reader->lock, NULL);
}

void source__close(struct peat_reader *reader)
{
	pthread_mutex_destroy(&reader->lock);
	free(reader->selection.of_cpus);
	free(reader->selection.published);
}

int source__count_selection(struct peat_reader *reader, uint32_t cpus)
{
	struct selection *selection = &reader->selection;

	selection->of_cpus = calloc(cpus, sizeof(*selection->of_cpus));
	selection->published = calloc(cpus, sizeof(*selection->published));
	if (!selection->of_cpus || !selection->published)
		return -ENOMEM;
	selection->cpus = cpus;
	return 0;
}

static void publish_selection(struct selection *selection)
{
	if (selection->cpus)
		memcpy(selection->published, selection->of_cpus,
		       selection->cpus * sizeof(*selection->of_cpus));
}

void source__publish(struct peat_reader *reader)
{
	pthread_mutex_lock(&reader->lock);
	reader->published = reader->stats;
	reader->ops->count(reader, &reader->published);
	publish_selection(&reader->selection);
	if (reader->ops->publish)
		reader->ops->publish(reader);
	pthread_mutex_unlock(&reader->lock);
}
