// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where_random.c: random expressions, and the events that they are tested on. */
#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "support/where/where_tree.h"

#define DEPTH_MAX 4

static uint64_t draw(struct where_random *random, uint64_t below)
{
	random->state ^= random->state << 13;
	random->state ^= random->state >> 7;
	random->state ^= random->state << 17;
	return (random->state >> 11) % below;
}

static bool chance(struct where_random *random, uint64_t one_in)
{
	return !draw(random, one_in);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool is_named(const char *name)
{
	return *name && !strchr(name, ' ');
}

static int class_of(const struct peat_field *field)
{
	switch (field->kind) {
	case PEAT_FIELD_FLOAT:
		return field->bytes == 4 || field->bytes == 8 ? FLOAT : -1;
	case PEAT_FIELD_STRING:
	case PEAT_FIELD_STRINGS:
		return field->place == PEAT_PLACE_OFFSET ? TEXT : -1;
	case PEAT_FIELD_BYTES:
		return field->bytes && field->bytes <= 16 && !field->length &&
				       field->place == PEAT_PLACE_OFFSET
			       ? BYTES
			       : -1;
	case PEAT_FIELD_IPV4:
	case PEAT_FIELD_IPV6:
	case PEAT_FIELD_MAC:
	case PEAT_FIELD_ENDPOINT:
		return BYTES;
	case PEAT_FIELD_STRUCT:
	case PEAT_FIELD_UNION:
	case PEAT_FIELD_ARRAY:
	case PEAT_FIELD_CHARS:
	case PEAT_FIELD_STACK:
	case PEAT_FIELD_KSTACK:
	case PEAT_FIELD_USTACK:
		return -1;
	default:
		return NUMBER;
	}
}

static void add_field(struct where_random *random, const struct peat_field *field, uint32_t base,
		      const char *path)
{
	struct random_field *added = &random->fields[random->field_count];

	if (class_of(field) < 0 || random->field_count == FIELDS_MAX)
		return;
	snprintf(added->path, sizeof(added->path), "%s", path);
	added->field = *field;
	added->base = base;
	added->class = class_of(field);
	random->field_count++;
}

static void add_inside(struct where_random *random, const struct peat_field *field, uint32_t base,
		       const char *prefix)
{
	const struct peat_field *end = field + field->span;
	char path[96];

	add_field(random, field, base, prefix);
	if (field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION ||
	    field->kind == PEAT_FIELD_ENDPOINT) {
		for (const struct peat_field *inner = field + 1; inner < end;
		     inner += inner->span) {
			snprintf(path, sizeof(path), "%.60s.%.30s", prefix, inner->name);
			add_inside(random, inner, base + field->offset, path);
		}
	} else if (field->kind == PEAT_FIELD_ARRAY && field->place == PEAT_PLACE_OFFSET) {
		for (uint32_t i = 0; i < field->count && i < 3; i++) {
			snprintf(path, sizeof(path), "%.60s[%u]", prefix, i);
			add_inside(random, field + 1, base + field->offset + i * field[1].bytes,
				   path);
		}
	}
}

static void add_common(struct where_random *random, int common, const char *name,
		       enum peat_field_kind kind, uint32_t bytes)
{
	struct peat_field field = { .name = name, .kind = kind, .bytes = bytes };

	random->fields[random->field_count].common = common;
	add_field(random, &field, 0, name);
}

struct where_random *where_random__new(const struct peat_schema *schema, uint64_t seed)
{
	struct where_random *random = calloc(1, sizeof(*random));
	const struct peat_field *field;
	uint32_t count;

	ck_assert_ptr_nonnull(random);
	random->state = seed * 0x9e3779b97f4a7c15 + 1;
	random->schema = schema;
	field = peat_schema__fields(schema, &count);
	for (const struct peat_field *end = field + count; field < end; field += field->span)
		if (is_named(field->name))
			add_inside(random, field, 0, field->name);
	add_common(random, 1, "pid", PEAT_FIELD_UNSIGNED, 4);
	add_common(random, 2, "tid", PEAT_FIELD_UNSIGNED, 4);
	add_common(random, 3, "cpu", PEAT_FIELD_UNSIGNED, 4);
	add_common(random, 4, "time", PEAT_FIELD_DURATION, 8);
	add_common(random, 5, "size", PEAT_FIELD_SIZE, 4);
	add_common(random, 6, "comm", PEAT_FIELD_STRING, 16);
	return random;
}

void where_random__for_programs(struct where_random *random)
{
	random->for_programs = true;
	random->field_count -= !strcmp(random->fields[random->field_count - 1].path, "comm");
}

void where_random__learn(struct where_random *random, const struct peat_event *event)
{
	struct peat_event *learned = &random->learned[random->learned_count];
	void *data = malloc(event->size + 8);

	ck_assert_ptr_nonnull(data);
	if (random->learned_count == LEARNED_MAX) {
		learned = &random->learned[draw(random, LEARNED_MAX)];
		free((void *)learned->data);
		free((void *)learned->comm);
	} else {
		random->learned_count++;
	}
	memcpy(data, event->data, event->size);
	*learned = *event;
	learned->data = data;
	learned->comm = event->comm ? strdup(event->comm) : NULL;
}

void where_random__free(struct where_random *random)
{
	for (uint32_t i = 0; i < random->learned_count; i++) {
		free((void *)random->learned[i].data);
		free((void *)random->learned[i].comm);
	}
	free(random);
}

/* ---- values ---------------------------------------------------------------------------------- */

static __int128 smallest(const struct peat_field *field)
{
	return field->is_signed ? -((__int128)1 << (where_tree__bits(field) - 1)) : 0;
}

static __int128 largest(const struct peat_field *field)
{
	return ((__int128)1 << (where_tree__bits(field) - field->is_signed)) - 1;
}

/* Numbers beyond what the field can have, too, if they have a text. */
static __int128 draw_number(struct where_random *random, const struct peat_field *field)
{
	bool may_be_negative = field->kind != PEAT_FIELD_DURATION && field->kind != PEAT_FIELD_SIZE;
	__int128 number;

	if (field->kind == PEAT_FIELD_BOOL)
		return (__int128)draw(random, 2);
	switch (draw(random, 7)) {
	case 0:
		number = largest(field) + (__int128)draw(random, 3) - 1;
		break;
	case 1:
		number = smallest(field) + (__int128)draw(random, 3) - 1;
		break;
	case 2:
		number = (__int128)draw(random, UINT32_MAX);
		break;
	default:
		number = (__int128)draw(random, 9) - 2;
	}
	if (number > UINT64_MAX)
		number = UINT64_MAX;
	return number < 0 && !may_be_negative ? -number : number;
}

static void draw_text(struct where_random *random, const char *letters, char *text, uint32_t most)
{
	uint32_t bytes = (uint32_t)draw(random, most + 1);

	for (uint32_t i = 0; i < bytes; i++)
		text[i] = letters[draw(random, strlen(letters))];
	text[bytes] = 0;
}

/* Text without quotes, escapes and wildcards. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("/._-+ ", *text))
			return false;
	return true;
}

static void learn_text(struct where_random *random, const struct random_field *field,
		       const struct peat_event *event, enum node_op op, struct value *value)
{
	char text[FIELD_TEXT_BYTES];
	size_t length;

	if (where_tree__text(field, event, text) == MISSING || !is_plain(text) ||
	    strlen(text) + 2 > sizeof(value->text))
		return;
	strcpy(value->text, text);
	length = strlen(text) + 1;
	if (op == GLOB || op == NO_GLOB)
		strcpy(value->text + draw(random, length), "*");
	else if (chance(random, 4)) /* it begins the same */
		value->text[draw(random, length)] = 0;
}

