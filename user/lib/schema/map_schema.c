// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/map_schema.c: making the schema of a map's rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/log.h"
#include "base/text.h"
#include "schema/btf_builder.h"
#include "schema/map_schema.h"

#define TYPE_BYTES_MAX 64000 /* with the columns that are added, a row has at most 65,535 */

static const char *const nothing_reserved[] = { NULL };

struct map_builder {
	struct btf_builder b;
	const struct map_type *type;
	struct map_schema *made;
	uint32_t value_first; /* field of the plan */
	char *names[PLAN_FIELDS_MAX];
	uint32_t name_count;
};

static uint32_t align8(uint32_t bytes)
{
	return (bytes + 7) & ~7U;
}

/* ---- the key and the value ------------------------------------------------------------------- */

static int add_plain(struct map_builder *m, const char *name, uint32_t at, uint32_t bytes)
{
	bool is_number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
	struct peat_field field = {
		.name = name,
		.kind = is_number ? PEAT_FIELD_UNSIGNED : PEAT_FIELD_BYTES,
		.span = 1,
		.offset = at,
		.bytes = bytes,
	};
	int index = bytes ? btf_builder__add(&m->b, &field) : 0;

	return index < 0 ? index : 0;
}

static int check_size(const struct map_builder *m, const char *name, uint32_t id, uint32_t bytes)
{
	int64_t size = btf__resolve_size(m->b.btf, id);

	if (size == bytes)
		return 0;
	log__error("map %s: the type of its %s has %lld bytes, the map has %u: its BTF is another "
		   "map's",
		   m->type->name, name, (long long)size, bytes);
	return -EBADMSG;
}

static int add_typed(struct map_builder *m, const char *name, uint32_t id, uint32_t at,
		     uint32_t bytes)
{
	struct member member = {
		.name = name, .label = name, .bit = (uint64_t)at * 8, .limit = at + bytes
	};
	struct resolved_type resolved;
	uint32_t before = m->b.plan.count;
	int err = btf_builder__resolve(&m->b, name, id, &resolved);

	if (err)
		return err;
	if (btf_is_datasec(resolved.type)) {
		log__error("map %s: its value is the global variables of a program, not a table",
			   m->type->name);
		return -EINVAL;
	}
	err = check_size(m, name, id, bytes);
	if (err)
		return err;
	if (btf_is_composite(resolved.type) &&
	    !btf_schema__fits_whole(resolved.show_as, resolved.type->size))
		err = btf_schema__add_members(&m->b, &member, &resolved);
	else
		err = btf_schema__add(&m->b, &member, &resolved);
	if (err || m->b.plan.count > before)
		return err;
	return add_plain(m, name, at, bytes);
}

static int add_map_part(struct map_builder *m, const char *name, uint32_t id, uint32_t at,
			uint32_t bytes)
{
	return m->b.btf && id ? add_typed(m, name, id, at, bytes) : add_plain(m, name, at, bytes);
}

/* ---- the histogram --------------------------------------------------------------------------- */

static bool is_histogram(const struct map_builder *m, uint32_t index)
{
	const struct peat_field *array = &m->b.plan.fields[index], *slot = array + 1;

	if (field_type__of(array)->class != PEAT_CLASS_ELEMENTS || array->count < 2 ||
	    array->count > MAP_SLOTS)
		return false;
	if (!field_type__is_plain(slot->kind))
		return false;
	if (slot->big_endian || (slot->bytes != 2 && slot->bytes != 4 && slot->bytes != 8))
		return false;
	return m->type->is_histogram || !strcmp(array->name, "slots");
}

/* The index + 1 of a field after the removal of others; 0 stays. */
static uint32_t index_after(uint32_t at, uint32_t first, uint32_t count)
{
	return at > first + count ? at - count : at;
}

/* Members of structs after them have their lengths and presences already. */
static void remove_fields(struct plan *plan, uint32_t first, uint32_t count)
{
	uint32_t after = plan->count - first - count;

	memmove(&plan->fields[first], &plan->fields[first + count], after * sizeof(*plan->fields));
	memmove(&plan->tags[first], &plan->tags[first + count], after * sizeof(*plan->tags));
	plan->count -= count;
	for (uint32_t i = first; i < plan->count; i++) {
		struct plan_tags *tags = &plan->tags[i];

		tags->length_at = index_after(tags->length_at, first, count);
		tags->presence_at = index_after(tags->presence_at, first, count);
	}
}

