// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/string_counts.c: a hash table of strings, each with a count. */
#include <stdlib.h>
#include <string.h>

#include "base/sip_hash.h"
#include "base/string_counts.h"

#define SLOTS_LEAST 64

/* The slot of the string, or the free slot for it. */
static struct string_count **slot_of(const struct string_counts *counts, uint64_t hash,
				     const char *text, size_t bytes)
{
	size_t mask = counts->slots_count - 1, at = (size_t)hash & mask;
	const struct string_count *one;

	while ((one = counts->slots[at]) &&
	       (one->hash != hash || one->bytes != bytes || memcmp(one->text, text, bytes) != 0))
		at = (at + 1) & mask;
	return &counts->slots[at];
}

static int grow_slots(struct string_counts *counts)
{
	struct string_counts grown = { .slots_count = 2 * counts->slots_count };

	if (!grown.slots_count)
		grown.slots_count = SLOTS_LEAST;
	grown.slots = calloc(grown.slots_count, sizeof(struct string_count *));
	if (!grown.slots)
		return -1;
	for (size_t i = 0; i < counts->slots_count; i++) {
		struct string_count *one = counts->slots[i];

		if (one)
			*slot_of(&grown, one->hash, one->text, one->bytes) = one;
	}
	grown.count = counts->count;
	free(counts->slots);
	*counts = grown;
	return 0;
}

static struct string_count *new_one(uint64_t hash, const char *text, size_t bytes)
{
	struct string_count *one = malloc(sizeof(*one) + bytes + 1);

	if (!one)
		return NULL;
	*one = (struct string_count){ .hash = hash, .bytes = bytes };
	memcpy(one->text, text, bytes);
	one->text[bytes] = '\0';
	return one;
}

struct string_count *string_counts__add(struct string_counts *counts, const char *text,
					size_t bytes)
{
	uint64_t hash = sip_hash__key(text, bytes);
	struct string_count **slot;

	if (4 * counts->count >= 3 * counts->slots_count && grow_slots(counts))
		return NULL;
	slot = slot_of(counts, hash, text, bytes);
	if (*slot)
		return *slot;
	*slot = new_one(hash, text, bytes);
	counts->count += *slot != NULL;
	return *slot;
}

static int by_bytes(const void *a, const void *b)
{
	const struct string_count *one = *(struct string_count *const *)a;
	const struct string_count *two = *(struct string_count *const *)b;
	size_t bytes = one->bytes < two->bytes ? one->bytes : two->bytes;
	int order = memcmp(one->text, two->text, bytes);

	return order ? order : (one->bytes > two->bytes) - (one->bytes < two->bytes);
}

const struct string_count **string_counts__sorted(const struct string_counts *counts)
{
	const struct string_count **sorted = calloc(counts->count + 1, sizeof(*sorted));
	size_t count = 0;

	if (!sorted)
		return NULL;
	for (size_t i = 0; i < counts->slots_count; i++)
		if (counts->slots[i])
			sorted[count++] = counts->slots[i];
	if (count)
		qsort(sorted, count, sizeof(*sorted), by_bytes);
	return sorted;
}

void string_counts__free(struct string_counts *counts)
{
	for (size_t i = 0; i < counts->slots_count; i++)
		free(counts->slots[i]);
	free(counts->slots);
	*counts = (struct string_counts){ 0 };
}
