// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tables/map_table.c: a BPF map as a table.
 *
 *	map_read ─▶ map_merge: CPUs ─▶ now ─▶ map_merge: minus earlier ─▶ row
 *
 * The map is only ever read.  peat_table__clear() makes the latest reading the earlier one, so no
 * count is lost between a reading and the next.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "base/errors.h"
#include "base/log.h"
#include "field/fields.h"
#include "tables/hash.h"
#include "tables/map_merge.h"
#include "tables/map_read.h"
#include "tables/map_table.h"
#include "schema/map_tags.h"
#include "tables/table.h"

struct map_origin {
	int fd;
	struct map_reader reader;
	struct map_schema made; /* without the schema, which is the table's */
	struct map_merge_plan merge;
	bool has_amounts;		/* of `merge` */
	struct table_hash now, earlier; /* merged values by key */
	bool is_read;			/* `now` is newer than `earlier` */
	bool has_warned;
	char name[16];
	uint8_t *row;
};

/* ---- rows ------------------------------------------------------------------------------------ */

static uint64_t load_slot(const uint8_t *at, uint32_t bytes)
{
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	if (bytes == sizeof(u16)) {
		memcpy(&u16, at, sizeof(u16));
		return u16;
	}
	if (bytes == sizeof(u32)) {
		memcpy(&u32, at, sizeof(u32));
		return u32;
	}
	memcpy(&u64, at, sizeof(u64));
	return u64;
}

static void set_histogram(const struct map_origin *origin, const uint8_t *value)
{
	const struct map_schema *made = &origin->made;
	uint64_t slots[MAP_SLOTS] = { 0 }, total = 0;

	for (uint32_t i = 0; i < made->slot_count; i++) {
		slots[i] = load_slot(value + made->slot_offset + i * made->slot_bytes,
				     made->slot_bytes);
		total += slots[i];
	}
	memcpy(origin->row + made->slots_at, slots, sizeof(slots));
	if (made->count_at)
		memcpy(origin->row + made->count_at, &total, sizeof(total));
}

