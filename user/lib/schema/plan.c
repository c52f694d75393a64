// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/plan.c: collecting fields, and packing them into a schema that owns its memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "schema/plan.h"

#define TEXT_BYTES_MAX (16U << 20)

/* ---- collecting ------------------------------------------------------------------------------ */

static int grow_plan(struct plan *plan)
{
	uint32_t room = plan->room ? 2 * plan->room : 32;
	struct plan_tags *tags = reallocarray(plan->tags, room, sizeof(*tags));
	struct peat_field *fields = reallocarray(plan->fields, room, sizeof(*fields));

	if (tags)
		plan->tags = tags;
	if (fields)
		plan->fields = fields;
	if (!tags || !fields)
		return -ENOMEM;
	plan->room = room;
	return 0;
}

int plan__add(struct plan *plan, const struct peat_field *field)
{
	if (plan->count == PLAN_FIELDS_MAX)
		return -EINVAL;
	if (plan->count == plan->room && grow_plan(plan))
		return -ENOMEM;
	plan->fields[plan->count] = *field;
	plan->tags[plan->count] = (struct plan_tags){ 0 };
	return (int)plan->count++;
}

int64_t plan__find(const struct plan *plan, uint32_t first, uint32_t end, const char *name)
{
	for (uint32_t i = first; i < end; i += plan->fields[i].span)
		if (!strcmp(plan->fields[i].name, name))
			return i;
	return -1;
}

/* Compares pointers into one array; equal values stay in the array's order. */
static int compare_names(const void *one, const void *other)
{
	const struct peat_name *a = *(const struct peat_name *const *)one;
	const struct peat_name *b = *(const struct peat_name *const *)other;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a < b ? -1 : a > b;
}

int plan__keep_names(struct plan *plan, struct plan_names *names)
{
	const struct peat_name **sorted = calloc(names->count + 1, sizeof(*sorted));
	struct peat_name *copy = calloc(names->count + 1, sizeof(*copy));
	uint32_t kept = 0;

	names->next = plan->names;
	plan->names = names;
	for (uint32_t i = 0; sorted && i < names->count; i++)
		sorted[i] = &names->names[i];
	if (sorted && copy) {
		qsort(sorted, names->count, sizeof(*sorted), compare_names);
		for (uint32_t i = 0; i < names->count; i++)
			if (!kept || copy[kept - 1].value != sorted[i]->value)
				copy[kept++] = *sorted[i];
		memcpy(names->names, copy, kept * sizeof(*copy));
		names->count = kept;
	}
	free(sorted);
	free(copy);
	return sorted && copy ? 0 : -ENOMEM;
}

void plan__free(struct plan *plan)
{
	while (plan->names) {
		struct plan_names *next = plan->names->next;

		free(plan->names);
		plan->names = next;
	}
	free(plan->fields);
	free(plan->tags);
	*plan = (struct plan){ 0 };
}

/* ---- bit-fields ------------------------------------------------------------------------------ */

/*
 * Finds the start of a number of `bytes` bytes that contains the bytes from `first` to `end`.
 * Aligned if possible, as the member was declared: then reading it needs no byte after the member.
 */
static bool find_start(uint64_t first, uint64_t end, uint32_t bytes, uint32_t limit,
		       uint64_t *start)
{
	*start = first - first % bytes;
	if (end - first > bytes || end > limit || bytes > limit)
		return false;
	if (end > *start + bytes || *start + bytes > limit)
		*start = first + bytes <= limit ? first : limit - bytes;
	return true;
}

bool plan__place_bits(struct peat_field *field, uint64_t bit, uint32_t bits, uint32_t limit,
		      bool big_endian)
{
	uint64_t first = bit / 8, end = (bit + bits + 7) / 8, start;

	for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
		uint64_t skipped;

		if (!find_start(first, end, bytes, limit, &start))
			continue;
		skipped = bit - start * 8;
		field->offset = (uint32_t)start;
		field->bytes = bytes;
		field->bit_offset = (uint8_t)(big_endian ? bytes * 8 - skipped - bits : skipped);
		field->bits = (uint8_t)bits;
		return true;
	}
	field->offset = (uint32_t)first;
	field->bytes = (uint32_t)(end - first);
	field->bit_offset = field->bits = 0;
	return false;
}

/* ---- packing --------------------------------------------------------------------------------- */

#define RESERVED_MAX 8

/* The state of packing: one pass over the plan counts, the next one copies. */
struct pack {
	const struct plan *plan;
	const struct peat_field *renamed[RESERVED_MAX];
	size_t underscores[RESERVED_MAX]; /* appended to its name */
	size_t renamed_count;
	struct peat_schema *schema;
	struct peat_field *fields;
	struct peat_name *names;
	char *text;
};

/* The first top-level field from `from` on that is called `name` plus so many underscores. */
static const struct peat_field *find_top(const struct plan *plan, const struct peat_field *from,
					 const char *name, size_t underscores)
{
	const struct peat_field *end = plan->fields + plan->count;
	size_t bytes = strlen(name);

	for (; from < end; from += from->span)
		if (!strncmp(from->name, name, bytes) &&
		    strspn(from->name + bytes, "_") == underscores &&
		    !from->name[bytes + underscores])
			return from;
	return NULL;
}

