// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tables/table.c: tables of events, and of rows of another origin.
 *
 *	event ─ keys.c ─▶ key ─ hash.c ─▶ counts ─ peat_table__read() ─▶ rows, sorted
 */
#include <stdlib.h>

#include "base/errors.h"
#include "base/fork_mark.h"
#include "base/log.h"
#include "base/opts.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "tables/hash.h"
#include "tables/key_counts.h"
#include "tables/keys.h"
#include "tables/options.h"
#include "tables/row_schema.h"
#include "tables/rows.h"
#include "tables/table.h"
#include "tables/types.h"

struct peat_table {
	struct table_functions functions; /* first */
	struct peat_table_opts opts;
	struct table_types types;
	struct table_numbers numbers;
	struct table_hash counts; /* struct key_counts by key */
	struct key_counts others; /* of keys above opts.max_rows; count is 0: there are none */
	bool ends_with_others;	  /* the rows that were read */
	size_t bytes_most;	  /* of keys; SIZE_MAX: no limit */
	struct strbuf key;	  /* of the event that is counted */
	bool warned;		  /* of a key that is too long */
	int (*collect)(void *source);
	void *source;
	const struct fork_mark *mark; /* of the only process that may collect; NULL: any process */
	bool is_read; /* since it was cleared: clearing must not collect counts that nobody saw */

	const struct table_origin_ops *ops; /* NULL: a table of events */
	void *origin;
	char *unit; /* of its histograms; NULL: unknown */

	struct peat_schema *schema; /* of rows; NULL: not known yet */
	struct table_order order;
	struct table_rows rows;
};

/* ---- making ---------------------------------------------------------------------------------- */

static int init_events(struct peat_table *table, const struct peat_table_opts *opts)
{
	int err = table_options__read(&table->opts, opts);

	if (err)
		return err;
	table->functions.add = peat_table__add;
	table->bytes_most = SIZE_MAX;
	table->numbers = (struct table_numbers){ .values = table->opts.values,
						 .linear_first = table->opts.linear_first,
						 .linear_width = table->opts.linear_width };
	table_hash__init(&table->counts, key_counts__bytes(&table->numbers));
	err = table_types__init(&table->types, table->opts.by, table->opts.field);
	table->types.stack_id = table->opts.stack_id;
	table->types.stack_arg = table->opts.stack_arg;
	if (!err && table->opts.sort)
		err = row_schema__check_column(&table->types, &table->numbers, table->opts.sort);
	return err;
}

struct peat_table *peat_table__new(const struct peat_table_opts *opts)
{
	struct peat_table *table = calloc(1, sizeof(*table));
	int err = table ? init_events(table, opts) : -ENOMEM;

	if (!err)
		return table;
	peat_table__free(table);
	return fail_null(err);
}

struct peat_table *table__new_rows(struct peat_schema *schema, uint32_t keys, const char *sort,
				   const struct table_origin_ops *ops, void *origin)
{
	struct peat_table *table;
	struct table_order order;
	int err = table_order__find(&order, schema, keys, sort && *sort ? sort : NULL);

	if (err)
		return fail_null(err);
	table = calloc(1, sizeof(*table));
	if (!table)
		return fail_null(-ENOMEM);
	table->functions.add = peat_table__add;
	table->schema = schema;
	table->order = order;
	table->ops = ops;
	table->origin = origin;
	return table;
}

void peat_table__free(struct peat_table *table)
{
	if (!table)
		return;
	if (table->ops)
		table->ops->free(table->origin);
	else
		table_types__free(&table->types);
	table_options__free(&table->opts);
	table_hash__clear(&table->counts);
	strbuf__free(&table->key);
	free(table->unit);
	peat_schema__free(table->schema);
	table_rows__clear(&table->rows);
	free(table);
}

int table__set_unit(struct peat_table *table, const char *unit)
{
	char *copy = strdup(unit);

	if (!copy)
		return -ENOMEM;
	free(table->unit);
	table->unit = copy;
	return 0;
}

const char *peat_table__unit(const struct peat_table *table)
{
	if (table->ops || !table->types.known)
		return table->unit;
	return peat_field__unit(&table->types.value.field);
}

bool table__lacks_owner(const struct peat_table *table, const struct peat_schema *schema)
{
	return table_types__lack_owner(&table->types, schema);
}

