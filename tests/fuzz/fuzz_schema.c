// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_schema.c: peat_schema__new() on any BTF.
 *
 * Input: BTF.  Each of its types becomes a schema, which has to be as schema.h promises; all its
 * fields are read from events of several lengths.  The seeds are sections .BTF:
 *
 *	llvm-objcopy --dump-section .BTF=seed object.bpf.o
 */
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "field/fields.h"
#include "schema/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static bool is_outer(const struct peat_field *field)
{
	return fields__has_members(field) || field_type__of(field)->class == PEAT_CLASS_ELEMENTS;
}

static void check_names(const struct peat_field *field)
{
	for (uint32_t i = 0; i < field->name_count; i++) {
		require(strlen(field->names[i].name) < SIZE_MAX);
		require(!i || field->names[i - 1].value < field->names[i].value);
	}
}

/* Checks fields within `bytes`; if `is_top`, the last may have no size. */
static void check_field(const struct peat_field *field, const struct peat_schema *schema,
			uint32_t bytes, bool is_top)
{
	const struct peat_field *end = field + field->span;

	require(field->name && (!field->doc || strlen(field->doc) < SIZE_MAX));
	require(field->schema == schema && field->span >= 1);
	require(field->offset <= bytes && field->bytes <= bytes - field->offset);
	require(field->bytes || is_top);
	require(is_outer(field) || field->span == 1);
	require(field->bit_offset + field->bits <= field->bytes * 8 || !field->bits);
	check_names(field);
	if (field->length)
		require(field->length >= schema->fields &&
			field->length < schema->fields + schema->count &&
			fields__is_number(field->length));
	if (field->kind == PEAT_FIELD_ARRAY) {
		require(field->span >= 2 && field[1].span == field->span - 1 && field[1].bytes);
		require(field->bytes == (uint64_t)field->count * field[1].bytes);
		check_field(field + 1, schema, UINT32_MAX, false);
		return;
	}
	for (const struct peat_field *inner = field + 1; inner < end; inner += inner->span) {
		require(inner + inner->span <= end);
		check_field(inner, schema, field->bytes, false);
	}
}

static uint64_t read_field(const struct peat_field *field, const uint8_t *data, uint32_t bytes);

static uint64_t read_elements(const struct peat_field *field, const uint8_t *data, uint32_t bytes)
{
	const struct peat_field *element = field + 1;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < 3 && i < bytes / element->bytes; i++)
		sum += read_field(element, data + i * element->bytes, bytes - i * element->bytes);
	return sum;
}

static uint64_t read_field(const struct peat_field *field, const uint8_t *data, uint32_t bytes)
{
	uint64_t value;
	uint32_t count;
	const uint8_t *at = fields__bytes(field, data, bytes, &count);

	require(!at || count <= bytes);
	if (peat_field__number(field, data, bytes, &value))
		require(at && count);
	if (!at)
		return value;
	if (field->kind == PEAT_FIELD_ARRAY)
		return value + read_elements(field, at, count);
	for (uint32_t i = 1; i < field->span; i += field[i].span)
		value += read_field(&field[i], at, count);
	return count ? value + at[0] + at[count - 1] : value;
}

/* An event of that length: the sanitizer detects reads past it. */
static void read_event(const struct peat_schema *schema, uint32_t bytes)
{
	uint8_t *event = malloc(bytes ? bytes : 1);
	uint64_t sum = 0;

	require(event != NULL);
	memset(event, 0xa5, bytes);
	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span)
		sum += read_field(&schema->fields[i], event, bytes);
	require(sum != 1);
	free(event);
}

static void check_schema(const struct peat_schema *schema)
{
	uint32_t count, offset;
	const struct peat_field *fields = peat_schema__fields(schema, &count);

	require(peat_schema__name(schema) && peat_schema__bytes(schema) <= 65535);
	require(count <= 4096);
	for (uint32_t i = 0; i < count; i += fields[i].span) {
		require(fields[i].span <= count - i);
		check_field(&fields[i], schema, schema->bytes, true);
		if (!strchr(fields[i].name, '.'))
			require(peat_schema__find(schema, fields[i].name, &offset) && !offset);
	}
	read_event(schema, schema->bytes);
	read_event(schema, schema->bytes / 2);
	read_event(schema, schema->bytes + 9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *btf;
	uint32_t types;

	libbpf_set_print(NULL);
	btf = btf__new(data, (uint32_t)size);
	types = btf ? btf__type_cnt(btf) : 0;
	for (uint32_t id = 0; id <= types && btf; id++) {
		struct peat_schema *schema = peat_schema__new(btf, id);

		if (schema)
			check_schema(schema);
		peat_schema__free(schema);
		peat_schema__free(btf_schema__new_variable(btf, id));
	}
	btf__free(btf);
	return 0;
}
