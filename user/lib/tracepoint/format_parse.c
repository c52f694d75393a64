// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * trace_format.c: a tracepoint's format text becomes a schema.
 *
 *	name: sched_process_exec
 *	ID: 365
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		...
 *
 *		field:__data_loc char[] filename;	offset:8;	size:4;	signed:0;
 *		...
 *
 *	print fmt: "filename=%s ...", __get_str(filename), ...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "schema/plan.h"
#include "tracepoint/format_parse.h"
#include "tracepoint/format_print.h"
#include "tracepoint/format_type.h"

#define TEXT_MAX      (16U << 20) /* the kernel's have some kilobytes */
#define PAYLOAD_MAX   65535
#define SHOWN_MAX     (8U << 20) /* by one event: fields may lie over each other */
#define NAMESAKES_MAX 8

struct reader {
	char *text, *at, *end; /* a copy, in which the names of fields are ended */
	uint32_t long_bytes;
	char *name;
	char *print;
	bool has_id, has_fields, past_common;
	uint32_t bytes; /* of a payload without what has a place */
	uint64_t shown;
	struct plan plan;
	struct trace_format *format;
	const char *why;
};

/* What a line says of a field behind its type. */
struct place {
	uint32_t offset, bytes;
	bool is_signed;
};

static int bad(struct reader *reader, const char *why)
{
	reader->why = why;
	return -EBADMSG;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void skip_blanks(char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
}

static bool take_word(char **at, const char *end, const char *word)
{
	size_t bytes = strlen(word);

	skip_blanks(at, end);
	if ((size_t)(end - *at) < bytes || memcmp(*at, word, bytes))
		return false;
	*at += bytes;
	return true;
}

static bool take_number(char **at, const char *end, uint32_t *number)
{
	uint64_t value = 0;
	char *start;

	skip_blanks(at, end);
	for (start = *at; *at < end && **at >= '0' && **at <= '9' && value <= UINT32_MAX; ++*at)
		value = value * 10 + (uint64_t)(**at - '0');
	*number = (uint32_t)value;
	return *at > start && value <= UINT32_MAX;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* "offset:8;	size:4;	signed:0;" and what later kernels may say. */
static bool read_place(char *at, const char *end, struct place *place)
{
	bool has_offset = false, has_bytes = false;

	for (;;) {
		char *stop = memchr(at, ';', (size_t)(end - at));
		uint32_t number;

		if (!stop)
			return has_offset && has_bytes;
		if (take_word(&at, stop, "offset:"))
			has_offset = take_number(&at, stop, &place->offset) && at == stop;
		else if (take_word(&at, stop, "size:"))
			has_bytes = take_number(&at, stop, &place->bytes) && at == stop;
		else if (take_word(&at, stop, "signed:") && take_number(&at, stop, &number))
			place->is_signed = number;
		at = stop + 1;
	}
}

static int add_numbers(struct reader *reader, const struct peat_field *field, uint32_t each)
{
	struct trace_format *format = reader->format;
	uint32_t count = format->number_count;
	struct trace_numbers *numbers = format->numbers;

	if (!(count & (count - 1))) /* full, as all powers of two are */
		numbers = reallocarray(numbers, count ? 2 * count : 1, sizeof(*numbers));
	if (!numbers)
		return -ENOMEM;
	format->numbers = numbers;
	numbers[count] = (struct trace_numbers){ field->offset, field->bytes, each, field->place };
	format->number_count = count + 1;
	return 0;
}

static bool is_size_of_number(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static int add_field(struct reader *reader, const struct peat_field *field)
{
	int index = plan__add(&reader->plan, field);

	if (index == -EINVAL)
		return bad(reader, "it has more than 4096 fields");
	return index < 0 ? index : 0;
}

/* The kind of one number of this type. */
static void set_kind(struct peat_field *field, const struct trace_type *type, bool is_signed)
{
	field->kind = is_signed ? PEAT_FIELD_SIGNED : PEAT_FIELD_UNSIGNED;
	field->is_signed = is_signed;
	field->big_endian = type->class == TRACE_NETWORK;
	if (type->class == TRACE_BOOL && field->bytes == 1)
		field->kind = PEAT_FIELD_BOOL;
	else if (type->class == TRACE_HEX)
		field->kind = PEAT_FIELD_HEX;
	else if (type->class == TRACE_NETWORK && field->bytes == 2)
		field->kind = PEAT_FIELD_PORT;
	else if (type->class == TRACE_NETWORK && field->bytes == 4)
		field->kind = PEAT_FIELD_IPV4;
	if (field->kind != PEAT_FIELD_SIGNED)
		field->is_signed = false;
}

static bool is_number(const struct trace_type *type, uint32_t bytes)
{
	return type->class != TRACE_OPAQUE && is_size_of_number(bytes);
}

/* How many bytes an element has; 0: it is none that could be shown by itself. */
static uint32_t element_bytes(const struct trace_type *type, uint32_t all)
{
	uint32_t each = type->count && all ? all / type->count : type->each;

	if (!is_number(type, each) || all % each || (type->count && all && all % type->count))
		return 0;
	return each;
}

static int add_array(struct reader *reader, const struct trace_type *type, struct peat_field *field,
		     bool is_signed)
{
	uint32_t each = element_bytes(type, field->bytes);
	struct peat_field element = { .name = "", .span = 1, .bytes = each };
	int err;

	field->kind = type->class == TRACE_TEXT ? PEAT_FIELD_STRING : PEAT_FIELD_BYTES;
	set_kind(&element, type, is_signed);
	if (!each || type->class == TRACE_TEXT ||
	    (each == 1 && element.kind == PEAT_FIELD_UNSIGNED))
		return add_field(reader, field);
	field->kind = PEAT_FIELD_ARRAY;
	field->span = 2;
	field->count = field->bytes / each;
	err = add_field(reader, field);
	if (!err)
		err = add_field(reader, &element);
	if (!err && !element.big_endian && each > 1)
		err = add_numbers(reader, field, each);
	return err;
}

static int add_one(struct reader *reader, const struct trace_type *type, struct peat_field *field,
		   bool is_signed)
{
	int err;

	if (!field->bytes)
		return 0; /* nothing, in which there is nothing to see */
	if (is_number(type, field->bytes))
		set_kind(field, type, is_signed);
	else
		field->kind = PEAT_FIELD_BYTES;
	err = add_field(reader, field);
	if (!err && field->kind != PEAT_FIELD_BYTES && !field->big_endian)
		err = add_numbers(reader, field, field->bytes);
	return err;
}

/*
 * Ends the field's name where it stands.  One that is taken gets _ behind it, over what followed it
 * in its line: more than `; offset: ; size: ;`, which has been read.
 */
static const char *end_name(struct reader *reader, const struct trace_type *type)
{
	char *name = reader->text + (type->name - reader->text), *end = name + type->name_bytes;

	for (int i = 0; i <= NAMESAKES_MAX; i++) {
		*end = '\0';
		if (plan__find(&reader->plan, 0, reader->plan.count, name) < 0)
			return name;
		*end++ = '_';
	}
	return NULL;
}

static int check_place(struct reader *reader, const struct trace_type *type,
		       const struct place *place)
{
	uint64_t end = (uint64_t)place->offset + place->bytes;

	if (end > PAYLOAD_MAX)
		return bad(reader, "a field ends behind any event");
	if (type->place && place->bytes != sizeof(uint32_t))
		return bad(reader, "the place of a field has not 4 bytes");
	if (end > reader->bytes)
		reader->bytes = (uint32_t)end;
	reader->shown += type->place || !place->bytes ? PAYLOAD_MAX : place->bytes;
	return reader->shown > SHOWN_MAX ? bad(reader, "its fields lie over each other") : 0;
}

/* A number that is not shown: what all events have, and the place of others. */
static int add_hidden(struct reader *reader, const struct place *place)
{
	struct peat_field field = { .offset = place->offset, .bytes = place->bytes };

	return is_size_of_number(place->bytes) ? add_numbers(reader, &field, place->bytes) : 0;
}

static int read_field(struct reader *reader, char *at, char *end)
{
	char *colon = memchr(at, ':', (size_t)(end - at));
	char *stop = colon ? memchr(colon, ';', (size_t)(end - colon)) : NULL;
	struct peat_field field = { .span = 1 };
	struct place place = { 0 };
	struct trace_type type;
	int err;

	if (!stop ||
	    !trace_type__read(&type, colon + 1, (size_t)(stop - colon - 1), reader->long_bytes))
		return bad(reader, "a field has no type or no name");
	reader->has_fields = true;
	place.is_signed = type.is_signed;
	if (!read_place(stop + 1, end, &place) || *end != '\n')
		return bad(reader, "a field has no offset or no size");
	if (type.place)
		place.is_signed = type.is_signed; /* the line speaks of the place */
	err = check_place(reader, &type, &place);
	if (err)
		return err;
	if (!reader->past_common && type.name_bytes > 7 && !memcmp(type.name, "common_", 7))
		return add_hidden(reader, &place);
	field.name = end_name(reader, &type);
	if (!field.name)
		return bad(reader, "too many of its fields have the same name");
	field.offset = place.offset;
	field.place = type.place;
	field.bytes = type.place ? 0 : place.bytes;
	err = type.place ? add_hidden(reader, &place) : 0;
	if (err)
		return err;
	return type.is_array || type.place ? add_array(reader, &type, &field, place.is_signed)
					   : add_one(reader, &type, &field, place.is_signed);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int read_name(struct reader *reader, char *at, char *end)
{
	skip_blanks(&at, end);
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (at == end)
		return bad(reader, "its name is empty");
	*end = '\0';
	reader->name = at;
	return 0;
}

static int read_id(struct reader *reader, char *at, char *end)
{
	reader->has_id = take_number(&at, end, &reader->format->id);
	return reader->has_id ? 0 : bad(reader, "its id is no number");
}

/* `end`: of the line, where there is a byte more to be written to. */
static int read_line(struct reader *reader, char *at, char *end)
{
	skip_blanks(&at, end);
	if (at == end)
		reader->past_common |= reader->has_fields;
	else if (take_word(&at, end, "name:"))
		return read_name(reader, at, end);
	else if (take_word(&at, end, "ID:"))
		return read_id(reader, at, end);
	else if (take_word(&at, end, "field"))
		return read_field(reader, at, end); /* "field:", or "field special:" long ago */
	else if (take_word(&at, end, "print fmt:"))
		reader->print = at;
	return 0;
}

/* What is printed may be lines long, and is the last. */
static int read_lines(struct reader *reader)
{
	int err = 0;

	while (!err && !reader->print && reader->at < reader->end) {
		char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));

		if (!end)
			end = reader->end;
		err = read_line(reader, reader->at, end);
		reader->at = end + 1;
	}
	return err;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* "sched:sched_switch" */
static char *join(const char *system, const char *name)
{
	size_t bytes = system ? strlen(system) + 1 : 0;
	char *joined = malloc(bytes + strlen(name) + 1);

	if (!joined)
		return NULL;
	if (system) {
		memcpy(joined, system, bytes);
		joined[bytes - 1] = ':';
	}
	memcpy(joined + bytes, name, strlen(name) + 1);
	return joined;
}

static int pack(struct reader *reader, const char *system)
{
	char *name = join(system, reader->name);
	int err;

	if (!name)
		return -ENOMEM;
	err = plan__pack(&reader->plan, name, NULL, reader->bytes, fields__event_reserved,
			 &reader->format->schema);
	free(name);
	return err == -EBADMSG ? bad(reader, "it has too much text") : err;
}

static int read_text(struct reader *reader, const char *system)
{
	int err = read_lines(reader);

	if (err)
		return err;
	if (!reader->name || !reader->has_id)
		return bad(reader, "it has no name or no id");
	if (!reader->has_fields)
		return bad(reader, "it has no fields");
	if (reader->print)
		err = trace_print__refine(&reader->plan, reader->print,
					  (size_t)(reader->end - reader->print));
	return err ? err : pack(reader, system);
}

int trace_format__read(struct trace_format *format, const char *system, const char *text,
		       size_t bytes, uint32_t long_bytes, const char **why)
{
	struct reader reader = { .long_bytes = long_bytes, .format = format };
	int err = -ENOMEM;

	*format = (struct trace_format){ 0 };
	*why = "it has too much text";
	if (bytes > TEXT_MAX)
		return -EBADMSG;
	bytes = strnlen(text, bytes);
	reader.text = reader.at = malloc(bytes + 1);
	if (reader.text) {
		memcpy(reader.text, text, bytes);
		reader.end = reader.text + bytes;
		*reader.end = '\0';
		err = read_text(&reader, system);
	}
	plan__free(&reader.plan);
	free(reader.text);
	if (err)
		trace_format__free(format);
	*why = err == -ENOMEM ? "no memory for it" : reader.why;
	return err;
}

bool trace_format__id(const char *text, size_t bytes, uint32_t *id)
{
	char *at = (char *)text, *end = at + bytes; /* nothing is written to it */

	while (at < end && !take_word(&at, end, "ID:")) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		at = newline ? newline + 1 : end;
	}
	return at < end && take_number(&at, end, id);
}

void trace_format__free(struct trace_format *format)
{
	peat_schema__free(format->schema);
	free(format->numbers);
	*format = (struct trace_format){ 0 };
}

/* ---- the other byte order -------------------------------------------------------------------- */

static void copy_swapped(char *to, const char *from, uint32_t bytes, uint32_t each)
{
	for (uint32_t i = 0; i + each <= bytes; i += each) {
		uint16_t two;
		uint32_t four;
		uint64_t eight;

		if (each == 2) {
			two = load_u16(from + i, true);
			memcpy(to + i, &two, sizeof(two));
		} else if (each == 4) {
			four = load_u32(from + i, true);
			memcpy(to + i, &four, sizeof(four));
		} else if (each == 8) {
			eight = load_u64(from + i, true);
			memcpy(to + i, &eight, sizeof(eight));
		}
	}
}

/*
 * From the payload, however often: fields may lie over each other.  The places of others are read
 * from `out`, as they are in the list before what is there.
 */
void trace_format__to_host(const struct trace_format *format, const void *payload, size_t bytes,
			   void *out)
{
	uint32_t size = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;

	memcpy(out, payload, bytes);
	for (uint32_t i = 0; i < format->number_count; i++) {
		const struct trace_numbers *numbers = &format->numbers[i];
		const struct peat_field field = { .kind = PEAT_FIELD_BYTES,
						  .offset = numbers->offset,
						  .bytes = numbers->bytes,
						  .place = numbers->place };
		uint32_t count;
		const char *at = fields__bytes(&field, out, size, &count);

		if (at)
			copy_swapped((char *)out + (at - (const char *)out),
				     (const char *)payload + (at - (const char *)out), count,
				     numbers->each);
	}
}
