// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/array.c: arrays that grow to twice their room. */
#include <stdlib.h>

#include "base/array.h"

void *array__grow(void *at, size_t count, size_t more, size_t *room, size_t most, size_t bytes)
{
	size_t grown = *room ? 2 * *room : ARRAY_LEAST;

	if (more > most - count)
		return NULL;
	if (grown < count + more)
		grown = count + more;
	if (grown > most)
		return NULL;
	at = reallocarray(at, grown, bytes);
	if (at)
		*room = grown;
	return at;
}