bool table__names_identity(const struct peat_table *table)
{
	for (uint32_t i = 0; i < table->types.key_count; i++)
		if (sampled__is_of_identity(table->types.keys[i].path))
			return true;
	return false;
}

void table__set_host(struct peat_table *table, const char *host)
{
	table->types.host = host;
}

void table__limit_bytes(struct peat_table *table, size_t bytes)
{
	table->bytes_most = bytes;
}

const struct peat_table_opts *table__opts(const struct peat_table *table)
{
	return &table->opts;
}

void table__set_source(struct peat_table *table, int (*collect)(void *source), void *source,
		       const struct fork_mark *mark)
{
	table->collect = collect;
	table->source = source;
	table->mark = mark;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* NULL: no memory. */
static const struct table_type *type_of(struct peat_table *table, const struct peat_schema *schema)
{
	const struct table_type *type = table_types__add(&table->types, schema);

	table->numbers.is_signed = table->types.value.field.is_signed;
	table->numbers.has_unit = field_type__of(&table->types.value.field)->unit;
	return type;
}

static int refuse_events(void)
{
	log__error("events cannot be counted in a table of a BPF map: make one by "
		   "peat_table__new()");
	return fail(-EINVAL);
}

int peat_table__add_type(struct peat_table *table, const struct peat_schema *schema)
{
	const struct table_type *type;

	if (table->ops)
		return refuse_events();
	type = type_of(table, schema);
	if (!type)
		return fail(-ENOMEM);
	return type->result < 0 ? fail(type->result) : type->result;
}

int peat_table__check(const struct peat_table *table)
{
	int err = table->ops ? 0 : table_types__check(&table->types);

	return err ? fail(err) : 0;
}

const struct table_plan *table__plan(const struct peat_table *table,
				     const struct peat_schema *schema)
{
	const struct table_type *type = table_types__find(&table->types, schema);

	return type && type->result == 1 ? &type->plan : NULL;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void warn_too_long(struct peat_table *table)
{
	if (!table->warned)
		log__warn("a table by '%s': events are not counted if their key is longer than "
			  "65535 bytes",
			  table->opts.by);
	table->warned = true;
}

/* The counts of table->key: its own if it has a row or may get a row.  NULL: no memory. */
static struct key_counts *counts_of_key(struct peat_table *table)
{
	uint32_t bytes = (uint32_t)table->key.count;
	struct key_counts *counts;
	bool is_new;

	if ((!table->opts.max_rows || table->counts.count < table->opts.max_rows) &&
	    table->counts.entries.bytes < table->bytes_most)
		return table_hash__add(&table->counts, table->key.bytes, bytes, &is_new);
	counts = table_hash__find(&table->counts, table->key.bytes, bytes);
	return counts ? counts : &table->others;
}

/* Finds the counts of an event's key.  1, or as peat_table__add(). */
static int find_counts(struct peat_table *table, const struct table_plan *plan,
		       const struct peat_event *event, struct key_counts **counts)
{
	uint32_t strings_at = table->types.key_bytes + key_counts__row_bytes(&table->numbers);
	int err = table_keys__make(&table->types, plan, event, strings_at, &table->key);

	if (err == -EMSGSIZE)
		warn_too_long(table);
	if (err != 1)
		return err;
	*counts = counts_of_key(table);
	return *counts ? 1 : -ENOMEM;
}

static int count_event(struct peat_table *table, const struct table_plan *plan,
		       const struct peat_event *event)
{
	struct key_counts *counts;
	uint64_t number = 0;
	int err;

	if (plan->has_value && !table_column__number(&plan->value, event, &number))
		return 0;
	err = find_counts(table, plan, event, &counts);
	if (err != 1)
		return err;
	key_counts__add(counts, &table->numbers, number);
	return 1;
}

int peat_table__add(struct peat_table *table, const struct peat_event *event)
{
	const struct table_type *type;
	int err;

	if (table->ops)
		return refuse_events();
	if (event->kind == PEAT_EVENT_LOST || event->kind == PEAT_EVENT_TOOL)
		return 0;
	type = type_of(table, event->schema);
	if (!type)
		return fail(-ENOMEM);
	err = type->result == 1 ? count_event(table, &type->plan, event) : type->result;
	return err < 0 ? fail(err) : err;
}

int table__add_counts(struct peat_table *table, const struct peat_event *event,
		      const struct key_counts *counts)
{
	const struct table_type *type = type_of(table, event->schema);
	struct key_counts *sums;
	int err;

	if (!type)
		return -ENOMEM;
	if (type->result != 1)
		return -EINVAL;
	if (!counts->count)
		return 0;
	err = find_counts(table, &type->plan, event, &sums);
	if (err != 1)
		return err ? err : -EINVAL;
	key_counts__merge(sums, &table->numbers, counts);
	return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

int table__put_row(struct peat_table *table, const void *data, uint32_t bytes)
{
	void *row = table_rows__add(&table->rows, bytes);

	if (!row)
		return -ENOMEM;
	memcpy(row, data, bytes);
	return 0;
}

/* Makes the schema once all columns are known. */
static int know_schema(struct peat_table *table)
{
	int err;

	if (table->schema || !table->types.known)
		return 0;
	err = row_schema__new(&table->types, &table->numbers, &table->schema);
	if (err)
		return err;
	table->types.fixed = true;
	return table_order__find(&table->order, table->schema, table->types.key_count,
				 table->opts.sort);
}

static int make_row(struct peat_table *table, const struct hash_entry *entry)
{
	uint32_t value_bytes = key_counts__row_bytes(&table->numbers);
	uint32_t strings_at = table->types.key_bytes + value_bytes;
	char *row = table_rows__add(&table->rows, entry->key_bytes + value_bytes);

	if (!row)
		return -ENOMEM;
	table_keys__store(&table->types, table_hash__key(&table->counts, entry), entry->key_bytes,
			  strings_at, row);
	key_counts__store((const struct key_counts *)entry->value, &table->numbers,
			  row + table->types.key_bytes);
	return 0;
}

/* The last row, after the others have been sorted. */
static int make_row_of_others(struct peat_table *table)
{
	uint32_t bytes = table->types.key_bytes + key_counts__row_bytes(&table->numbers);
	char *row = table_rows__add(&table->rows, bytes);

	if (!row)
		return -ENOMEM;
	memset(row, 0, table->types.key_bytes);
	key_counts__store(&table->others, &table->numbers, row + table->types.key_bytes);
	return 0;
}

static int make_rows(struct peat_table *table)
{
	int err = table->collect ? table->collect(table->source) : 0;
	const struct hash_entry *entry;
	size_t at = 0;

	if (!err)
		err = know_schema(table);
	while (!err && (entry = table_hash__next(&table->counts, &at)))
		err = make_row(table, entry);
	return err;
}

static int check_process(const struct peat_table *table)
{
	return fork_mark__check(table->mark, "the reader of the table");
}

int peat_table__read(struct peat_table *table)
{
	int err = check_process(table);

	if (err)
		return fail(err);
	table_rows__clear(&table->rows);
	err = table->ops ? table->ops->read(table, table->origin) : make_rows(table);
	if (err >= 0)
		table_rows__sort(&table->rows, &table->order);
	table->ends_with_others = table->others.count;
	if (err >= 0 && table->ends_with_others)
		err = make_row_of_others(table);
	if (err < 0) {
		table_rows__clear(&table->rows);
		table->is_read = false;
		return fail(err);
	}
	table->is_read = true;
	return (int)table->rows.count;
}

int peat_table__next(struct peat_table *table, struct peat_table_row *row)
{
	const struct table_row *next;
	int err = opts__check_size(row, sizeof(*row), "peat_table_row");

	if (err)
		return fail(err);
	if (table->rows.next == table->rows.count)
		return 0;
	next = &table->rows.rows[table->rows.next++];
	row->data = next->data;
	row->size = next->bytes;
	row->others = table->ends_with_others && table->rows.next == table->rows.count;
	return 1;
}

const struct peat_schema *peat_table__schema(const struct peat_table *table)
{
	return table->schema ? table->schema : fail_null(-ENOENT);
}

uint32_t peat_table__keys(const struct peat_table *table)
{
	return table->ops ? table->order.keys : table->types.key_count;
}

/* Without a reading, counts that the kernel made until now are collected: they must not come later.
 */
int peat_table__clear(struct peat_table *table)
{
	int err = check_process(table);

	if (err)
		return fail(err);
	table_rows__clear(&table->rows);
	if (table->ops)
		err = table->ops->clear(table->origin);
	else if (table->collect && !table->is_read)
		err = table->collect(table->source);
	if (err < 0)
		return fail(err);
	table_hash__clear(&table->counts);
	table->others = (struct key_counts){ 0 };
	table->is_read = false;
	return 0;
}
