// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/adopted_rings.c: the rings of other programs that this process reads. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "channel/adopted_rings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct adopted_ring *first;

int adopted_rings__add(struct adopted_ring *ring, uint32_t id)
{
	const struct adopted_ring *other;

	pthread_mutex_lock(&lock);
	for (other = first; other && other->id != id;)
		other = other->next;
	if (!other) {
		*ring = (struct adopted_ring){ .id = id, .next = first };
		first = ring;
	}
	pthread_mutex_unlock(&lock);
	return other ? -EBUSY : 0;
}

void adopted_rings__remove(struct adopted_ring *ring)
{
	struct adopted_ring **link = &first;

	if (!ring->id)
		return;
	pthread_mutex_lock(&lock);
	while (*link && *link != ring)
		link = &(*link)->next;
	if (*link)
		*link = ring->next;
	pthread_mutex_unlock(&lock);
	ring->id = 0;
}
