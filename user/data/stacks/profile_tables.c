// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/profile_tables.c: the tables of a profile. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "stacks/profile_tables.h"

/* ---- memory ---------------------------------------------------------------------------------- */

void *profile_tables__allocate(struct profile_tables *tables, size_t bytes)
{
	void *memory = tables->failed ? NULL : arena__take(&tables->arena, bytes);

	if (memory)
		memset(memory, 0, bytes);
	else
		tables->failed = true;
	return memory;
}

/* Appends to an array of pointers. */
static void *append_element(struct profile_tables *tables, void *array, size_t *count, void *added)
{
	void **pointers = array;

	if (!ARRAY_RESERVE_NEXT(pointers, *count)) {
		tables->failed = true;
		return array;
	}
	pointers[(*count)++] = added;
	return pointers;
}

/* The entry of a key: its count is 0 if it is new.  NULL: `failed`. */
static struct string_count *find_or_add(struct profile_tables *tables, struct string_counts *where,
					const void *key, size_t bytes)
{
	struct string_count *entry = tables->failed ? NULL : string_counts__add(where, key, bytes);

	tables->failed = !entry;
	return entry;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int64_t add_text(struct profile_tables *tables, const char *text, size_t bytes)
{
	Profile__Profile *profile = &tables->profile;
	struct string_count *entry = find_or_add(tables, &tables->texts, text, bytes);

	if (!entry)
		return 0;
	if (!entry->count) {
		profile->string_table = append_element(tables, profile->string_table,
						       &profile->n_string_table, entry->text);
		entry->count = profile->n_string_table;
	}
	return (int64_t)entry->count - 1;
}

int64_t profile_tables__text(struct profile_tables *tables, const char *text)
{
	struct strbuf valid = { 0 };
	int64_t number;

	if (!text || !*text)
		return 0;
	escape__utf8(&valid, text, strlen(text));
	tables->failed |= valid.failed;
	number = valid.failed ? 0 : add_text(tables, valid.bytes, valid.count);
	strbuf__free(&valid);
	return number;
}

/* ---- functions ------------------------------------------------------------------------------- */

static uint64_t add_function(struct profile_tables *tables, const struct counted_frame *frame)
{
	Profile__Profile *profile = &tables->profile;
	const int64_t key[] = { profile_tables__text(tables, frame->symbol),
				profile_tables__text(tables, frame->raw_symbol),
				profile_tables__text(tables, frame->file) };
	struct string_count *entry = find_or_add(tables, &tables->functions, key, sizeof(key));
	Profile__Function *function;

	if (!entry || entry->count)
		return entry ? entry->count : 0;
	function = profile_tables__allocate(tables, sizeof(*function));
	if (!function)
		return 0;
	profile__function__init(function);
	function->name = key[0];
	function->system_name = key[1];
	function->filename = key[2];
	profile->function =
		append_element(tables, profile->function, &profile->n_function, function);
	function->id = entry->count = profile->n_function;
	return function->id;
}

/* ---- mappings -------------------------------------------------------------------------------- */

static Profile__Mapping *new_mapping(struct profile_tables *tables, int64_t filename,
				     int64_t build_id)
{
	Profile__Profile *profile = &tables->profile;
	Profile__Mapping *mapping = profile_tables__allocate(tables, sizeof(*mapping));

	if (!mapping)
		return NULL;
	profile__mapping__init(mapping);
	mapping->filename = filename;
	mapping->build_id = build_id;
	mapping->memory_start = UINT64_MAX; /* of the first address: see cover() */
	mapping->has_functions = mapping->has_filenames = mapping->has_line_numbers =
		mapping->has_inline_frames = true;
	profile->mapping = append_element(tables, profile->mapping, &profile->n_mapping, mapping);
	mapping->id = profile->n_mapping;
	return mapping;
}

/* NULL: the frame has no module, or `failed`. */
static Profile__Mapping *find_mapping(struct profile_tables *tables,
				      const struct counted_frame *frame)
{
	Profile__Mapping *mapping;
	struct string_count *entry;
	int64_t key[3];

	if (!frame->module)
		return NULL;
	key[0] = profile_tables__text(tables, frame->module);
	key[1] = profile_tables__text(tables, frame->build_id);
	key[2] = frame->in_file;
	entry = find_or_add(tables, &tables->mappings, key, sizeof(key));
	if (!entry)
		return NULL;
	if (entry->count)
		return tables->profile.mapping[entry->count - 1];
	mapping = new_mapping(tables, key[0], key[1]);
	entry->count = tables->failed ? 0 : mapping->id;
	return mapping;
}

/*
 * Addresses in files are offsets, as if each file were mapped at 0: so a function has the same
 * address in all processes.
 */
static void cover(Profile__Mapping *mapping, const struct counted_frame *frame)
{
	uint64_t start = frame->in_file ? 0 : frame->address;

	if (start < mapping->memory_start)
		mapping->memory_start = start;
	if (frame->address >= mapping->memory_limit)
		mapping->memory_limit = frame->address + 1;
	mapping->has_functions &= frame->symbol != NULL;
	mapping->has_filenames &= frame->file != NULL;
	mapping->has_line_numbers &= frame->line != 0;
	mapping->has_inline_frames &= frame->line != 0;
}

/* ---- locations ------------------------------------------------------------------------------- */

static Profile__Line *new_line(struct profile_tables *tables, const struct counted_frame *frame)
{
	Profile__Line *line = profile_tables__allocate(tables, sizeof(*line));

	if (!line)
		return NULL;
	profile__line__init(line);
	line->function_id = add_function(tables, frame);
	line->line = frame->line;
	return line;
}

/* Frames without a symbol have no line. */
static void add_lines(struct profile_tables *tables, Profile__Location *location,
		      const struct counted_frames *frames, const uint32_t *numbers, uint32_t count)
{
	location->line = profile_tables__allocate(tables, count * sizeof(*location->line));
	for (uint32_t i = 0; i < count && !tables->failed; i++)
		if (frames->frames[numbers[i]].symbol)
			location->line[location->n_line++] =
				new_line(tables, &frames->frames[numbers[i]]);
}

static Profile__Location *new_location(struct profile_tables *tables,
				       const struct counted_frames *frames, const uint32_t *numbers,
				       uint32_t count)
{
	const struct counted_frame *frame = &frames->frames[numbers[count - 1]];
	Profile__Location *location = profile_tables__allocate(tables, sizeof(*location));
	Profile__Mapping *mapping = location ? find_mapping(tables, frame) : NULL;

	if (!location)
		return NULL;
	profile__location__init(location);
	location->address = frame->address;
	if (mapping) {
		location->mapping_id = mapping->id;
		cover(mapping, frame);
	}
	add_lines(tables, location, frames, numbers, count);
	return location;
}

uint64_t profile_tables__location(struct profile_tables *tables,
				  const struct counted_frames *frames, const uint32_t *numbers,
				  uint32_t count)
{
	Profile__Profile *profile = &tables->profile;
	struct string_count *entry =
		find_or_add(tables, &tables->locations, numbers, count * sizeof(*numbers));
	Profile__Location *location;

	if (!entry || entry->count)
		return entry ? entry->count : 0;
	location = new_location(tables, frames, numbers, count);
	if (tables->failed)
		return 0;
	profile->location =
		append_element(tables, profile->location, &profile->n_location, location);
	location->id = entry->count = profile->n_location;
	return location->id;
}

/* ---- all ------------------------------------------------------------------------------------- */

void profile_tables__init(struct profile_tables *tables)
{
	*tables = (struct profile_tables){ 0 };
	profile__profile__init(&tables->profile);
	add_text(tables, "", 0);
}

void profile_tables__free(struct profile_tables *tables)
{
	free(tables->profile.string_table);
	free(tables->profile.function);
	free(tables->profile.mapping);
	free(tables->profile.location);
	string_counts__free(&tables->texts);
	string_counts__free(&tables->functions);
	string_counts__free(&tables->mappings);
	string_counts__free(&tables->locations);
	arena__free(&tables->arena);
}
