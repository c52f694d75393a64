// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/evaluate.c: the meaning of expressions: tests the fields of an event. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <peat/reader.h>

#include "base/array.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "field/several_strings.h"
#include "where/evaluate.h"
#include "where/glob.h"
#include "where/path.h"
#include "where/presence.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* The struct or the array's element that has the field, up to the end of the event. */
struct part {
	const char *data;
	uint32_t bytes;
};

struct text {
	const char *at;
	uint32_t bytes;
};

static bool find_part(const struct where_test *test, const struct peat_event *event,
		      struct part *part)
{
	part->data = event->data ? event->data : "";
	part->bytes = event->data ? event->size : 0;
	if (test->array) {
		if (test->array_base > part->bytes)
			return false;
		part->data = fields__bytes(test->array, part->data + test->array_base,
					   part->bytes - test->array_base, &part->bytes);
		if (!part->data)
			return false;
	}
	if (test->base > part->bytes)
		return false;
	part->data += test->base;
	part->bytes -= test->base;
	return true;
}

static bool read_common(const struct where_test *test, const struct peat_event *event,
			uint64_t *number)
{
	switch (test->operand) {
	case WHERE_PID:
		*number = event->pid;
		return event->pid != PEAT_NO_TASK;
	case WHERE_TID:
		*number = event->tid;
		return event->tid != PEAT_NO_TASK;
	case WHERE_CPU:
		*number = event->cpu;
		return event->cpu != PEAT_NO_CPU;
	case WHERE_TIME:
		*number = event->time_ns;
		return event->time_ns;
	case WHERE_SIZE:
		*number = event->size;
		return true;
	case WHERE_SAMPLED:
		return sampled__read(test->sampled, event, number);
	default:
		return false;
	}
}

static bool read_number(const struct where_test *test, const struct peat_event *event,
			uint64_t *number)
{
	struct part part;

	if (test->operand != WHERE_FIELD)
		return read_common(test, event, number);
	return find_part(test, event, &part) &&
	       peat_field__number(test->field, part.data, part.bytes, number);
}

static bool read_float(const struct where_test *test, const struct peat_event *event,
		       double *number)
{
	struct part part;

	return find_part(test, event, &part) &&
	       field_text__float(test->field, part.data, part.bytes, number) && !isnan(*number);
}

/* False: the field is not there, or cut though its size is fixed. */
static bool read_bytes(const struct where_test *test, const struct peat_event *event,
		       struct text *bytes)
{
	const struct peat_field *field = test->field;
	struct part part;

	if (!find_part(test, event, &part))
		return false;
	bytes->at = fields__bytes(field, part.data, part.bytes, &bytes->bytes);
	return bytes->at && (where_place__varies(field) || bytes->bytes == field->bytes);
}

/* Several strings end without the last NULs; the others are blanks. */
static bool read_text(const struct where_test *test, const struct peat_event *event,
		      struct text *text)
{
	const struct peat_field *field = test->field;
	struct part part;

	if (test->operand == WHERE_COMM || test->operand == WHERE_SAMPLED) {
		text->at = test->operand == WHERE_COMM ? event->comm
						       : sampled__text(test->sampled, event);
		text->bytes = text->at ? (uint32_t)strlen(text->at) : 0;
		return text->at;
	}
	if (!find_part(test, event, &part))
		return false;
	text->at = fields__bytes(field, part.data, part.bytes, &text->bytes);
	if (!text->at)
		return false;
	if (test->ends_at_nul && text->bytes >= field->bytes)
		text->bytes = (uint32_t)strnlen(text->at, text->bytes);
	else if (test->strings == FIELD_ONE_STRING)
		text->bytes =
			several_strings__bytes(field, part.data, part.bytes, text->at, text->bytes);
	while (text->bytes && !text->at[text->bytes - 1])
		text->bytes--;
	return true;
}

/* ---- fields that an event has to have -------------------------------------------------------- */

static bool has_field(const struct where_test *test, const struct peat_event *event)
{
	struct text text;
	uint64_t number;
	double real;

	if (test->class == PEAT_CLASS_TEXT)
		return read_text(test, event, &text);
	if (test->operand != WHERE_FIELD || fields__is_number(test->field))
		return read_number(test, event, &number);
	if (test->class == PEAT_CLASS_FLOAT)
		return read_float(test, event, &real);
	return read_bytes(test, event, &text);
}

uint32_t where_needs__bytes(const struct where_test *test)
{
	const struct peat_field *field = test->field;
	enum peat_field_class class = field ? field_type__of(field)->class : PEAT_CLASS_NUMBER;
	uint32_t end, presence_end = field ? where_presence__end(field) : 0;

	if (!field || test->array || where_place__varies(field) || class == PEAT_CLASS_FLOAT)
		return 0;
	end = field->offset + (class == PEAT_CLASS_TEXT ? 1 : field->bytes);
	return test->base + (end > presence_end ? end : presence_end);
}

static int add_need(struct where_needs *needs, const struct where_test *test)
{
	uint32_t bytes = where_needs__bytes(test);

	if (bytes > needs->bytes)
		needs->bytes = bytes;
	if (bytes && !test->field->presence)
		return 0;
	if (!ARRAY_RESERVE(needs->tests, needs->count, needs->room))
		return -ENOMEM;
	needs->tests[needs->count++] = test;
	return 0;
}

