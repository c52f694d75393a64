// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/string_counts.c: a hash table of strings, each with a count. */
#include <stdlib.h>
#include <string.h>

#include "base/sip_hash.h"
#include "base/string_counts.h"

static struct string_count *find_string(const struct string_counts *counts, uint64_t code,
					const char *text, size_t bytes)
{
	struct hash_link *link = hash__first(&counts->by_text, code);

	for (; link; link = hash__next(link)) {
		struct string_count *one = HASH_ENTRY(link, struct string_count, link);

		if (one->bytes == bytes && !memcmp(one->text, text, bytes))
			return one;
	}
	return NULL;
}

static struct string_count *new_one(const char *text, size_t bytes)
{
	struct string_count *one = malloc(sizeof(*one) + bytes + 1);

	if (!one)
		return NULL;
	*one = (struct string_count){ .bytes = bytes };
	memcpy(one->text, text, bytes);
	one->text[bytes] = '\0';
	return one;
}

struct string_count *string_counts__add(struct string_counts *counts, const char *text,
					size_t bytes)
{
	uint64_t code = sip_hash__key(text, bytes);
	struct string_count *one = find_string(counts, code, text, bytes);

	if (one)
		return one;
	one = new_one(text, bytes);
	if (one && hash__add(&counts->by_text, &one->link, code)) {
		free(one);
		return NULL;
	}
	return one;
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
	const struct string_count **sorted = calloc(counts->by_text.count + 1, sizeof(*sorted));
	size_t count = 0;

	if (!sorted)
		return NULL;
	for_each_entry (&counts->by_text, link)
		sorted[count++] = HASH_ENTRY(link, struct string_count, link);
	if (count)
		qsort(sorted, count, sizeof(*sorted), by_bytes);
	return sorted;
}

void string_counts__free(struct string_counts *counts)
{
	for_each_entry (&counts->by_text, link)
		free(HASH_ENTRY(link, struct string_count, link));
	hash__free(&counts->by_text);
}
