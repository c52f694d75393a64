// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_tracing.c: TRACING_DATA, format texts and payloads of any bytes.
 *
 * Input: a TRACING_DATA if it begins like one, else a format text.  The texts become schemas, which
 * have to be as schema.h promises; the input's last bytes are read by them, unchanged and swapped.
 * The seeds are format texts of tracefs, and TRACING_DATA that contain some of them.
 */
#include <stdlib.h>
#include <string.h>

#include <peat/sink.h>

#include "field/fields.h"
#include "base/strbuf.h"
#include "tracepoint/format_parse.h"
#include "tracing_data/tracing_data.h"
#include "field/field_text.h"

#define PAYLOAD_MAX 96

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct payload {
	const uint8_t *at;
	size_t bytes;
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_names(const struct peat_field *field)
{
	for (uint32_t i = 0; i < field->name_count; i++) {
		require(*field->names[i].name);
		require(!i || field->names[i - 1].value < field->names[i].value);
	}
	require(!field->name_count ==
		(field->kind != PEAT_FIELD_ENUM && field->kind != PEAT_FIELD_FLAGS));
}

static void check_place(const struct peat_field *field)
{
	require(!field->bytes);
	require(field->kind == PEAT_FIELD_ARRAY || field->kind == PEAT_FIELD_STRING ||
		field->kind == PEAT_FIELD_CHARS || field->kind == PEAT_FIELD_BYTES);
}

static void check_field(const struct peat_field *field, const struct peat_schema *schema)
{
	require(field->schema == schema && field->name && !field->doc && !field->length);
	require(field->offset <= schema->bytes && field->bytes <= schema->bytes - field->offset);
	require(!field->is_signed || field->kind == PEAT_FIELD_SIGNED ||
		field->kind == PEAT_FIELD_ENUM || field->kind == PEAT_FIELD_FLAGS);
	check_names(field);
	if (field->place)
		check_place(field);
	if (field->kind != PEAT_FIELD_ARRAY) {
		require(field->span == 1);
		return;
	}
	require(field->span == 2 && field[1].span == 1 && !*field[1].name && !field[1].place);
	require(field[1].bytes && field->count * field[1].bytes == field->bytes);
	check_names(&field[1]);
}

static void check_schema(const struct peat_schema *schema)
{
	require(schema->bytes <= 65535 && schema->count <= 4096);
	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span) {
		require(schema->fields[i].span <= schema->count - i);
		check_field(&schema->fields[i], schema);
	}
}

static void print(const struct peat_schema *schema, const uint8_t *bytes, size_t count)
{
	struct strbuf out = { 0 };

	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span)
		field_text__append_quoted(&out, &schema->fields[i], bytes, (uint32_t)count,
					  SYMBOLS_ALL);
	require(!out.failed);
	for (size_t i = 0; i < out.count; i++)
		require((uint8_t)out.bytes[i] >= ' ');
	strbuf__free(&out);
}

static void read_payload(const struct trace_format *format, const struct payload *payload)
{
	uint8_t *theirs = malloc(payload->bytes + !payload->bytes);
	uint8_t *ours = malloc(payload->bytes + !payload->bytes);

	require(theirs && ours);
	memcpy(theirs, payload->at, payload->bytes);
	print(format->schema, theirs, payload->bytes);
	format_parse__to_host(format, theirs, payload->bytes, ours);
	print(format->schema, ours, payload->bytes);
	free(theirs);
	free(ours);
}

static void read_format(const char *system, const void *text, size_t bytes, uint32_t long_bytes,
			const struct payload *payload)
{
	struct trace_format format;
	const char *why = NULL;
	char *copy = malloc(bytes + !bytes); /* exactly as large: for the sanitizer */
	int err;

	require(copy);
	memcpy(copy, text, bytes);
	err = format_parse__text(&format, system, copy, bytes, long_bytes, &why);
	free(copy);
	require(err ? why && !format.schema && !format.numbers : format.schema != NULL);
	if (err)
		return;
	check_schema(format.schema);
	read_payload(&format, payload);
	format_parse__free(&format);
}

static void read_data(const void *bytes, size_t count, const struct payload *payload)
{
	struct tracing_data data;
	struct tracing_format format;
	int err = tracing_data__begin(&data, bytes, count);

	while (!err && (err = tracing_data__next(&data, &format)) == 1) {
		read_format(format.system, format.text.at, format.text.bytes, data.long_bytes,
			    payload);
		err = 0;
	}
	require(!err == !data.why && data.bad_at <= count);
	require(err || tracing_data__next(&data, &format) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t bytes = size < PAYLOAD_MAX ? size : PAYLOAD_MAX;
	const struct payload payload = { data + size - bytes, bytes };

	if (size && *data == 23)
		read_data(data, size, &payload);
	else
		read_format(NULL, data, size, 8, &payload);
	return 0;
}
