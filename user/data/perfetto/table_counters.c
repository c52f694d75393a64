// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/table_counters.c: rows of tables as counters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sip_hash.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "perfetto/table_counters.h"
#include "perfetto/packets.h"

struct counter {
	struct hash_link link;
	uint64_t track, round; /* the round of its last row */
	bool is_zero;
	char name[];
};

/* ---- tracks ---------------------------------------------------------------------------------- */

/* "exec ls: count"; without a key "exec: count". */
static void print_name(struct strbuf *out, const char *table, const struct peat_rows *rows,
		       size_t row, uint32_t column)
{
	strbuf__cut(out, 0);
	strbuf__text(out, table);
	for (uint32_t i = 0; i < rows->keys; i++) {
		if (i && rows->rows[row].others)
			break;
		strbuf__char(out, ' ');
		rows__append(out, rows, row, i);
	}
	strbuf__text(out, ": ");
	strbuf__text(out, rows->columns[column]->name);
	strbuf__char(out, 0);
}

static struct counter *find_counter(const struct table_counters *counters, uint64_t code)
{
	struct hash_link *link = hash__first(&counters->by_name, code);

	while (link && strcmp(HASH_ENTRY(link, struct counter, link)->name, counters->name.bytes))
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct counter, link) : NULL;
}

static struct counter *add_counter(struct table_counters *counters, uint64_t code)
{
	struct counter *counter = calloc(1, sizeof(*counter) + counters->name.count);

	if (!counter)
		return NULL;
	memcpy(counter->name, counters->name.bytes, counters->name.count);
	if (!hash__add(&counters->by_name, &counter->link, code))
		return counter;
	free(counter);
	return NULL;
}

static enum packet_unit unit_of(const struct peat_field *field)
{
	const char *unit = peat_field__unit(field);

	return !unit			? PACKET_COUNT
	       : !strcmp(unit, "ns")	? PACKET_NANOSECONDS
	       : !strcmp(unit, "bytes") ? PACKET_BYTES
					: PACKET_COUNT;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The counter that counters->name names.  NULL and *err: -ENOMEM; 0: there are too many. */
static struct counter *take_counter(struct table_counters *counters, struct tracks *tracks,
				    struct strbuf *out, const struct peat_field *field, int *err)
{
	uint64_t code = sip_hash__key(counters->name.bytes, counters->name.count);
	struct counter *counter = find_counter(counters, code);

	*err = 0;
	if (counter)
		return counter;
	if (counters->by_name.count >= COUNTERS_MOST) {
		counters->left_out++;
		return NULL;
	}
	counter = add_counter(counters, code);
	if (!counter) {
		*err = -ENOMEM;
		return NULL;
	}
	counter->track = tracks__counter(tracks, out, counter->name, unit_of(field));
	return counter;
}

/* False: the column is no number. */
static bool put_number(struct strbuf *out, const struct peat_field *field, const struct row *row,
		       uint64_t track, uint64_t time_ns, bool *is_zero)
{
	uint64_t number;
	double real;

	if (peat_field__number(field, row->data, row->bytes, &number)) {
		if (number > INT64_MAX && !field->is_signed)
			number = INT64_MAX;
		packet__counter(out, time_ns, track, (int64_t)number);
		*is_zero = !number;
		return true;
	}
	if (peat_field__class(field) != PEAT_CLASS_FLOAT ||
	    !field_text__float(field, row->data, row->bytes, &real))
		return false;
	packet__real_counter(out, time_ns, track, real);
	*is_zero = false;
	return true;
}

static bool is_number(const struct peat_field *field)
{
	return fields__is_number(field) || peat_field__class(field) == PEAT_CLASS_FLOAT;
}

static int append_number(struct table_counters *counters, struct tracks *tracks, struct strbuf *out,
			 const struct row *row, const struct peat_field *field, uint64_t time_ns)
{
	struct counter *counter;
	int err = 0;

	if (counters->name.failed)
		return -ENOMEM;
	counter = take_counter(counters, tracks, out, field, &err);
	if (counter && put_number(out, field, row, counter->track, time_ns, &counter->is_zero))
		counter->round = counters->round;
	return err;
}

/* Histograms are arrays, and no counters. */
static int append_row(struct table_counters *counters, struct tracks *tracks, struct strbuf *out,
		      const char *name, const struct peat_rows *rows, size_t row, uint64_t time_ns)
{
	int err = 0;

	for (uint32_t i = rows->keys; !err && i < rows->column_count; i++) {
		if (!is_number(rows->columns[i]))
			continue;
		print_name(&counters->name, name, rows, row, i);
		err = append_number(counters, tracks, out, &rows->rows[row], rows->columns[i],
				    time_ns);
	}
	return err;
}

/* Those without a number in the last round. */
static void append_zeros(struct table_counters *counters, struct strbuf *out, uint64_t time_ns)
{
	for_each_entry (&counters->by_name, link) {
		struct counter *counter = HASH_ENTRY(link, struct counter, link);

		if (counter->round == counters->round || counter->is_zero)
			continue;
		packet__counter(out, time_ns, counter->track, 0);
		counter->is_zero = true;
	}
}

int table_counters__append(struct table_counters *counters, struct tracks *tracks,
			   struct strbuf *out, const char *name, const struct peat_rows *rows,
			   uint64_t from_ns, uint64_t to_ns)
{
	int err = 0;

	counters->round++;
	counters->end_ns = to_ns;
	for (size_t i = 0; !err && i < rows->count; i++)
		err = append_row(counters, tracks, out, name, rows, i, from_ns);
	append_zeros(counters, out, from_ns);
	return err;
}

void table_counters__end(struct table_counters *counters, struct strbuf *out)
{
	counters->round++;
	append_zeros(counters, out, counters->end_ns);
}

void table_counters__free(struct table_counters *counters)
{
	for_each_entry (&counters->by_name, link)
		free(HASH_ENTRY(link, struct counter, link));
	hash__free(&counters->by_name);
	strbuf__free(&counters->name);
}