static int rename_field(struct pack *pack, const char *name)
{
	const struct peat_field *field = find_top(pack->plan, pack->plan->fields, name, 0);
	size_t underscores = 1;

	if (!field)
		return 0;
	if (find_top(pack->plan, field + field->span, name, 0))
		return -EBADMSG;
	while (find_top(pack->plan, pack->plan->fields, name, underscores))
		underscores++;
	pack->renamed[pack->renamed_count] = field;
	pack->underscores[pack->renamed_count++] = underscores;
	return 0;
}

static size_t underscores_of(const struct pack *pack, const struct peat_field *field)
{
	for (size_t i = 0; i < pack->renamed_count; i++)
		if (pack->renamed[i] == field)
			return pack->underscores[i];
	return 0;
}

static size_t text_bytes(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static int count_strings(const struct pack *pack, uint64_t *names, uint64_t *text)
{
	const struct plan *plan = pack->plan;

	*names = 0;
	for (const struct plan_names *list = plan->names; list; list = list->next) {
		*names += list->count;
		for (uint32_t i = 0; i < list->count && *text <= TEXT_BYTES_MAX; i++)
			*text += text_bytes(list->names[i].name);
	}
	for (uint32_t i = 0; i < plan->count && *text <= TEXT_BYTES_MAX; i++)
		*text += text_bytes(plan->fields[i].name) + text_bytes(plan->fields[i].doc) +
			 underscores_of(pack, &plan->fields[i]);
	return *text > TEXT_BYTES_MAX ? -EBADMSG : 0;
}

static const char *pack_text(struct pack *pack, const char *text, size_t underscores)
{
	size_t bytes = text ? strlen(text) : 0;
	char *copy = pack->text;

	if (!text)
		return NULL;
	memcpy(copy, text, bytes);
	memset(copy + bytes, '_', underscores);
	copy[bytes + underscores] = '\0';
	pack->text += bytes + underscores + 1;
	return copy;
}

/* Copies each list once, whatever the number of fields that use it. */
static void copy_names(struct pack *pack)
{
	for (const struct plan_names *list = pack->plan->names; list; list = list->next) {
		for (uint32_t i = 0; i < pack->plan->count; i++)
			if (pack->plan->fields[i].names == list->names)
				pack->fields[i].names = pack->names;
		for (uint32_t i = 0; i < list->count; i++, pack->names++) {
			pack->names->value = list->names[i].value;
			pack->names->name = pack_text(pack, list->names[i].name, 0);
		}
	}
}

/* NULL: `at` is 0. */
static const struct peat_field *field_at(const struct pack *pack, uint32_t at)
{
	return at ? &pack->fields[at - 1] : NULL;
}

static void copy_fields(struct pack *pack)
{
	for (uint32_t i = 0; i < pack->plan->count; i++) {
		const struct peat_field *field = &pack->plan->fields[i];

		pack->fields[i] = *field;
		pack->fields[i].schema = pack->schema;
		pack->fields[i].length = field_at(pack, pack->plan->tags[i].length_at);
		pack->fields[i].presence = field_at(pack, pack->plan->tags[i].presence_at);
		pack->fields[i].name = pack_text(pack, field->name, underscores_of(pack, field));
		pack->fields[i].doc = pack_text(pack, field->doc, 0);
	}
}

int plan__pack(const struct plan *plan, const char *name, const char *doc, uint32_t bytes,
	       const char *const *reserved, struct peat_schema **schema)
{
	uint64_t names, text = text_bytes(name) + text_bytes(doc) + text_bytes(plan->subject) +
			       text_bytes(plan->like_tools);
	struct pack pack = { .plan = plan };
	int err = 0;

	for (; !err && plan->count && *reserved; reserved++)
		err = rename_field(&pack, *reserved);
	if (!err)
		err = count_strings(&pack, &names, &text);
	if (err)
		return err;
	pack.schema = calloc(1, sizeof(struct peat_schema) + plan->count * sizeof(*pack.fields) +
					names * sizeof(*pack.names) + text);
	if (!pack.schema)
		return -ENOMEM;
	pack.fields = (struct peat_field *)(pack.schema + 1);
	pack.names = (struct peat_name *)(pack.fields + plan->count);
	pack.text = (char *)(pack.names + names);
	copy_fields(&pack);
	copy_names(&pack);
	*pack.schema = (struct peat_schema){
		.name = pack_text(&pack, name, 0),
		.doc = pack_text(&pack, doc, 0),
		.subject = pack_text(&pack, plan->subject, 0),
		.like_tools = pack_text(&pack, plan->like_tools, 0),
		.bytes = bytes,
		.count = plan->count,
		.fields = pack.fields,
		.memory = pack.schema,
		.stacks_fd = -1,
	};
	*schema = pack.schema;
	return 0;
}