/* Each program measures the durations of real events anew: their bits differ. */
static bool is_measured(const struct where_random *random, const struct random_field *field)
{
	return random->learned_count && field->field.kind == PEAT_FIELD_DURATION;
}

/* Takes the value from a learned event. */
static void learn_value(struct where_random *random, const struct random_field *field,
			enum node_op op, struct value *value)
{
	const struct peat_event *event = &random->learned[draw(random, random->learned_count)];
	__int128 number;

	if (field->class == TEXT)
		learn_text(random, field, event, op, value);
	else if (field->class == NUMBER && !is_measured(random, field) &&
		 where_tree__number(field, event, &number) == YES)
		value->number = number;
	else if (field->class == BYTES &&
		 field->base + field->field.offset + field->field.bytes <= event->size)
		memcpy(value->bytes, (const char *)event->data + field->base + field->field.offset,
		       field->field.bytes);
}

static void draw_value(struct where_random *random, const struct random_field *field,
		       enum node_op op, struct value *value)
{
	memset(value, 0, sizeof(*value));
	value->number = field->class == NUMBER ? draw_number(random, &field->field) : 0;
	value->real = (double)(int64_t)(draw(random, 9) - 4) / 4;
	draw_text(random, op == GLOB || op == NO_GLOB ? "ab*?" : "ab", value->text, 4);
	if ((op == GLOB || op == NO_GLOB) && chance(random, 4))
		strcat(value->text, chance(random, 2) ? "[a-b]*" : "[!a]");
	for (size_t i = 0; i < sizeof(value->bytes); i++)
		value->bytes[i] =
			chance(random, 4) ? (uint8_t)draw(random, 256) : (uint8_t)draw(random, 3);
	value->prefix = field->field.bytes * 8;
	if ((field->field.kind == PEAT_FIELD_IPV4 || field->field.kind == PEAT_FIELD_IPV6) &&
	    chance(random, 2))
		value->prefix = (uint32_t)draw(random, value->prefix + 1);
	if (random->learned_count && !chance(random, 4))
		learn_value(random, field, op, value);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static enum node_op draw_op(struct where_random *random, const struct random_field *field)
{
	static const enum node_op with_order[] = { SET,	    EQUAL, UNEQUAL,  LESS,
						   AT_MOST, MORE,  AT_LEAST, IN };
	static const enum node_op without[] = { SET, EQUAL, UNEQUAL, IN, GLOB, NO_GLOB };

	if (field->class == TEXT)
		return without[draw(random, random->for_programs ? 4 : 6)];
	if (field->class == BYTES || field->field.kind == PEAT_FIELD_BOOL)
		return without[draw(random, 4)];
	return with_order[draw(random, 8)];
}

static const struct random_field *draw_field(struct where_random *random)
{
	const struct random_field *field;

	do
		field = &random->fields[draw(random, (uint64_t)random->field_count)];
	while (random->for_programs && field->class == FLOAT);
	return field;
}

static int draw_test_of(struct where_random *random, const struct random_field *field)
{
	int at = random->node_count++;
	struct node *node = &random->nodes[at];

	memset(node, 0, sizeof(*node));
	node->field = field;
	node->op = draw_op(random, node->field);
	node->value_count = node->op == SET ? 0 : node->op == IN ? 1 + (int)draw(random, 3) : 1;
	for (int i = 0; i < node->value_count; i++)
		draw_value(random, node->field, node->op, &node->values[i]);
	node->has_mask = (node->op == SET || node->op == EQUAL || node->op == UNEQUAL) &&
			 (node->field->class == NUMBER || node->field->class == BYTES) &&
			 node->field->field.kind != PEAT_FIELD_BOOL &&
			 !is_measured(random, node->field) && chance(random, 3);
	if (node->has_mask)
		draw_value(random, node->field, SET, &node->mask);
	node->mask.prefix = node->field->field.bytes * 8;
	if (node->has_mask)
		node->values[0].prefix = node->mask.prefix;
	return at;
}

static int draw_test(struct where_random *random)
{
	return draw_test_of(random, draw_field(random));
}

static int draw_node(struct where_random *random, int depth)
{
	int at, a, b = -1;
	enum node_op op;

	if (depth == DEPTH_MAX || chance(random, 3) || random->node_count > NODES_MAX - 4)
		return draw_test(random);
	op = (enum node_op)draw(random, 3);
	a = draw_node(random, depth + 1);
	if (op != NOT && random->node_count < NODES_MAX - 2)
		b = draw_node(random, depth + 1);
	else
		op = NOT;
	at = random->node_count++;
	random->nodes[at] = (struct node){ .op = op, .a = a, .b = b };
	return at;
}

/* These fields, joined by && and ||. */
static void draw_of_fields(struct where_random *random, int first, int step)
{
	random->node_count = 0;
	random->root = -1;
	for (int i = first; i < random->field_count; i += step) {
		struct node joined = { .op = (enum node_op)draw(random, 2), .a = random->root };

		random->root = joined.b = draw_test_of(random, &random->fields[i]);
		if (joined.a < 0)
			continue;
		random->root = random->node_count++;
		random->nodes[random->root] = joined;
	}
	ck_assert_int_ge(random->root, 0);
}

/* Whether it matches some of the learned events, but not all. */
static bool divides_learned(const struct where_random *random)
{
	uint32_t matches = 0;

	for (uint32_t i = 0; i < random->learned_count; i++)
		matches += where_random__matches(random, &random->learned[i]);
	return matches && matches < random->learned_count;
}

/* ---- text ------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void put(struct where_random *random,
						      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	random->used += (size_t)vsnprintf(random->text + random->used, TEXT_BYTES - random->used,
					  format, args);
	va_end(args);
	ck_assert_uint_lt(random->used, TEXT_BYTES);
}

static const char *name_of(const struct peat_field *field, __int128 number)
{
	for (uint32_t i = 0; i < field->name_count; i++)
		if ((field->is_signed ? (__int128)(int64_t)field->names[i].value
				      : (__int128)field->names[i].value) == number)
			return field->names[i].name;
	return NULL;
}

static void put_number(struct where_random *random, const struct peat_field *field, __int128 number)
{
	uint64_t magnitude = (uint64_t)(number < 0 ? -number : number);
	const char *sign = number < 0 ? "-" : "";

	if (field->kind == PEAT_FIELD_BOOL)
		put(random, "%s", number ? "true" : "false");
	else if (field->kind == PEAT_FIELD_DURATION)
		put(random, "%" PRIu64 "%s", magnitude % 1000 ? magnitude : magnitude / 1000,
		    magnitude % 1000 ? "ns" : "us");
	else if (field->kind == PEAT_FIELD_SIZE && !(magnitude % 1024))
		put(random, "%" PRIu64 "K", magnitude / 1024);
	else if (field->kind == PEAT_FIELD_SIZE)
		put(random, "%" PRIu64, magnitude);
	else if (field->kind == PEAT_FIELD_ERRNO && number == -2)
		put(random, "ENOENT");
	else if (field->kind == PEAT_FIELD_SIGNAL && number == 2)
		put(random, "SIGINT");
	else if (name_of(field, number) && chance(random, 2))
		put(random, "%s", name_of(field, number));
	else if (chance(random, 2))
		put(random, "%s0x%" PRIx64, sign, magnitude);
	else
		put(random, "%s%" PRIu64, sign, magnitude);
}

static void put_bytes(struct where_random *random, const struct peat_field *field,
		      const struct value *value)
{
	char text[INET6_ADDRSTRLEN];

	if (field->kind == PEAT_FIELD_IPV4 || field->kind == PEAT_FIELD_IPV6) {
		inet_ntop(field->kind == PEAT_FIELD_IPV4 ? AF_INET : AF_INET6, value->bytes, text,
			  sizeof(text));
		put(random, "%s", text);
		if (value->prefix < field->bytes * 8)
			put(random, "/%u", value->prefix);
		return;
	}
	if (field->kind == PEAT_FIELD_ENDPOINT) {
		inet_ntop(AF_INET6, value->bytes, text, sizeof(text));
		put(random, "[%s]:%u", text, value->bytes[16] << 8 | value->bytes[17]);
		return;
	}
	for (uint32_t i = 0; i < field->bytes; i++)
		put(random, field->kind == PEAT_FIELD_MAC && i ? ":%02x" : "%02x", value->bytes[i]);
}

static void put_value(struct where_random *random, const struct random_field *field,
		      const struct value *value)
{
	if (field->class == NUMBER)
		put_number(random, &field->field, value->number);
	else if (field->class == FLOAT)
		put(random, "%.2f", value->real);
	else if (field->class == BYTES)
		put_bytes(random, &field->field, value);
	else
		put(random, chance(random, 2) ? "\"%s\"" : "'%s'", value->text);
}

static void put_test(struct where_random *random, const struct node *node)
{
	static const char *const symbols[] = {
		[EQUAL] = "==", [UNEQUAL] = "!=",  [LESS] = "<", [AT_MOST] = "<=",
		[MORE] = ">",	[AT_LEAST] = ">=", [GLOB] = "~", [NO_GLOB] = "!~",
	};

	if (!node->field->common && chance(random, 4))
		put(random, "%s.", peat_schema__name(random->schema));
	put(random, "%s", node->field->path);
	if (node->has_mask) {
		put(random, " & ");
		put_value(random, node->field, &node->mask);
	}
	if (node->op == SET)
		return;
	if (node->op != IN) {
		put(random, chance(random, 2) ? " %s " : "%s", symbols[node->op]);
		put_value(random, node->field, &node->values[0]);
		return;
	}
	put(random, " in (");
	for (int i = 0; i < node->value_count; i++) {
		put(random, i ? ", " : "");
		put_value(random, node->field, &node->values[i]);
	}
	put(random, ")");
}

/* `inside`: the operator around it; without parentheses if it binds less. */
static void put_node(struct where_random *random, const struct node *node, enum node_op inside)
{
	bool apart = node->op < NOT &&
		     (inside == NOT || (inside == AND && node->op == OR) || chance(random, 3));

	put(random, apart ? "(" : "");
	if (node->op == NOT) {
		put(random, chance(random, 3) ? "not " : "!");
		put_node(random, &random->nodes[node->a], NOT);
	} else if (node->op < NOT) {
		put_node(random, &random->nodes[node->a], node->op);
		put(random, "%s",
		    chance(random, 3) ? (node->op == AND ? " and " : " or ")
				      : (node->op == AND ? " && " : "||"));
		put_node(random, &random->nodes[node->b], node->op);
	} else {
		put_test(random, node);
	}
	put(random, apart ? ")" : "");
}

const char *where_random__next(struct where_random *random)
{
	random->node_count = 0;
	random->used = 0;
	random->root = draw_node(random, 0);
	put_node(random, &random->nodes[random->root], OR);
	return random->text;
}

const char *where_random__of_fields(struct where_random *random, int first, int step)
{
	int tries = 1000;

	do
		draw_of_fields(random, first, step);
	while (!divides_learned(random) && --tries);
	random->used = 0;
	put_node(random, &random->nodes[random->root], OR);
	return random->text;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void store_number(const struct random_field *at, uint8_t *data, uint64_t number)
{
	const struct peat_field *field = &at->field;

	for (uint32_t bit = 0; bit < where_tree__bits(field); bit++) {
		uint32_t place = bit + field->bit_offset, byte = place / 8;
		uint8_t *to = data + at->base + field->offset +
			      (where_tree__is_big(field) ? field->bytes - 1 - byte : byte);

		*to = (uint8_t)((*to & ~(1u << place % 8)) | ((number >> bit & 1) << place % 8));
	}
}

/* Words, each with its NUL, and NULs up to the end: printed without quotes. */
static void store_text(struct where_random *random, const struct random_field *at, uint8_t *data,
		       const char *first)
{
	char *to = (char *)data + at->base + at->field.offset;
	char text[24];
	size_t used = 0;

	memset(to, 0, at->field.bytes);
	for (int i = 0; i < 3; i++) {
		draw_text(random, "ab", text, 4);
		if (!i && first)
			snprintf(text, sizeof(text), "%s", first);
		if ((i && !*text) || used + strlen(text) > at->field.bytes)
			break;
		memcpy(to + used, text, strlen(text));
		used += strlen(text) + 1;
		if (used >= at->field.bytes || used == 1 || chance(random, 2))
			break;
	}
}

static void store_value(struct where_random *random, const struct node *node, uint8_t *data)
{
	const struct random_field *at = node->field;
	const struct value *value = &node->values[draw(random, VALUES_MAX)];
	float single = (float)value->real;

	if (at->common)
		return;
	if (at->class == NUMBER)
		store_number(at, data, (uint64_t)value->number + draw(random, 3) - 1);
	else if (at->class == TEXT)
		store_text(random, at, data, strpbrk(value->text, "*?[") ? NULL : value->text);
	else if (at->class == BYTES)
		memcpy(data + at->base + at->field.offset, value->bytes, at->field.bytes);
	else if (at->field.bytes == 4)
		memcpy(data + at->base + at->field.offset, &single, 4);
	else
		memcpy(data + at->base + at->field.offset, &value->real, 8);
}

/* The size of an event that a probe cuts after its last text; 0: that has no text. */
static uint32_t end_of_last_text(const struct where_random *random, const void *data)
{
	const struct random_field *last = NULL;
	uint32_t begin;

	for (int i = 0; i < random->field_count; i++) {
		const struct random_field *at = &random->fields[i];

		if (!at->common &&
		    (!last || at->base + at->field.offset > last->base + last->field.offset))
			last = at;
	}
	if (!last || last->class != TEXT)
		return 0;
	begin = last->base + last->field.offset;
	return begin + (uint32_t)strnlen((const char *)data + begin, last->field.bytes - 1) + 1;
}

/* All bytes, or as many as probes send of it, or any number. */
static uint32_t draw_size(struct where_random *random, const void *data, uint32_t bytes)
{
	uint32_t sent = end_of_last_text(random, data);

	if (sent && chance(random, 2))
		return sent;
	return chance(random, 5) ? (uint32_t)draw(random, bytes + 9) : bytes;
}

uint32_t where_random__event(struct where_random *random, void *data)
{
	uint32_t bytes = peat_schema__bytes(random->schema);
	uint8_t *at = data;
	bool is_zero = chance(random, 3);

	for (uint32_t i = 0; i < bytes + 8; i++)
		at[i] = is_zero ? 0 : (uint8_t)draw(random, 256);
	for (int i = 0; i < random->field_count; i++)
		if (random->fields[i].class == TEXT && !random->fields[i].common)
			store_text(random, &random->fields[i], data, NULL);
	for (int i = 0; i < random->node_count; i++)
		if (random->nodes[i].op > NOT && !chance(random, 4))
			store_value(random, &random->nodes[i], data);
	return draw_size(random, data, bytes);
}

void where_random__common(struct where_random *random, struct peat_event *event)
{
	static const char *const names[] = { "", "a", "ab", "b", "bb", NULL };

	event->pid = chance(random, 9) ? PEAT_NO_TASK : (uint32_t)draw(random, 7);
	event->tid = chance(random, 9) ? PEAT_NO_TASK : (uint32_t)draw(random, 7);
	event->cpu = chance(random, 9) ? PEAT_NO_CPU : (uint32_t)draw(random, 7);
	event->time_ns = draw(random, 7);
	event->comm = names[draw(random, 6)];
}
