// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where_evaluate.c: the slow evaluator of random expressions. */
#include <fnmatch.h>
#include <string.h>

#include "support/machine/harness.h"
#include "support/where/where_tree.h"

uint32_t where_tree__bits(const struct peat_field *field)
{
	return field->bits ? field->bits : field->bytes * 8;
}

bool where_tree__is_big(const struct peat_field *field)
{
	return field->big_endian || __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* Whether the event has room for the field, and no other field says that it is absent. */
static bool is_there(const struct random_field *at, const struct peat_event *event)
{
	uint64_t present;

	if (at->base + at->field.offset + at->field.bytes > event->size)
		return false;
	return !at->field.presence ||
	       (peat_field__number(at->field.presence, (const char *)event->data + at->base,
				   event->size - at->base, &present) &&
		present);
}

/* A number with a length is there if all its bytes are in use. */
static bool is_in_use(const struct random_field *at, const struct peat_event *event)
{
	uint64_t length;

	return !at->field.length ||
	       !peat_field__number(at->field.length, (const char *)event->data + at->base,
				   event->size - at->base, &length) ||
	       length >= at->field.bytes;
}

enum result where_tree__number(const struct random_field *at, const struct peat_event *event,
			       __int128 *number)
{
	const uint64_t common[] = { 0,		event->pid,	event->tid,
				    event->cpu, event->time_ns, event->size };
	const struct peat_field *field = &at->field;
	const uint8_t *from = (const uint8_t *)event->data + at->base + field->offset;

	*number = 0;
	if (at->common) {
		*number = common[at->common];
		return (at->common < 4 && *number == UINT32_MAX) || (at->common == 4 && !*number)
			       ? MISSING
			       : YES;
	}
	if (!is_there(at, event) || !is_in_use(at, event))
		return MISSING;
	for (uint32_t bit = 0; bit < where_tree__bits(field); bit++) {
		uint32_t place = bit + field->bit_offset, byte = place / 8;

		byte = where_tree__is_big(field) ? field->bytes - 1 - byte : byte;
		if (from[byte] >> place % 8 & 1)
			*number += bit == where_tree__bits(field) - 1 && field->is_signed
					   ? -((__int128)1 << bit)
					   : (__int128)1 << bit;
	}
	return YES;
}

static enum result compare_numbers(const struct node *node, const struct peat_event *event)
{
	__int128 width = (__int128)1 << where_tree__bits(&node->field->field), number, value;
	enum result found = where_tree__number(node->field, event, &number);

	if (found == MISSING)
		return MISSING;
	value = node->values[0].number;
	if (node->has_mask) {
		bool fits = value >= -(width >> 1) && value < width; /* in either sign */

		number &= node->mask.number & (width - 1);
		if (node->op != SET)
			return ((fits && number == (value & (width - 1))) == (node->op == EQUAL));
	}
	switch (node->op) {
	case SET:
		return number != 0;
	case LESS:
		return number < value;
	case AT_MOST:
		return number <= value;
	case MORE:
		return number > value;
	case AT_LEAST:
		return number >= value;
	case UNEQUAL:
		return number != value &&
		       !(node->field->field.kind == PEAT_FIELD_BOOL && number && value);
	default:
		break;
	}
	for (int i = 0; i < node->value_count; i++)
		if (number == node->values[i].number ||
		    (node->field->field.kind == PEAT_FIELD_BOOL && number &&
		     node->values[i].number))
			return YES;
	return NO;
}

static enum result compare_reals(const struct node *node, const struct peat_event *event)
{
	const struct random_field *at = node->field;
	const char *from = (const char *)event->data + at->base + at->field.offset;
	double real, value = node->values[0].real;
	float single;

	if (!is_there(at, event))
		return MISSING;
	memcpy(&single, from, 4);
	real = (double)single;
	if (at->field.bytes == 8)
		memcpy(&real, from, 8);
	if (real != real)
		return MISSING;
	switch (node->op) {
	case SET:
		return real != 0;
	case LESS:
		return real < value;
	case AT_MOST:
		return real <= value;
	case MORE:
		return real > value;
	case AT_LEAST:
		return real >= value;
	case UNEQUAL:
		return real != value;
	default:
		break;
	}
	for (int i = 0; i < node->value_count; i++)
		if (real == node->values[i].real)
			return YES;
	return NO;
}

static bool same_bytes(const struct node *node, const uint8_t *from, const struct value *value)
{
	for (uint32_t bit = 0; bit < node->field->field.bytes * 8; bit++) {
		uint8_t in_byte = (uint8_t)(0x80 >> bit % 8);
		bool in_mask = !node->has_mask || node->mask.bytes[bit / 8] & in_byte;

		if (bit < value->prefix &&
		    (from[bit / 8] & in_byte && in_mask) != !!(value->bytes[bit / 8] & in_byte))
			return false;
	}
	return true;
}

static enum result compare_bytes(const struct node *node, const struct peat_event *event)
{
	const struct random_field *at = node->field;
	const uint8_t *from = (const uint8_t *)event->data + at->base + at->field.offset;
	struct value zero = { .prefix = 144 };

	if (!is_there(at, event))
		return MISSING;
	if (node->op == SET)
		return !same_bytes(node, from, &zero);
	for (int i = 0; i < node->value_count; i++)
		if (same_bytes(node, from, &node->values[i]))
			return node->op != UNEQUAL;
	return node->op == UNEQUAL;
}

enum result where_tree__text(const struct random_field *at, const struct peat_event *event,
			     char text[FIELD_TEXT_BYTES])
{
	const char *data = (const char *)event->data + at->base;
	size_t used;

	text[0] = 0;
	if (at->common && !event->comm)
		return MISSING;
	if (at->common) {
		strcpy(text, event->comm);
		return YES;
	}
	if (at->base > event->size)
		return MISSING;
	used = peat_field__text(&at->field, data, event->size - at->base, text, FIELD_TEXT_BYTES);
	while (at->field.kind == PEAT_FIELD_STRINGS && used >= 2 &&
	       !strcmp(text + used - 2, "\"\""))
		text[used -= used > 2 ? 3 : 2] = 0;
	return strcmp(text, "-") ? YES : MISSING;
}

static enum result compare_texts(const struct node *node, const struct peat_event *event)
{
	char text[FIELD_TEXT_BYTES];

	if (where_tree__text(node->field, event, text) == MISSING)
		return MISSING;
	if (node->op == SET)
		return *text != 0;
	if (node->op == GLOB || node->op == NO_GLOB)
		return (fnmatch(node->values[0].text, text, 0) == 0) == (node->op == GLOB);
	for (int i = 0; i < node->value_count; i++)
		if (!strcmp(node->values[i].text, text))
			return node->op != UNEQUAL;
	return node->op == UNEQUAL;
}

static enum result result_of(const struct where_random *random, int at,
			     const struct peat_event *event)
{
	const struct node *node = &random->nodes[at];
	enum result a, b;

	if (node->op > NOT)
		return node->field->class == NUMBER  ? compare_numbers(node, event)
		       : node->field->class == FLOAT ? compare_reals(node, event)
		       : node->field->class == BYTES ? compare_bytes(node, event)
						     : compare_texts(node, event);
	a = result_of(random, node->a, event);
	b = node->op == NOT ? a : result_of(random, node->b, event);
	if (a == MISSING || b == MISSING)
		return MISSING;
	if (node->op == NOT)
		return !a;
	return node->op == AND ? a && b : a || b;
}

bool where_random__matches(const struct where_random *random, const struct peat_event *event)
{
	return result_of(random, random->root, event) == YES;
}
