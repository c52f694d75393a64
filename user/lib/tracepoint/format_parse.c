// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tracepoint/format_parse.c: parses a tracepoint's format text into a schema.
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

#include "base/array.h"
#include "base/cursor.h"
#include "schema/plan.h"
#include "tracepoint/format_parse.h"
#include "tracepoint/format_print.h"
#include "tracepoint/format_type.h"

#define TEXT_MAX      (16U << 20) /* the kernel's formats have some kilobytes */
#define PAYLOAD_MAX   65535
#define SHOWN_MAX     (8U << 20) /* bytes printed for an event: fields may overlap */
#define NAMESAKES_MAX 8

struct parser {
	char *text, *at, *end; /* a copy, in which the names of fields are terminated */
	uint32_t long_bytes;
	char *name;
	char *print;
	bool has_id, has_fields, past_common;
	uint32_t bytes; /* size of a payload without its dynamic part */
	uint64_t shown; /* bytes printed for an event, at most */
	struct plan plan;
	struct trace_format *format;
	const char *why;
};

/* The attributes of a field after its declaration. */
struct place {
	uint32_t offset, bytes;
	bool is_signed;
};

static int fail_format(struct parser *parser, const char *why)
{
	parser->why = why;
	return -EBADMSG;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void skip_line_blanks(char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
}

static bool skip_keyword(char **at, const char *end, const char *word)
{
	size_t bytes = strlen(word);

	skip_line_blanks(at, end);
	if ((size_t)(end - *at) < bytes || memcmp(*at, word, bytes))
		return false;
	*at += bytes;
	return true;
}

static bool parse_decimal(char **at, const char *end, uint32_t *number)
{
	uint64_t value = 0;
	char *start;

	skip_line_blanks(at, end);
	for (start = *at; *at < end && **at >= '0' && **at <= '9' && value <= UINT32_MAX; ++*at)
		value = value * 10 + (uint64_t)(**at - '0');
	*number = (uint32_t)value;
	return *at > start && value <= UINT32_MAX;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Parses "offset:8;	size:4;	signed:0;"; ignores unknown attributes of later kernels. */
static bool parse_attributes(char *at, const char *end, struct place *place)
{
	bool has_offset = false, has_bytes = false;

	for (;;) {
		char *stop = memchr(at, ';', (size_t)(end - at));
		uint32_t number;

		if (!stop)
			return has_offset && has_bytes;
		if (skip_keyword(&at, stop, "offset:"))
			has_offset = parse_decimal(&at, stop, &place->offset) && at == stop;
		else if (skip_keyword(&at, stop, "size:"))
			has_bytes = parse_decimal(&at, stop, &place->bytes) && at == stop;
		else if (skip_keyword(&at, stop, "signed:") && parse_decimal(&at, stop, &number))
			place->is_signed = number;
		at = stop + 1;
	}
}

static int add_swapped_numbers(struct parser *parser, const struct peat_field *field, uint32_t each)
{
	struct trace_format *format = parser->format;

	if (!ARRAY_RESERVE_NEXT(format->numbers, format->number_count))
		return -ENOMEM;
	format->numbers[format->number_count++] =
		(struct trace_numbers){ field->offset, field->bytes, each, field->place };
	return 0;
}

static bool is_size_of_number(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static int add_plan_field(struct parser *parser, const struct peat_field *field)
{
	int index = plan__add(&parser->plan, field);

	if (index == -EINVAL)
		return fail_format(parser, "it has more than 4096 fields");
	return index < 0 ? index : 0;
}

/* Sets the kind of a number of this type. */
static void set_number_kind(struct peat_field *field, const struct trace_type *type, bool is_signed)
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

static bool is_number_type(const struct trace_type *type, uint32_t bytes)
{
	return type->class != TRACE_OPAQUE && is_size_of_number(bytes);
}

/* The size of an element in bytes; 0: elements cannot be printed alone. */
static uint32_t element_bytes(const struct trace_type *type, uint32_t all)
{
	uint32_t each = type->count && all ? all / type->count : type->each;

	if (!is_number_type(type, each) || all % each || (type->count && all && all % type->count))
		return 0;
	return each;
}

static int add_array_field(struct parser *parser, const struct trace_type *type,
			   struct peat_field *field, bool is_signed)
{
	uint32_t each = element_bytes(type, field->bytes);
	struct peat_field element = { .name = "", .span = 1, .bytes = each };
	int err;

	field->kind = type->class == TRACE_TEXT ? PEAT_FIELD_STRING : PEAT_FIELD_BYTES;
	set_number_kind(&element, type, is_signed);
	if (!each || type->class == TRACE_TEXT ||
	    (each == 1 && element.kind == PEAT_FIELD_UNSIGNED))
		return add_plan_field(parser, field);
	field->kind = PEAT_FIELD_ARRAY;
	field->span = 2;
	field->count = field->bytes / each;
	err = add_plan_field(parser, field);
	if (!err)
		err = add_plan_field(parser, &element);
	if (!err && !element.big_endian && each > 1)
		err = add_swapped_numbers(parser, field, each);
	return err;
}

static int add_single_field(struct parser *parser, const struct trace_type *type,
			    struct peat_field *field, bool is_signed)
{
	int err;

	if (!field->bytes)
		return 0; /* an empty struct */
	if (is_number_type(type, field->bytes))
		set_number_kind(field, type, is_signed);
	else
		field->kind = PEAT_FIELD_BYTES;
	err = add_plan_field(parser, field);
	if (!err && field->kind != PEAT_FIELD_BYTES && !field->big_endian)
		err = add_swapped_numbers(parser, field, field->bytes);
	return err;
}

/*
 * Terminates the field's name in place.  A name that is used gets a '_' at its end.  It overwrites
 * the line after the name, which is longer than `; offset: ; size: ;` and has been parsed.
 */
static const char *terminate_name(struct parser *parser, const struct trace_type *type)
{
	char *name = parser->text + (type->name - parser->text), *end = name + type->name_bytes;

	for (int i = 0; i <= NAMESAKES_MAX; i++) {
		*end = '\0';
		if (plan__find(&parser->plan, 0, parser->plan.count, name) < 0)
			return name;
		*end++ = '_';
	}
	return NULL;
}

static int check_attributes(struct parser *parser, const struct trace_type *type,
			    const struct place *place)
{
	uint64_t end = (uint64_t)place->offset + place->bytes;

	if (end > PAYLOAD_MAX)
		return fail_format(parser, "a field ends beyond the largest event");
	if (type->place && place->bytes != sizeof(uint32_t))
		return fail_format(parser, "the place of a field does not have 4 bytes");
	if (end > parser->bytes)
		parser->bytes = (uint32_t)end;
	parser->shown += type->place || !place->bytes ? PAYLOAD_MAX : place->bytes;
	return parser->shown > SHOWN_MAX ? fail_format(parser, "its fields overlap too much") : 0;
}

/* Adds a number that is swapped but not printed: a common field, or the place of a field. */
static int add_hidden_number(struct parser *parser, const struct place *place)
{
	struct peat_field field = { .offset = place->offset, .bytes = place->bytes };

	return is_size_of_number(place->bytes) ? add_swapped_numbers(parser, &field, place->bytes)
					       : 0;
}

static int parse_field(struct parser *parser, char *at, char *end)
{
	char *colon = memchr(at, ':', (size_t)(end - at));
	char *stop = colon ? memchr(colon, ';', (size_t)(end - colon)) : NULL;
	struct peat_field field = { .span = 1 };
	struct place place = { 0 };
	struct trace_type type;
	int err;

	if (!stop ||
	    !format_type__parse(&type, colon + 1, (size_t)(stop - colon - 1), parser->long_bytes))
		return fail_format(parser, "a field has no type or no name");
	parser->has_fields = true;
	place.is_signed = type.is_signed;
	if (!parse_attributes(stop + 1, end, &place) || *end != '\n')
		return fail_format(parser, "a field has no offset or no size");
	if (type.place)
		place.is_signed = type.is_signed; /* the line's "signed:" is for the place */
	err = check_attributes(parser, &type, &place);
	if (err)
		return err;
	if (!parser->past_common && type.name_bytes > 7 && !memcmp(type.name, "common_", 7))
		return add_hidden_number(parser, &place);
	field.name = terminate_name(parser, &type);
	if (!field.name)
		return fail_format(parser, "too many of its fields have the same name");
	field.offset = place.offset;
	field.place = type.place;
	field.bytes = type.place ? 0 : place.bytes;
	err = type.place ? add_hidden_number(parser, &place) : 0;
	if (err)
		return err;
	return type.is_array || type.place
		       ? add_array_field(parser, &type, &field, place.is_signed)
		       : add_single_field(parser, &type, &field, place.is_signed);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int parse_event_name(struct parser *parser, char *at, char *end)
{
	skip_line_blanks(&at, end);
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (at == end)
		return fail_format(parser, "its name is empty");
	*end = '\0';
	parser->name = at;
	return 0;
}

static int parse_format_id(struct parser *parser, char *at, char *end)
{
	parser->has_id = parse_decimal(&at, end, &parser->format->id);
	return parser->has_id ? 0 : fail_format(parser, "its id is not a number");
}

/* `end`: end of the line; the byte there may be overwritten. */
static int parse_format_line(struct parser *parser, char *at, char *end)
{
	skip_line_blanks(&at, end);
	if (at == end)
		parser->past_common |= parser->has_fields;
	else if (skip_keyword(&at, end, "name:"))
		return parse_event_name(parser, at, end);
	else if (skip_keyword(&at, end, "ID:"))
		return parse_format_id(parser, at, end);
	else if (skip_keyword(&at, end, "field")) /* "field:", or "field special:" in old kernels */
		return parse_field(parser, at, end);
	else if (skip_keyword(&at, end, "print fmt:"))
		parser->print = at;
	return 0;
}

/* "print fmt:" is the last part, and may have several lines. */
static int parse_lines(struct parser *parser)
{
	int err = 0;

	while (!err && !parser->print && parser->at < parser->end) {
		char *end = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));

		if (!end)
			end = parser->end;
		err = parse_format_line(parser, parser->at, end);
		parser->at = end + 1;
	}
	return err;
}

/* ---- the format ------------------------------------------------------------------------------ */

/* "sched:sched_switch" */
static char *join_name(const char *system, const char *name)
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

static int pack_schema(struct parser *parser, const char *system)
{
	char *name = join_name(system, parser->name);
	int err;

	if (!name)
		return -ENOMEM;
	err = plan__pack(&parser->plan, name, NULL, parser->bytes, fields__event_reserved,
			 &parser->format->schema);
	free(name);
	return err == -EBADMSG ? fail_format(parser, "it has too much text") : err;
}

static int parse_format(struct parser *parser, const char *system)
{
	int err = parse_lines(parser);

	if (err)
		return err;
	if (!parser->name || !parser->has_id)
		return fail_format(parser, "it has no name or no id");
	if (!parser->has_fields)
		return fail_format(parser, "it has no fields");
	if (parser->print)
		err = format_print__refine(&parser->plan, parser->print,
					   (size_t)(parser->end - parser->print));
	return err ? err : pack_schema(parser, system);
}

int format_parse__text(struct trace_format *format, const char *system, const char *text,
		       size_t bytes, uint32_t long_bytes, const char **why)
{
	struct parser parser = { .long_bytes = long_bytes, .format = format };
	int err = -ENOMEM;

	*format = (struct trace_format){ 0 };
	*why = "it has too much text";
	if (bytes > TEXT_MAX)
		return -EBADMSG;
	bytes = strnlen(text, bytes);
	parser.text = parser.at = malloc(bytes + 1);
	if (parser.text) {
		memcpy(parser.text, text, bytes);
		parser.end = parser.text + bytes;
		*parser.end = '\0';
		err = parse_format(&parser, system);
	}
	plan__free(&parser.plan);
	free(parser.text);
	if (err)
		format_parse__free(format);
	*why = err == -ENOMEM ? "out of memory" : parser.why;
	return err;
}

bool format_parse__id(const char *text, size_t bytes, uint32_t *id)
{
	char *at = (char *)text, *end = at + bytes; /* not written to */

	while (at < end && !skip_keyword(&at, end, "ID:")) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		at = newline ? newline + 1 : end;
	}
	return at < end && parse_decimal(&at, end, id);
}

void format_parse__free(struct trace_format *format)
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
 * Always swaps from the payload, since fields may overlap.  The places of dynamic fields are read
 * from `out`: they precede these fields in the list and are swapped before.
 */
void format_parse__to_host(const struct trace_format *format, const void *payload, size_t bytes,
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
