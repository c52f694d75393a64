// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/flatten.c: turns the fields of a schema into the fields of a format. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracing_data/flatten.h"

#define BIG_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define TAKEN_APART_MAX 8   /* elements of an array */
#define NAME_MAX_BYTES	128 /* length of a name, without the suffix that makes it unique */
#define TRIMMED_MIN	64  /* a last field of more bytes is likely to be trimmed by the probe */
#define HEAD_BYTES	8   /* common_type and so on */
#define DYNAMIC_MAX	120 /* format_parse.c refuses more: its SHOWN_MAX counts 64 KiB each */
#define UNDERSCORES_MAX 8

/* The only field of an event without a schema. */
static const struct peat_field any_bytes = { .name = "bytes", .kind = PEAT_FIELD_BYTES, .span = 1 };

struct flattener {
	struct leaves *leaves;
	struct strbuf path;
	uint32_t budget;	       /* bytes left in the payload */
	uint32_t dynamic;	       /* number of dynamic leaves */
	const struct peat_field *last; /* the last field: nothing follows it in an event */
	int err;
};

static void flatten_field(struct flattener *g, const struct peat_field *field, uint32_t base);

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * Reserved names: members that perf's JSON and scripts add_leaf, keywords of perf's format parser
 * and of Python.  Names that begin with "common_" are reserved for the header.
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

static bool is_in_list(const char *const *words, const char *name)
{
	for (; *words; words++)
		if (!strcmp(*words, name))
			return true;
	return false;
}

bool flatten__has_name(const struct leaves *leaves, const char *name)
{
	if (!strncmp(name, "common_", 7) && name[strlen(name) - 1] != '_')
		return true;
	if (is_in_list(perf_words, name) || is_in_list(fields__event_reserved, name))
		return true;
	for (uint32_t i = 0; i < leaves->count; i++)
		if (!strcmp(flatten__name(leaves, &leaves->at[i]), name))
			return true;
	return false;
}

char flatten__word_char(char c)
{
	bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

	return is_word ? c : '_';
}

static void push_char(struct flattener *g, char c)
{
	if (!g->path.count && c >= '0' && c <= '9')
		strbuf__char(&g->path, '_');
	if (g->path.count < NAME_MAX_BYTES)
		strbuf__char(&g->path, c);
}

/* Returns the previous length of the path, for strbuf__cut(). */
static size_t push_name(struct flattener *g, const char *name)
{
	size_t before = g->path.count;

	if (before && *name)
		push_char(g, '_');
	for (; *name; name++)
		push_char(g, flatten__word_char(*name));
	return before;
}

static size_t push_index(struct flattener *g, uint32_t i)
{
	char digit[] = { (char)('0' + i % 10), '\0' }; /* i < TAKEN_APART_MAX */

	return push_name(g, digit);
}

/* Adds the path as a name, with as many '_' at its end as make it unique. */
static size_t add_leaf_name(struct flattener *g, const char *suffix)
{
	struct strbuf *names = &g->leaves->names;
	size_t name = names->count;

	if (g->path.count)
		strbuf__bytes(names, g->path.bytes, g->path.count);
	strbuf__text(names, g->path.count || *suffix ? suffix : "_");
	for (int i = 0;; i++) {
		strbuf__char(names, '\0');
		if (names->failed || g->path.failed) {
			g->err = -ENOMEM;
			return 0;
		}
		if (!flatten__has_name(g->leaves, names->bytes + name))
			return name;
		strbuf__cut(names, names->count - 1);
		strbuf__char(names, '_');
		if (i == UNDERSCORES_MAX)
			strbuf__unsigned(names, g->leaves->count);
	}
}

/* ---- leaves ---------------------------------------------------------------------------------- */

bool flatten__is_dynamic(const struct leaf *leaf)
{
	return leaf->shape >= LEAF_TEXT;
}

uint32_t flatten__bytes(const struct leaf *leaf)
{
	if (flatten__is_dynamic(leaf))
		return sizeof(uint32_t);
	return leaf->bytes * (leaf->count ? leaf->count : 1);
}

/*
 * Subtracts the leaf's size from the budget, and 8 bytes more: a small gap before it is copied
 * along, and a dynamic leaf has at least a NUL.
 */
static bool charge_budget(struct flattener *g, const struct leaf *leaf)
{
	uint64_t bytes = (uint64_t)leaf->bytes * (leaf->count ? leaf->count : 1) + 8;

	if (g->leaves->count >= FLATTEN_MAX || bytes > g->budget)
		return false;
	if (flatten__is_dynamic(leaf) && g->dynamic++ >= DYNAMIC_MAX)
		return false;
	g->budget -= (uint32_t)bytes;
	return true;
}

