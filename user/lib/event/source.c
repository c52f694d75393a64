// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/source.c: the counts of a source, copied for other threads. */
#include "event/source.h"

void source__open(struct peat_reader *reader)
{
	pthread_mutex_init(&reader->lock, NULL);
}

void source__close(struct peat_reader *reader)
{
	pthread_mutex_destroy(&reader->lock);
}

void source__publish(struct peat_reader *reader)
{
	pthread_mutex_lock(&reader->lock);
	reader->published = reader->stats;
	reader->ops->count(reader, &reader->published);
	if (reader->ops->publish)
		reader->ops->publish(reader);
	pthread_mutex_unlock(&reader->lock);
}
