// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/families.c: puts points together by metric and label set. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/sip_hash.h"
#include "prometheus/families.h"
#include "prometheus/names.h"

static void *new_zeroed(struct arena *memory, size_t bytes)
{
	void *at = arena__take(memory, bytes);

	return at ? memset(at, 0, bytes) : NULL;
}

static bool is_in_ns(const struct peat_point *point)
{
	return point->unit && !strcmp(point->unit, "ns");
}

static struct family *find_family(const struct families *families, uint64_t code)
{
	const struct strbuf *name = &families->text;
	struct hash_link *link = hash__first(&families->by_name, code);
	struct family *family;

	for (; link; link = hash__next(link)) {
		family = HASH_ENTRY(link, struct family, link);
		if (strlen(family->name) == name->count &&
		    !memcmp(family->name, name->bytes, name->count))
			return family;
	}
	return NULL;
}

/* Its name is in families->text. */
static struct family *add_family(struct families *families, uint64_t code,
				 const struct peat_point *point)
{
	struct family *family = new_zeroed(&families->memory, sizeof(*family));

	if (!family)
		return NULL;
	family->name = arena__copy(&families->memory, families->text.bytes, families->text.count);
	if (!family->name || hash__add(&families->by_name, &family->link, code))
		return NULL;
	family->suffix = names__unit(point->unit);
	family->doc = point->doc ?: point->name;
	family->kind = point->kind;
	family->is_ns = is_in_ns(point);
	family->end = &family->first;
	if (families->last)
		families->last->next = family;
	else
		families->first = family;
	families->last = family;
	return family;
}

/* NULL: no memory. */
static struct family *take_family(struct families *families, const struct peat_point *point)
{
	struct strbuf *name = &families->text;
	uint64_t code;

	strbuf__cut(name, 0);
	names__metric(name, point);
	if (name->failed)
		return NULL;
	code = sip_hash__key(name->bytes, name->count);
	return find_family(families, code) ?: add_family(families, code, point);
}

/* Stores the labels in families->text, and returns the hash of the series. */
static uint64_t write_labels(struct families *families, const struct family *family,
			     const struct peat_point *point, bool is_other)
{
	struct strbuf *text = &families->text;

	strbuf__cut(text, 0);
	names__labels(text, &families->used, point, is_other);
	/* Without labels, a buffer may have no memory yet. */
	strbuf__char(text, 0);
	if (text->failed)
		return 0;
	strbuf__cut(text, text->count - 1);
	return sip_hash__key(text->bytes, text->count) ^ family->link.code;
}

static struct series *find_series(const struct families *families, const struct family *family,
				  uint64_t code)
{
	const struct strbuf *text = &families->text;
	struct hash_link *link = hash__first(&families->by_labels, code);
	struct series *series;

	for (; link; link = hash__next(link)) {
		series = HASH_ENTRY(link, struct series, link);
		if (series->family == family && strlen(series->labels) == text->count &&
		    !memcmp(series->labels, text->bytes, text->count))
			return series;
	}
	return NULL;
}

static struct series *add_series(struct families *families, struct family *family, uint64_t code)
{
	const struct strbuf *text = &families->text;
	struct series *series = new_zeroed(&families->memory, sizeof(*series));

	if (!series)
		return NULL;
	series->family = family;
	series->labels = arena__copy(&families->memory, text->bytes, text->count);
	if (!series->labels || hash__add(&families->by_labels, &series->link, code))
		return NULL;
	*family->end = series;
	family->end = &series->next;
	return series;
}

/* Bytes of the lines of a series in an answer, about. */
static size_t answer_bytes(const struct families *families, const struct family *family,
			   const struct peat_point *point)
{
	size_t lines = point->kind == PEAT_POINT_HISTOGRAM ? point->bucket_count + 2u : 1;

	return lines * (strlen(family->name) + families->text.count + 48);
}

/* NULL: no memory. */
static struct series *take_series(struct families *families, struct family *family,
				  const struct peat_point *point, bool is_unlimited)
{
	uint64_t code = write_labels(families, family, point, false);

	if (!families->text.failed && !is_unlimited && point->label_count &&
	    !label_sets__admit(families->sets, code, answer_bytes(families, family, point))) {
		families->in_other++;
		code = write_labels(families, family, point, true);
	}
	if (families->text.failed)
		return NULL;
	return find_series(families, family, code) ?: add_series(families, family, code);
}

int families__add(struct families *families, const struct peat_point *point, bool is_unlimited)
{
	struct family *family = take_family(families, point);
	struct series *series;

	if (!family)
		return -ENOMEM;
	if (family->kind != point->kind || family->is_ns != is_in_ns(point)) {
		families->refused++;
		return 0;
	}
	series = take_series(families, family, point, is_unlimited);
	if (!series)
		return -ENOMEM;
	if (point->kind == PEAT_POINT_HISTOGRAM &&
	    !buckets__add(&families->memory, &series->buckets, point->buckets, point->bucket_count))
		return -ENOMEM;
	series->count += point->count;
	series->value += point->value;
	return 0;
}

void families__free(struct families *families)
{
	strbuf__free(&families->text);
	strbuf__free(&families->used);
	hash__free(&families->by_name);
	hash__free(&families->by_labels);
	arena__free(&families->memory);
}