static void add_leaf(struct flattener *g, const struct leaf *leaf, const char *suffix)
{
	struct leaves *leaves = g->leaves;
	size_t name;

	if (g->err)
		return;
	if (!leaf->bytes || !charge_budget(g, leaf)) {
		leaves->left_out++;
		return;
	}
	if (!ARRAY_RESERVE(leaves->at, leaves->count, leaves->room)) {
		g->err = -ENOMEM;
		return;
	}
	name = add_leaf_name(g, suffix);
	if (g->err)
		return;
	leaves->at[leaves->count] = *leaf;
	leaves->at[leaves->count++].name = name;
}

static bool has_number(const struct peat_field *field)
{
	return fields__is_number(field) || (field_type__of(field)->class == PEAT_CLASS_FLOAT &&
					    (field->bytes == 4 || field->bytes == 8));
}

/* Whether the number cannot be copied: a bit-field, or in network order. */
static bool is_converted(const struct peat_field *field)
{
	return fields__is_number(field) &&
	       (field->bits || (field->big_endian && !BIG_ENDIAN_HERE && field->bytes > 1));
}

static uint32_t bytes_for_bits(uint32_t bits)
{
	uint32_t bytes = 1;

	while (bytes * 8 < bits)
		bytes *= 2;
	return bytes;
}

/* Adds a number, or an array of `count` numbers. */
static void add_number_leaf(struct flattener *g, const struct peat_field *field,
			    const struct peat_field *element, uint32_t base, uint32_t count)
{
	struct leaf leaf = {
		.shape = is_converted(element) ? LEAF_NUMBERS : LEAF_COPIED,
		.field = field,
		.element = element,
		.type = field_type__of(element),
		.base = base,
		.bytes = element->bits ? bytes_for_bits(element->bits) : element->bytes,
		.count = count,
	};

	add_leaf(g, &leaf, "");
}

/* Adds plain bytes, an address, or a dynamic leaf. */
static void add_bytes_leaf(struct flattener *g, const struct peat_field *field,
			   enum leaf_shape shape, const struct field_type *type, uint32_t base)
{
	struct leaf leaf = { .shape = shape,
			     .field = field,
			     .element = field,
			     .type = type,
			     .base = base,
			     .bytes = shape == LEAF_COPIED ? field->bytes : sizeof(uint32_t) };

	add_leaf(g, &leaf, "");
}

