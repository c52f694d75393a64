// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/table_points.c: makes points of the rows of a table. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "pipeline/parts.h"

#define KEYS_MAX  16
#define TEXT_ROOM 256

/* A row, as its columns describe it. */
struct row {
	struct peat_table_row row;
	const struct peat_field *fields;
	uint32_t field_count, keys;
	struct peat_label labels[KEYS_MAX + 1];
	char texts[KEYS_MAX][TEXT_ROOM];
};

static const struct peat_field *find_column(const struct row *row, const char *name)
{
	uint32_t key = 0;

	for (uint32_t i = 0; i < row->field_count; i += row->fields[i].span, key++)
		if (key >= row->keys && !strcmp(row->fields[i].name, name))
			return &row->fields[i];
	return NULL;
}

static uint64_t number_of(const struct row *row, const char *name)
{
	const struct peat_field *field = find_column(row, name);
	uint64_t value = 0;

	return field && peat_field__number(field, row->row.data, row->row.size, &value) ? value : 0;
}

/* A longer key is cut: it may meet another one, and their points are of one name. */
static void set_labels(struct row *row, const char *source)
{
	const struct peat_field *field = row->fields;

	row->labels[0] = (struct peat_label){ "source", source };
	for (uint32_t i = 0; i < row->keys; i++, field += field->span) {
		if (row->row.others)
			snprintf(row->texts[i], TEXT_ROOM, "other");
		else
			peat_field__text(field, row->row.data, row->row.size, row->texts[i],
					 TEXT_ROOM);
		row->labels[i + 1] = (struct peat_label){ field->name, row->texts[i] };
	}
}

/* ---- points ---------------------------------------------------------------------------------- */

static struct peat_point point_of(const struct pipeline *pipeline, const struct row *row,
				  enum peat_point_kind kind, const char *name)
{
	return (struct peat_point){ .sz = sizeof(struct peat_point),
				    .kind = kind,
				    .name = name,
				    .unit = "{event}",
				    .doc = "events counted by their fields",
				    .labels = row->labels,
				    .label_count = row->keys + 1,
				    .start_ns = pipeline->start_ns,
				    .time_ns = pipeline__wall_ns() };
}

static void add_count(const struct pipeline *pipeline, const struct row *row,
		      struct peat_batch *batch)
{
	char name[128];
	struct peat_point point = point_of(pipeline, row, PEAT_POINT_COUNTER, name);

	snprintf(name, sizeof(name), "peat.%s", pipeline->name);
	point.count = number_of(row, "count");
	peat_batch__add_point(batch, &point);
}

/* The sum of a signed field can fall: then it is no counter. */
static void add_sum(const struct pipeline *pipeline, const struct row *row,
		    struct peat_batch *batch)
{
	const struct peat_field *field = find_column(row, "sum");
	char name[128];
	struct peat_point point = point_of(pipeline, row, PEAT_POINT_COUNTER, name);

	snprintf(name, sizeof(name), "peat.%s.%s.sum", pipeline->name, pipeline->config->sum);
	point.doc = "the sum of a field of the counted events";
	point.unit = peat_field__unit(field);
	if (point.unit && !strcmp(point.unit, "bytes"))
		point.unit = "By";
	point.count = number_of(row, "sum");
	if (field->is_signed) {
		point.kind = PEAT_POINT_GAUGE;
		point.value = (double)(int64_t)point.count;
	}
	peat_batch__add_point(batch, &point);
}

/* Slot i has the numbers from 2^i to 2^(i+1) - 1. */
static void add_histogram(struct pipeline *pipeline, const struct row *row,
			  struct peat_batch *batch)
{
	const struct peat_field *slots = find_column(row, "slots");
	bool has_negative = find_column(row, "negative");
	struct peat_bucket buckets[PEAT_TABLE_SLOTS + 2] = { { -1, number_of(row, "negative") } };
	struct peat_bucket *at = buckets + has_negative;
	char name[128];
	const char *unit = peat_table__unit(pipeline->source->table);
	struct peat_point point = point_of(pipeline, row, PEAT_POINT_HISTOGRAM, name);
	uint64_t counts[PEAT_TABLE_SLOTS];

	if (!slots || slots->offset + sizeof(counts) > row->row.size)
		return;
	memcpy(counts, (const char *)row->row.data + slots->offset, sizeof(counts));
	for (uint32_t i = pipeline->slots; i < PEAT_TABLE_SLOTS; i++)
		pipeline->slots = counts[i] ? i + 1 : pipeline->slots;
	for (uint32_t i = 0; i < pipeline->slots; i++)
		*at++ = (struct peat_bucket){ ldexp(1, (int)i + 1) - 1, counts[i] };
	*at++ = (struct peat_bucket){ INFINITY, 0 };
	snprintf(name, sizeof(name), "peat.%s.%s", pipeline->name, pipeline->config->hist);
	point.doc = "numbers of a field of the counted events";
	point.unit = !unit ? NULL : !strcmp(unit, "bytes") ? "By" : unit;
	point.value = NAN;
	point.buckets = buckets;
	point.bucket_count = (uint32_t)(at - buckets);
	for (uint32_t i = 0; i < point.bucket_count; i++)
		point.count += buckets[i].count;
	peat_batch__add_point(batch, &point);
}

static void add_row(struct pipeline *pipeline, struct row *row, struct peat_batch *batch)
{
	set_labels(row, pipeline->name);
	if (pipeline->config->hist) {
		add_histogram(pipeline, row, batch);
		return;
	}
	add_count(pipeline, row, batch);
	if (pipeline->config->sum)
		add_sum(pipeline, row, batch);
}

void table_points__add(struct pipeline *pipeline, struct peat_batch *batch)
{
	struct peat_table *table = pipeline->source->table;
	struct row row = { .row.sz = sizeof(row.row) };
	const struct peat_schema *schema;
	int err = peat_table__read(table);

	if (err < 0) {
		log__warn("pipeline %s: cannot read its table: %s", pipeline->name, strerror(-err));
		return;
	}
	schema = err ? peat_table__schema(table) : NULL;
	if (!schema)
		return;
	row.fields = peat_schema__fields(schema, &row.field_count);
	row.keys = peat_table__keys(table);
	while (peat_table__next(table, &row.row) > 0)
		add_row(pipeline, &row, batch);
}