/* Takes the first histogram of the value out of the plan: its columns are added at the end. */
static void take_histogram(struct map_builder *m)
{
	struct plan *plan = &m->b.plan;

	for (uint32_t i = m->value_first; i < plan->count; i += plan->fields[i].span) {
		if (!is_histogram(m, i))
			continue;
		m->made->slot_offset = plan->fields[i].offset - m->made->value_at;
		m->made->slot_count = plan->fields[i].count;
		m->made->slot_bytes = plan->fields[i + 1].bytes;
		remove_fields(plan, i, plan->fields[i].span);
		return;
	}
	if (m->type->is_histogram)
		log__warn("map %s: its value has no array of 2 to 64 numbers: it is not shown as a "
			  "histogram",
			  m->type->name);
}

static bool has_count(const struct map_builder *m)
{
	return plan__find(&m->b.plan, 0, m->b.plan.count, "count") >= 0;
}

static int add_histogram(struct map_builder *m)
{
	struct peat_field array = {
		.name = "slots",
		.kind = PEAT_FIELD_ARRAY,
		.span = 2,
		.bytes = MAP_SLOTS * 8,
		.count = MAP_SLOTS,
	};
	struct peat_field slot = { .name = "", .span = 1, .bytes = 8 };
	struct map_schema *made = m->made;
	int err = 0;

	if (!made->slot_count)
		return 0;
	if (!has_count(m)) {
		made->count_at = made->row_bytes;
		made->row_bytes += 8;
		err = add_plain(m, "count", made->count_at, 8);
	}
	made->slots_at = array.offset = made->row_bytes;
	made->row_bytes += array.bytes;
	if (!err)
		err = btf_builder__add(&m->b, &array);
	if (err >= 0)
		err = btf_builder__add(&m->b, &slot);
	return err < 0 ? err : 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A field of the value that is called as one of the key gets underscores: "pid_". */
static int rename_field(struct map_builder *m, struct peat_field *field)
{
	size_t bytes = strlen(field->name), room = bytes + m->b.plan.count + 1;
	char *name = malloc(room);

	if (!name)
		return -ENOMEM;
	m->names[m->name_count++] = name;
	memcpy(name, field->name, bytes + 1);
	while (plan__find(&m->b.plan, 0, m->b.plan.count, name) >= 0 && bytes + 1 < room) {
		name[bytes++] = '_';
		name[bytes] = 0;
	}
	field->name = name;
	return 0;
}

static int rename_duplicates(struct map_builder *m)
{
	struct plan *plan = &m->b.plan;
	int err = 0;

	for (uint32_t i = m->value_first; !err && i < plan->count; i += plan->fields[i].span)
		if (plan__find(plan, 0, m->value_first, plan->fields[i].name) >= 0)
			err = rename_field(m, &plan->fields[i]);
	return err;
}

/* ---- merging --------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end)
{
	size_t bytes = strlen(name), end_bytes = strlen(end);

	return bytes >= end_bytes && !strcmp(name + bytes - end_bytes, end);
}

/* Numbers that say who, where or when: their sum and their difference are meaningless. */
static bool is_identity(const char *name)
{
	static const char *const names[] = { "pid", "tid", "tgid", "uid", "gid", "cpu", "ts" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return ends_with(name, "_ts");
}

static enum map_merge merge_of_name(const char *name)
{
	if (is_identity(name))
		return MAP_MERGE_FIRST;
	if (!strcmp(name, "min") || begins_with(name, "min_") || ends_with(name, "_min"))
		return MAP_MERGE_MIN;
	if (!strcmp(name, "max") || begins_with(name, "max_") || ends_with(name, "_max"))
		return MAP_MERGE_MAX;
	return MAP_MERGE_DEFAULT;
}

/* A field of the value that the key has, too. */
static bool is_renamed(const struct map_builder *m, const char *name)
{
	for (uint32_t i = 0; i < m->name_count; i++)
		if (m->names[i] == name)
			return true;
	return false;
}

static enum map_merge merge_of(const struct map_builder *m, uint32_t field)
{
	static const char *const words[] = {
		[MAP_MERGE_SUM] = "sum",
		[MAP_MERGE_MIN] = "min",
		[MAP_MERGE_MAX] = "max",
		[MAP_MERGE_FIRST] = "first",
	};
	const char *name = m->b.plan.fields[field].name, *word = m->b.plan.tags[field].merge;

	if (!word)
		return is_renamed(m, name) ? MAP_MERGE_FIRST : merge_of_name(name);
	for (int i = MAP_MERGE_SUM; i <= MAP_MERGE_FIRST; i++)
		if (!strcmp(word, words[i]))
			return (enum map_merge)i;
	log__warn("map %s: %s: PEAT_MERGE(%s) is unknown: sum, min, max and first are known",
		  m->type->name, name, word);
	return MAP_MERGE_DEFAULT;
}

static int set_merges(struct map_builder *m)
{
	m->made->merges = calloc(m->b.plan.count + 1, sizeof(*m->made->merges));
	if (!m->made->merges)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->b.plan.count; i++)
		m->made->merges[i] = merge_of(m, i);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

static int check_row(const struct map_type *type)
{
	uint64_t bytes = (uint64_t)type->key_bytes + type->value_bytes;

	if (bytes <= TYPE_BYTES_MAX)
		return 0;
	log__error("map %s cannot be shown: its key and value have %llu bytes: at most 64,000 can",
		   type->name, (unsigned long long)bytes);
	return -EINVAL;
}

static uint32_t count_columns(const struct plan *plan)
{
	uint32_t columns = 0;

	for (uint32_t i = 0; i < plan->count; i += plan->fields[i].span)
		columns++;
	return columns;
}

static int add_columns(struct map_builder *m)
{
	const struct map_type *type = m->type;
	int err = add_map_part(m, "key", type->key_id, 0, type->key_bytes);

	if (err)
		return err;
	if (type->has_text_keys)
		m->b.plan.fields[0].kind = PEAT_FIELD_STRING;
	btf_schema__resolve_tags(&m->b, 0);
	m->made->keys = count_columns(&m->b.plan);
	m->value_first = m->b.plan.count;
	err = add_map_part(m, "value", type->value_id, m->made->value_at, type->value_bytes);
	if (err)
		return err;
	take_histogram(m);
	btf_schema__resolve_tags(&m->b, m->value_first);
	err = rename_duplicates(m);
	return err ? err : add_histogram(m);
}

static int build(struct map_builder *m)
{
	int err = m->b.btf ? btf_tags__read(&m->b.tags, m->b.btf) : 0;

	if (err == -EBADMSG)
		btf_builder__invalid(&m->b, "", "its types are misaligned, or a tag has no text");
	m->made->value_at = align8(m->type->key_bytes);
	m->made->row_bytes = m->made->value_at + align8(m->type->value_bytes);
	if (!err)
		err = add_columns(m);
	if (!err)
		err = set_merges(m);
	if (!err)
		err = plan__pack(&m->b.plan, m->type->name, m->type->doc, m->made->row_bytes,
				 nothing_reserved, &m->made->schema);
	return err;
}

int map_schema__make(struct map_schema *made, const struct map_type *type)
{
	struct map_builder *m = calloc(1, sizeof(*m));
	int err = m ? check_row(type) : -ENOMEM;

	*made = (struct map_schema){ 0 };
	if (!err) {
		m->b.btf = type->btf;
		m->b.name = type->name;
		m->type = type;
		m->made = made;
		err = build(m);
		btf_tags__free(&m->b.tags);
		plan__free(&m->b.plan);
		for (uint32_t i = 0; i < m->name_count; i++)
			free(m->names[i]);
	}
	free(m);
	if (err == -ENOMEM)
		log__error("map %s: no memory for its fields", type->name);
	if (err)
		map_schema__free(made);
	return err;
}

void map_schema__free(struct map_schema *made)
{
	peat_schema__free(made->schema);
	free(made->merges);
	*made = (struct map_schema){ 0 };
}
