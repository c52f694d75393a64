// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* format_leaves.c: the fields of a schema become those of a format. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracepoint/flatten.h"
#include "schema/plan.h"

#define BIG_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define TAKEN_APART_MAX 8   /* elements of an array */
#define NAME_MAX_BYTES	128 /* of one, without what makes it another than all others */
#define TRIMMED_MIN	64  /* bytes at an event's end from which it is likely sent trimmed */
#define HEAD_BYTES	8   /* common_type and so on */
#define BEHIND_MAX	120 /* trace_format.c refuses more: each may be all of a payload */
#define UNDERSCORES_MAX 8

/* The bytes of an event that says no more of itself. */
static const struct peat_field any_bytes = { .name = "bytes", .kind = PEAT_FIELD_BYTES, .span = 1 };

struct gatherer {
	struct leaves *leaves;
	struct out path;
	uint32_t budget;	       /* bytes that the payload may still get */
	uint32_t behind;	       /* leaves that stand behind the others */
	const struct peat_field *last; /* nothing stands behind it in an event */
	int err;
};

static void visit(struct gatherer *g, const struct peat_field *field, uint32_t base);

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * What perf's JSON and its scripts have beside the fields, the words of perf's format parser and
 * those of Python; names that begin with "common_" are those of the header.
 */
static const char *const perf_words[] = {
	"timestamp", "callchain", "period", "event_name", "context", "perf_sample_dict",
	"print",     "REC",	  "False",  "None",	  "True",    "and",
	"as",	     "assert",	  "async",  "await",	  "break",   "class",
	"continue",  "def",	  "del",    "elif",	  "else",    "except",
	"finally",   "for",	  "from",   "global",	  "if",	     "import",
	"in",	     "is",	  "lambda", "nonlocal",	  "not",     "or",
	"pass",	     "raise",	  "return", "try",	  "while",   "with",
	"yield",     NULL
};

static bool is_among(const char *const *words, const char *name)
{
	for (; *words; words++)
		if (!strcmp(*words, name))
			return true;
	return false;
}

bool leaves__is_taken(const struct leaves *leaves, const char *name)
{
	if (!strncmp(name, "common_", 7) && name[strlen(name) - 1] != '_')
		return true;
	if (is_among(perf_words, name) || is_among(fields__event_reserved, name))
		return true;
	for (uint32_t i = 0; i < leaves->count; i++)
		if (!strcmp(leaves__name(leaves, &leaves->at[i]), name))
			return true;
	return false;
}

char leaves__word_char(char c)
{
	bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

	return is_word ? c : '_';
}

static void push_char(struct gatherer *g, char c)
{
	if (!g->path.count && c >= '0' && c <= '9')
		out__char(&g->path, '_');
	if (g->path.count < NAME_MAX_BYTES)
		out__char(&g->path, c);
}

/* Returns what out__cut() takes to be where it was. */
static size_t push_name(struct gatherer *g, const char *name)
{
	size_t before = g->path.count;

	if (before && *name)
		push_char(g, '_');
	for (; *name; name++)
		push_char(g, leaves__word_char(*name));
	return before;
}

static size_t push_index(struct gatherer *g, uint32_t i)
{
	char digit[] = { (char)('0' + i % 10), '\0' }; /* there are at most TAKEN_APART_MAX */

	return push_name(g, digit);
}

/* What the path says, with as many _ behind it as it takes to be the only one. */
static size_t add_name(struct gatherer *g, const char *suffix)
{
	struct out *names = &g->leaves->names;
	size_t name = names->count;

	if (g->path.count)
		out__bytes(names, g->path.bytes, g->path.count);
	out__text(names, g->path.count || *suffix ? suffix : "_");
	for (int i = 0;; i++) {
		out__char(names, '\0');
		if (names->failed || g->path.failed) {
			g->err = -ENOMEM;
			return 0;
		}
		if (!leaves__is_taken(g->leaves, names->bytes + name))
			return name;
		out__cut(names, names->count - 1);
		out__char(names, '_');
		if (i == UNDERSCORES_MAX)
			out__unsigned(names, g->leaves->count);
	}
}

/* ---- leaves ---------------------------------------------------------------------------------- */

bool leaves__is_behind(const struct leaf *leaf)
{
	return leaf->shape >= LEAF_TEXT;
}

uint32_t leaves__bytes(const struct leaf *leaf)
{
	if (leaves__is_behind(leaf))
		return sizeof(uint32_t);
	return leaf->bytes * (leaf->count ? leaf->count : 1);
}

static int grow(struct leaves *leaves)
{
	uint32_t room = leaves->room ? 2 * leaves->room : 32;
	struct leaf *at = reallocarray(leaves->at, room, sizeof(*at));

	if (!at)
		return -ENOMEM;
	leaves->at = at;
	leaves->room = room;
	return 0;
}

