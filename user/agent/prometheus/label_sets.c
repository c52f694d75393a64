// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/label_sets.c: limits the number of label sets. */
#include <stdlib.h>

#include "prometheus/label_sets.h"

bool label_sets__admit(struct label_sets *sets, uint64_t code, size_t bytes)
{
	struct hash_link *link;

	if (hash__first(&sets->admitted, code))
		return true;
	if (sets->admitted.count >= sets->most || bytes > sets->most_bytes - sets->bytes)
		return false;
	link = malloc(sizeof(*link));
	if (!link || hash__add(&sets->admitted, link, code)) {
		free(link);
		return false;
	}
	sets->bytes += bytes;
	return true;
}

void label_sets__free(struct label_sets *sets)
{
	for_each_entry (&sets->admitted, link)
		free(link);
	hash__free(&sets->admitted);
}