static bool is_array(const struct map_origin *origin)
{
	return origin->reader.type == BPF_MAP_TYPE_ARRAY ||
	       origin->reader.type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

/*
 * Elements of an array exist from the start: those that are 0 are no rows.  Nor are those of values
 * without amounts: nothing is there now.
 */
static bool is_unused(const struct map_origin *origin, const uint8_t *value)
{
	bool may_be = is_array(origin) || !origin->has_amounts;

	for (uint32_t i = 0; may_be && i < origin->reader.value_bytes; i++)
		if (value[i])
			return false;
	return may_be;
}

/* An interval has the changes of amounts.  Other values are the current ones, changed or not. */
static bool is_unchanged(const struct map_origin *origin, const void *now, const void *earlier)
{
	return origin->has_amounts && earlier && !memcmp(now, earlier, origin->reader.value_bytes);
}

static int put_row(struct peat_table *table, const struct map_origin *origin,
		   const struct hash_entry *entry)
{
	const void *key = table_hash__key(&origin->now, entry), *now = entry->value;
	const void *earlier = table_hash__find(&origin->earlier, key, entry->key_bytes);
	uint8_t *value = origin->row + origin->made.value_at;
	uint32_t bytes = origin->reader.value_bytes;

	if (is_unused(origin, now) || is_unchanged(origin, now, earlier))
		return 0;
	memcpy(origin->row, key, entry->key_bytes);
	memcpy(value, now, bytes);
	if (earlier)
		map_merge__subtract(&origin->merge, value, earlier);
	if (origin->made.slot_count)
		set_histogram(origin, value);
	return table__put_row(table, origin->row, origin->made.row_bytes);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int add_entry(void *context, const void *key, const void *values)
{
	struct map_origin *origin = context;
	bool is_new;
	void *value = table_hash__add(&origin->now, key, origin->reader.key_bytes, &is_new);

	if (!value)
		return -ENOMEM;
	if (is_new)
		map_merge__cpus(&origin->merge, value, values, origin->reader.stride,
				origin->reader.cpus);
	return 0;
}

/* Programs cannot add further keys, and mostly ignore that.  A single entry is a variable. */
static void warn_if_full(struct map_origin *origin)
{
	uint32_t type = origin->reader.type;
	bool can_be_full = type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_PERCPU_HASH ||
			   type == BPF_MAP_TYPE_LPM_TRIE;

	if (!can_be_full || origin->has_warned || origin->reader.max_entries == 1 ||
	    origin->now.count < origin->reader.max_entries)
		return;
	origin->has_warned = true;
	log__warn("map '%s' is full: it has %u entries, its programs cannot count further keys: "
		  "give it more entries (max_entries)",
		  origin->name, origin->reader.max_entries);
}

static int read_entries(struct map_origin *origin)
{
	int err;

	table_hash__clear(&origin->now);
	origin->is_read = false;
	err = map_read__all(&origin->reader, add_entry, origin);
	if (err == -EAGAIN)
		log__error("cannot read map '%s': its keys are deleted faster than they are read",
			   origin->name);
	else if (err)
		log__error("cannot read map '%s': %s", origin->name, strerror(-err));
	else
		warn_if_full(origin);
	origin->is_read = !err;
	return err;
}

static int read_rows(struct peat_table *table, void *context)
{
	struct map_origin *origin = context;
	int err = read_entries(origin);
	const struct hash_entry *entry;
	size_t at = 0;

	while (!err && (entry = table_hash__next(&origin->now, &at)))
		err = put_row(table, origin, entry);
	return err;
}

static int clear_rows(void *context)
{
	struct map_origin *origin = context;
	struct table_hash earlier;
	int err = origin->is_read ? 0 : read_entries(origin);

	if (err)
		return err;
	earlier = origin->earlier;
	origin->earlier = origin->now;
	origin->now = earlier;
	origin->is_read = false;
	table_hash__clear(&origin->now);
	return 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

static void free_origin(void *context)
{
	struct map_origin *origin = context;

	if (!origin)
		return;
	if (origin->fd >= 0)
		close(origin->fd);
	map_schema__free(&origin->made);
	map_merge__free(&origin->merge);
	table_hash__clear(&origin->now);
	table_hash__clear(&origin->earlier);
	free(origin->row);
	free(origin);
}

static const struct table_origin_ops map_ops = {
	.read = read_rows,
	.clear = clear_rows,
	.free = free_origin,
};

static int init_origin(struct map_origin *origin, int map_fd, const struct map_type *type)
{
	int err = 0;

	origin->fd = fcntl(map_fd, F_DUPFD_CLOEXEC, 3);
	if (origin->fd < 0)
		return -errno;
	err = map_read__init(&origin->reader, origin->fd);
	if (!err)
		err = map_schema__make(&origin->made, type);
	if (!err)
		err = map_merge__make(&origin->merge, &origin->made, type->value_bytes);
	if (err)
		return err;
	origin->has_amounts = map_merge__has_amounts(&origin->merge);
	strncpy(origin->name, type->name, sizeof(origin->name) - 1);
	table_hash__init(&origin->now, (type->value_bytes + 7) & ~7U);
	table_hash__init(&origin->earlier, (type->value_bytes + 7) & ~7U);
	origin->row = calloc(1, origin->made.row_bytes);
	return origin->row ? 0 : -ENOMEM;
}

struct peat_table *map_table__new(int map_fd, const struct map_type *type, int stacks_fd,
				  uint32_t stack_max, const struct peat_map_table_opts *opts)
{
	struct map_origin *origin = calloc(1, sizeof(*origin));
	int err = origin ? init_origin(origin, map_fd, type) : -ENOMEM;
	struct peat_table *table;

	if (err) {
		free_origin(origin);
		return fail_null(err);
	}
	origin->made.schema->stacks_fd = stacks_fd;
	origin->made.schema->stack_max = stack_max;
	table = table__new_rows(origin->made.schema, origin->made.keys, opts->sort, &map_ops,
				origin);
	if (!table) {
		err = -errno;
		free_origin(origin);
		return fail_null(err);
	}
	origin->made.schema = NULL; /* the table's now */
	if (!origin->made.slot_count || !opts->unit)
		return table;
	err = table__set_unit(table, opts->unit);
	if (!err)
		return table;
	peat_table__free(table);
	return fail_null(err);
}