/*
 * Takes what the leaf costs from the budget: more than it may, as a gap in front of it is copied
 * when it is small, and what stands behind ends with a NUL at least.
 */
static bool afford(struct gatherer *g, const struct leaf *leaf)
{
	uint64_t bytes = (uint64_t)leaf->bytes * (leaf->count ? leaf->count : 1) + 8;

	if (g->leaves->count >= LEAVES_MAX || bytes > g->budget)
		return false;
	if (leaves__is_behind(leaf) && g->behind++ >= BEHIND_MAX)
		return false;
	g->budget -= (uint32_t)bytes;
	return true;
}

static void add(struct gatherer *g, const struct leaf *leaf, const char *suffix)
{
	struct leaves *leaves = g->leaves;
	size_t name;

	if (g->err)
		return;
	if (!leaf->bytes || !afford(g, leaf)) {
		leaves->left_out++;
		return;
	}
	if (leaves->count == leaves->room)
		g->err = grow(leaves);
	if (g->err)
		return;
	name = add_name(g, suffix);
	if (g->err)
		return;
	leaves->at[leaves->count] = *leaf;
	leaves->at[leaves->count++].name = name;
}

static bool has_number(const struct peat_field *field)
{
	return fields__is_number(field) ||
	       (field->kind == PEAT_FIELD_FLOAT && (field->bytes == 4 || field->bytes == 8));
}

/* Whether it is another number than the one that its bytes are. */
static bool is_converted(const struct peat_field *field)
{
	return fields__is_number(field) &&
	       (field->bits || (field->big_endian && !BIG_ENDIAN_HERE && field->bytes > 1));
}

static uint32_t bytes_for(uint32_t bits)
{
	uint32_t bytes = 1;

	while (bytes * 8 < bits)
		bytes *= 2;
	return bytes;
}

/* One number, or `count` in a row. */
static void add_numbers(struct gatherer *g, const struct peat_field *field,
			const struct peat_field *element, uint32_t base, uint32_t count)
{
	struct leaf leaf = {
		.shape = is_converted(element) ? LEAF_NUMBERS : LEAF_COPIED,
		.field = field,
		.element = element,
		.kind = element->kind,
		.base = base,
		.bytes = element->bits ? bytes_for(element->bits) : element->bytes,
		.count = count,
	};

	add(g, &leaf, "");
}

/* Bytes of which there is nothing more to say, or an address. */
static void add_bytes(struct gatherer *g, const struct peat_field *field, enum peat_field_kind kind,
		      uint32_t base)
{
	struct leaf leaf = { .shape = LEAF_COPIED,
			     .field = field,
			     .element = field,
			     .kind = kind,
			     .base = base,
			     .bytes = field->bytes };

	add(g, &leaf, "");
}

static void add_behind(struct gatherer *g, const struct peat_field *field, enum leaf_shape shape,
		       uint32_t base)
{
	struct leaf leaf = { .shape = shape,
			     .field = field,
			     .element = field,
			     .kind = field->kind,
			     .base = base,
			     .bytes = sizeof(uint32_t) };

	add(g, &leaf, "");
}