/* perf 6.1 cannot compute the number of elements: another field has it. */
static void add_elements_leaf(struct flattener *g, const struct peat_field *array,
			      const struct peat_field *element, uint32_t base)
{
	struct leaf leaf = { .shape = LEAF_ELEMENTS,
			     .field = array,
			     .element = element,
			     .type = field_type__of(element),
			     .base = base,
			     .bytes = element->bytes };
	struct leaf count = { .shape = LEAF_COUNT,
			      .field = array,
			      .element = element,
			      .type = &field_type__unsigned,
			      .bytes = sizeof(uint32_t) };
	uint32_t before = g->leaves->count;

	if (before + 2 > FLATTEN_MAX || g->dynamic >= DYNAMIC_MAX ||
	    g->budget < 2 * (sizeof(uint32_t) + 8)) {
		g->leaves->left_out++;
		return;
	}
	add_leaf(g, &count, "_count");
	add_leaf(g, &leaf, "");
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool is_array(const struct peat_field *field)
{
	return field_type__of(field)->class == PEAT_CLASS_ELEMENTS;
}

/* The element of an array of arrays, and the total number of elements. */
static const struct peat_field *innermost(const struct peat_field *array, uint64_t *count)
{
	const struct peat_field *end = array + array->span;

	*count = 1;
	for (; is_array(array) && array + 1 < end; array++)
		if (*count <= UINT16_MAX)
			*count *= array->count;
	return array;
}

/* Whether perf prints an element in an array with less detail than alone. */
static bool prints_better_alone(const struct peat_field *element)
{
	switch (field_type__of(element)->format) {
	case FIELD_FORMAT_NAMES:
	case FIELD_FORMAT_FLAGS:
	case FIELD_FORMAT_ERRNOS:
	case FIELD_FORMAT_SIGNALS:
	case FIELD_FORMAT_SYMBOL:
		return true;
	case FIELD_FORMAT_NUMBER:
	case FIELD_FORMAT_HEX:
	case FIELD_FORMAT_TIME:
	case FIELD_FORMAT_TRUTH:
		break;
	}
	/* CTF has no arrays of signed numbers larger than 32 bits. */
	return !has_number(element) || (element->is_signed && element->bytes == 8);
}

static bool has_variable_size(const struct peat_field *field)
{
	return field->place != PEAT_PLACE_OFFSET || !field->bytes;
}

/* Arrays of arrays of structs may have any number of leaves: see count_leaves(). */
static bool is_taken_apart(const struct peat_field *array)
{
	uint64_t count;
	const struct peat_field *element = innermost(array, &count);

	return !has_variable_size(array) && array->span > 1 && count && count <= TAKEN_APART_MAX &&
	       prints_better_alone(element);
}

/* The number of leaves of a field; not exact beyond FLATTEN_MAX. */
static uint64_t count_leaves(const struct peat_field *field)
{
	const struct peat_field *element = field;
	uint64_t elements = 1, leaves = 0;

	if (is_array(field)) {
		if (!is_taken_apart(field))
			return 1;
		element = innermost(field, &elements);
	}
	if (!fields__has_members(element))
		return elements;
	for (const struct peat_field *inner = element + 1;
	     inner < element + element->span && leaves <= FLATTEN_MAX; inner += inner->span)
		leaves += count_leaves(inner);
	return elements * leaves;
}

static void flatten_elements(struct flattener *g, const struct peat_field *array, uint32_t base)
{
	for (uint32_t i = 0; i < array->count && !g->err; i++) {
		size_t before = push_index(g, i);

		flatten_field(g, array + 1, base + array->offset + i * array[1].bytes);
		strbuf__cut(&g->path, before);
	}
}

static void flatten_array(struct flattener *g, const struct peat_field *array, uint32_t base)
{
	uint64_t count;
	const struct peat_field *element = innermost(array, &count);
	bool numbers = element != array && has_number(element) && !element->bits;

	if (has_variable_size(array) && numbers)
		add_elements_leaf(g, array, element, base);
	else if (has_variable_size(array))
		add_bytes_leaf(g, array, LEAF_HEX, field_type__of(array), base);
	else if (is_taken_apart(array) && g->leaves->count + count_leaves(array) <= FLATTEN_MAX)
		flatten_elements(g, array, base);
	else if (numbers && array->bytes == count * element->bytes)
		add_number_leaf(g, array, element, base, (uint32_t)count);
	else
		add_bytes_leaf(g, array, LEAF_COPIED, &field_type__bytes, base);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* An address only if the size matches, else BYTES. */
static const struct field_type *type_of_bytes(const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);

	return type->class == PEAT_CLASS_ADDRESS && type->bytes == field->bytes
		       ? type
		       : &field_type__bytes;
}

static void flatten_single(struct flattener *g, const struct peat_field *field, uint32_t base)
{
	const struct field_type *type = field_type__of(field);
	bool may_be_trimmed = field == g->last && field->bytes > TRIMMED_MIN;

	if (type->strings == FIELD_ALL_BYTES)
		add_bytes_leaf(g, field, LEAF_CHARS, type, base);
	else if (type->strings)
		add_bytes_leaf(g, field, LEAF_TEXT, type, base);
	else if (has_number(field))
		add_number_leaf(g, field, field, base, 0);
	else if (has_variable_size(field) || field->length || may_be_trimmed)
		add_bytes_leaf(g, field, LEAF_HEX, type, base);
	else
		add_bytes_leaf(g, field, LEAF_COPIED, type_of_bytes(field), base);
}

static void flatten_field(struct flattener *g, const struct peat_field *field, uint32_t base)
{
	size_t before = push_name(g, field->name);

	if (fields__has_members(field)) {
		for (const struct peat_field *inner = field + 1;
		     inner < field + field->span && !g->err; inner += inner->span)
			flatten_field(g, inner, base + field->offset);
	} else if (is_array(field)) {
		flatten_array(g, field, base);
	} else {
		flatten_single(g, field, base);
	}
	strbuf__cut(&g->path, before);
}

int flatten__schema(struct leaves *leaves, const struct peat_schema *schema)
{
	struct flattener g = { .leaves = leaves, .budget = FLATTEN_BYTES_MAX - HEAD_BYTES };
	const struct peat_field *field = schema ? schema->fields : &any_bytes, *end;

	*leaves = (struct leaves){ 0 };
	end = schema ? fields__end(schema) : field + 1;
	g.last = end - 1; /* a top-level field, or the last member of the last struct */
	for (; field < end && !g.err; field += field->span)
		flatten_field(&g, field, 0);
	if (schema && schema->expects_appended && !g.err)
		flatten_field(&g, &schema->appended, 0);
	strbuf__free(&g.path);
	return g.err;
}

void flatten__free(struct leaves *leaves)
{
	free(leaves->at);
	strbuf__free(&leaves->names);
	*leaves = (struct leaves){ 0 };
}