static int add_needs(struct where_needs *needs, const struct where_test *test)
{
	int err;

	for (;; test = test->b) {
		while (test->op == WHERE_NOT)
			test = test->a;
		if (test->op != WHERE_AND && test->op != WHERE_OR)
			break;
		err = add_needs(needs, test->a);
		if (err)
			return err;
	}
	/* A test of another type needs no field. */
	return test->operand == WHERE_FIELD && !test->field ? 0 : add_need(needs, test);
}

int where_needs__init(struct where_needs *needs, const struct where_test *tree)
{
	*needs = (struct where_needs){ 0 };
	return add_needs(needs, tree);
}

static bool has_fields(const struct where_needs *needs, const struct peat_event *event)
{
	if (needs->bytes && (event->size < needs->bytes || !event->data))
		return false;
	for (uint32_t i = 0; i < needs->count; i++)
		if (!has_field(needs->tests[i], event))
			return false;
	return true;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The event is known to have the field. */
static uint64_t load_plain(const struct where_test *test, const struct peat_event *event)
{
	const char *at = (const char *)event->data + test->base + test->field->offset;
	uint32_t unused = 64 - 8u * test->plain_bytes;
	uint64_t number;
	uint32_t four;
	uint16_t two;

	if (test->plain_bytes == sizeof(four)) {
		memcpy(&four, at, sizeof(four));
		number = four;
	} else if (test->plain_bytes == sizeof(number)) {
		memcpy(&number, at, sizeof(number));
	} else if (test->plain_bytes == sizeof(two)) {
		memcpy(&two, at, sizeof(two));
		number = two;
	} else {
		number = (uint8_t)*at;
	}
	return test->is_signed ? (uint64_t)((int64_t)(number << unused) >> unused) : number;
}

static bool holds_for_number(const struct where_test *test, const struct peat_event *event)
{
	uint64_t number = 0;

	if (test->plain_bytes)
		number = load_plain(test, event);
	else
		read_number(test, event, &number);
	if (test->op == WHERE_EQUAL)
		return (number & test->mask) == test->value;
	if (test->op == WHERE_ANY_BIT)
		return number & test->mask;
	return test->is_signed ? (int64_t)number < (int64_t)test->value : number < test->value;
}

static bool holds_for_float(const struct where_test *test, const struct peat_event *event)
{
	double number = 0, value;

	memcpy(&value, &test->value, sizeof(value));
	read_float(test, event, &number);
	return test->op == WHERE_FLOAT_LESS ? number < value : number == value;
}

static bool holds_for_bytes(const struct where_test *test, const struct peat_event *event)
{
	struct text bytes = { 0 };

	read_bytes(test, event, &bytes);
	if (bytes.bytes != test->byte_count)
		return false;
	for (uint32_t i = 0; i < test->byte_count; i++)
		if (((uint8_t)bytes.at[i] & test->byte_mask[i]) != test->bytes[i])
			return false;
	return true;
}

static bool begins_with_text(const struct text *text, const struct where_test *test)
{
	for (uint32_t i = 0; i < test->text_bytes; i++)
		if ((text->at[i] ? text->at[i] : ' ') != test->text[i])
			return false;
	return true;
}

static bool holds_for_text(const struct where_test *test, const struct peat_event *event)
{
	struct text text = { "", 0 };

	read_text(test, event, &text);
	if (test->op == WHERE_TEXT_GLOB)
		return where_glob__matches(test->text, text.at, text.bytes);
	if (test->op == WHERE_TEXT_EQUAL && text.bytes != test->text_bytes)
		return false;
	return text.bytes >= test->text_bytes && begins_with_text(&text, test);
}

static bool holds_for_field(const struct where_test *test, const struct peat_event *event)
{
	switch (test->op) {
	case WHERE_TRUE:
		return true;
	case WHERE_FALSE:
		return false;
	case WHERE_BYTES_EQUAL:
		return holds_for_bytes(test, event);
	case WHERE_TEXT_EQUAL:
	case WHERE_TEXT_BEGINS:
	case WHERE_TEXT_GLOB:
		return holds_for_text(test, event);
	case WHERE_FLOAT_LESS:
	case WHERE_FLOAT_EQUAL:
		return holds_for_float(test, event);
	default:
		return holds_for_number(test, event);
	}
}

/* Follows the chain of `b`, with the number of NOTs so far; only `a` of AND and OR recurses. */
static bool holds(const struct where_test *test, const struct peat_event *event)
{
	bool negated = false;

	for (;;) {
		if (test->op == WHERE_NOT) {
			negated = !negated;
			test = test->a;
		} else if (test->op == WHERE_AND || test->op == WHERE_OR) {
			if (holds(test->a, event) == (test->op == WHERE_OR))
				return (test->op == WHERE_OR) != negated;
			test = test->b;
		} else {
			return holds_for_field(test, event) != negated;
		}
	}
}

bool where_evaluate(const struct where_test *tree, const struct where_needs *needs,
		    const struct peat_event *event)
{
	return has_fields(needs, event) && holds(tree, event);
}