/* perf 6.1 cannot work out how many there are: it takes a field to tell. */
static void add_elements(struct gatherer *g, const struct peat_field *array,
			 const struct peat_field *element, uint32_t base)
{
	struct leaf leaf = { .shape = LEAF_ELEMENTS,
			     .field = array,
			     .element = element,
			     .kind = element->kind,
			     .base = base,
			     .bytes = element->bytes };
	struct leaf count = { .shape = LEAF_COUNT,
			      .field = array,
			      .element = element,
			      .kind = PEAT_FIELD_UNSIGNED,
			      .bytes = sizeof(uint32_t) };
	uint32_t before = g->leaves->count;

	if (before + 2 > LEAVES_MAX || g->behind >= BEHIND_MAX ||
	    g->budget < 2 * (sizeof(uint32_t) + 8)) {
		g->leaves->left_out++;
		return;
	}
	add(g, &count, "_count");
	add(g, &leaf, "");
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* What is in an array of arrays, and how many of them. */
static const struct peat_field *innermost(const struct peat_field *array, uint64_t *count)
{
	const struct peat_field *end = array + array->span;

	*count = 1;
	for (; array->kind == PEAT_FIELD_ARRAY && array + 1 < end; array++)
		if (*count <= UINT16_MAX)
			*count *= array->count;
	return array;
}

/* Whether perf would show less of it in an array than by itself. */
static bool gains_alone(const struct peat_field *element)
{
	switch (element->kind) {
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_FLAGS:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_SIGNAL:
	case PEAT_FIELD_KADDR:
		return true;
	default:
		/* CTF takes no row of signed numbers that are larger than 32 bits. */
		return !has_number(element) || (element->is_signed && element->bytes == 8);
	}
}

static bool is_open(const struct peat_field *field)
{
	return field->place != PEAT_PLACE_OFFSET || !field->bytes;
}

/* Arrays of arrays of structs may ask for any number. */
static bool is_taken_apart(const struct peat_field *array)
{
	uint64_t count;
	const struct peat_field *element = innermost(array, &count);

	return !is_open(array) && array->span > 1 && count && count <= TAKEN_APART_MAX &&
	       gains_alone(element);
}

/* As far as that matters, and no further. */
static uint64_t count_leaves(const struct peat_field *field)
{
	const struct peat_field *element = field;
	uint64_t elements = 1, leaves = 0;

	if (field->kind == PEAT_FIELD_ARRAY) {
		if (!is_taken_apart(field))
			return 1;
		element = innermost(field, &elements);
	}
	if (element->kind != PEAT_FIELD_STRUCT && element->kind != PEAT_FIELD_UNION)
		return elements;
	for (const struct peat_field *inner = element + 1;
	     inner < element + element->span && leaves <= LEAVES_MAX; inner += inner->span)
		leaves += count_leaves(inner);
	return elements * leaves;
}

static void visit_each(struct gatherer *g, const struct peat_field *array, uint32_t base)
{
	for (uint32_t i = 0; i < array->count && !g->err; i++) {
		size_t before = push_index(g, i);

		visit(g, array + 1, base + array->offset + i * array[1].bytes);
		out__cut(&g->path, before);
	}
}

static void add_array(struct gatherer *g, const struct peat_field *array, uint32_t base)
{
	uint64_t count;
	const struct peat_field *element = innermost(array, &count);
	bool numbers = element != array && has_number(element) && !element->bits;

	if (is_open(array) && numbers)
		add_elements(g, array, element, base);
	else if (is_open(array))
		add_behind(g, array, LEAF_HEX, base);
	else if (is_taken_apart(array) && g->leaves->count + count_leaves(array) <= LEAVES_MAX)
		visit_each(g, array, base);
	else if (numbers && array->bytes == count * element->bytes)
		add_numbers(g, array, element, base, (uint32_t)count);
	else
		add_bytes(g, array, PEAT_FIELD_BYTES, base);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Not as large as an address: bytes it is then. */
static enum peat_field_kind kind_of_bytes(const struct peat_field *field)
{
	if ((field->kind == PEAT_FIELD_IPV4 && field->bytes == 4) ||
	    (field->kind == PEAT_FIELD_IPV6 && field->bytes == 16) ||
	    (field->kind == PEAT_FIELD_MAC && field->bytes == 6))
		return field->kind;
	return PEAT_FIELD_BYTES;
}

static void add_one(struct gatherer *g, const struct peat_field *field, uint32_t base)
{
	bool may_be_trimmed = field == g->last && field->bytes > TRIMMED_MIN;

	if (field->kind == PEAT_FIELD_STRING || field->kind == PEAT_FIELD_STRINGS)
		add_behind(g, field, LEAF_TEXT, base);
	else if (has_number(field))
		add_numbers(g, field, field, base, 0);
	else if (is_open(field) || field->length || may_be_trimmed)
		add_behind(g, field, LEAF_HEX, base);
	else
		add_bytes(g, field, kind_of_bytes(field), base);
}

static void visit(struct gatherer *g, const struct peat_field *field, uint32_t base)
{
	size_t before = push_name(g, field->name);

	if (field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION) {
		for (const struct peat_field *inner = field + 1;
		     inner < field + field->span && !g->err; inner += inner->span)
			visit(g, inner, base + field->offset);
	} else if (field->kind == PEAT_FIELD_ARRAY) {
		add_array(g, field, base);
	} else {
		add_one(g, field, base);
	}
	out__cut(&g->path, before);
}

int leaves__gather(struct leaves *leaves, const struct peat_schema *schema)
{
	struct gatherer g = { .leaves = leaves, .budget = LEAVES_BYTES_MAX - HEAD_BYTES };
	const struct peat_field *field = schema ? schema->fields : &any_bytes, *end;

	*leaves = (struct leaves){ 0 };
	end = field + (schema ? schema->count : 1);
	g.last = end - 1; /* by itself, at the top: else something of its bytes is further up */
	for (; field < end && !g.err; field += field->span)
		visit(&g, field, 0);
	out__free(&g.path);
	return g.err;
}

void leaves__free(struct leaves *leaves)
{
	free(leaves->at);
	out__free(&leaves->names);
	*leaves = (struct leaves){ 0 };
}
