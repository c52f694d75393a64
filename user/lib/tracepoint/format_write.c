// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* format_text.c: a tracepoint's format, of the leaves of a schema. */
#include <stdlib.h>
#include <string.h>

#include "tracepoint/format_write.h"
#include "schema/field_text.h"

#define VALUE_NAME_MAX 200
#define VALUES_MAX     32768 /* named in one format */
#define SIGNALS_MAX    64
#define ERRNO_MAX      1023 /* none beyond has a name */

/* What may be in a value that perf report could take for a label: the later, the more. */
enum rank { RANK_NUMBER, RANK_ROW, RANK_TEXT, RANK_LAST, RANKS };

/* "label=conversion", and its arguments. */
struct print {
	size_t label, arguments, arguments_bytes; /* in `words` */
	const char *conversion;
	enum rank rank;
};

struct writer {
	const struct leaves *leaves;
	struct out *text;
	struct out words;
	struct print *prints; /* two a leaf at most */
	uint32_t *order;      /* of them: indexes */
	uint32_t count;
	uint32_t values; /* that may still be named */
};

/* ---- fields ---------------------------------------------------------------------------------- */

static bool is_signed(const struct leaf *leaf)
{
	return leaf->element->is_signed && leaf->kind != PEAT_FIELD_BYTES &&
	       leaf->shape != LEAF_COUNT;
}

static bool is_bytes(const struct leaf *leaf)
{
	return leaf->kind == PEAT_FIELD_BYTES || leaf->kind == PEAT_FIELD_IPV4 ||
	       leaf->kind == PEAT_FIELD_IPV6 || leaf->kind == PEAT_FIELD_MAC;
}

/* One of them; `rows` have words of their own, as perf takes what is called u8 for text. */
static const char *type_of(const struct leaf *leaf, bool row)
{
	static const char *const names[2][2][9] = {
		{ { [1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64" },
		  { [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" } },
		{ { [1] = "uint8_t", [2] = "u16", [4] = "u32", [8] = "unsigned long long" },
		  { [1] = "int8_t", [2] = "s16", [4] = "s32", [8] = "long long" } },
	};

	if (leaf->kind == PEAT_FIELD_BOOL && leaf->bytes == 1)
		return "bool";
	if (leaf->kind == PEAT_FIELD_HEX && leaf->bytes == 8 && !row)
		return "void *";
	return names[row][is_signed(leaf)][leaf->bytes];
}

static void append_declaration(struct writer *w, const struct leaf *leaf)
{
	uint32_t count = is_bytes(leaf) ? leaf->bytes : leaf->count;

	if (leaf->shape == LEAF_TEXT || leaf->shape == LEAF_HEX) {
		out__text(w->text, "__data_loc char[] ");
	} else if (leaf->shape == LEAF_ELEMENTS) {
		out__text(w->text, "__data_loc ");
		out__text(w->text, type_of(leaf, true));
		out__text(w->text, "[] ");
	} else {
		out__text(w->text, is_bytes(leaf) ? "uint8_t" : type_of(leaf, count));
		out__char(w->text, ' ');
	}
	out__text(w->text, leaves__name(w->leaves, leaf));
	if (leaves__is_behind(leaf) || !count)
		return;
	out__char(w->text, '[');
	out__unsigned(w->text, count);
	out__char(w->text, ']');
}

static void append_field(struct writer *w, const struct leaf *leaf)
{
	out__text(w->text, "\tfield:");
	append_declaration(w, leaf);
	out__text(w->text, ";\toffset:");
	out__unsigned(w->text, leaf->at);
	out__text(w->text, ";\tsize:");
	out__unsigned(w->text, leaves__bytes(leaf));
	out__text(w->text, ";\tsigned:");
	out__unsigned(w->text, is_signed(leaf) && !leaves__is_behind(leaf));
	out__text(w->text, ";\n");
}

/* ---- values by name -------------------------------------------------------------------------- */

static uint64_t mask_of(uint32_t bytes)
{
	return bytes < 8 ? (1ULL << bytes * 8) - 1 : UINT64_MAX;
}

/* Whether the number is the same once it is in so few bytes. */
static bool fits(const struct leaf *leaf, uint64_t value)
{
	uint32_t shift = 64 - leaf->bytes * 8;
	int64_t extended = (int64_t)(value << shift) >> shift;

	return is_signed(leaf) ? (uint64_t)extended == value : value <= mask_of(leaf->bytes);
}

/* Of flags the bits that are there count, and 0 has no name of perf's. */
static bool is_value(const struct leaf *leaf, uint64_t value)
{
	return leaf->kind == PEAT_FIELD_FLAGS ? value & mask_of(leaf->bytes) : fits(leaf, value);
}

static bool is_named(enum peat_field_kind kind)
{
	return kind == PEAT_FIELD_ENUM || kind == PEAT_FIELD_FLAGS || kind == PEAT_FIELD_BOOL ||
	       kind == PEAT_FIELD_SIGNAL || kind == PEAT_FIELD_ERRNO;
}

/* A quote that does not end lets perf 6.1 run for ever. */
static void append_quoted(struct out *words, const char *name)
{
	out__char(words, '"');
	for (size_t i = 0; name[i] && i < VALUE_NAME_MAX; i++)
		out__char(words, strchr("+-.:/", name[i]) ? name[i] : leaves__word_char(name[i]));
	out__char(words, '"');
}

/* perf knows no negative numbers: they are what is in memory. */
static void append_value(struct writer *w, const struct leaf *leaf, uint64_t value,
			 const char *name)
{
	w->values--;
	out__text(&w->words, ", { ");
	out__hex(&w->words, value & mask_of(leaf->bytes));
	out__text(&w->words, ", ");
	append_quoted(&w->words, name);
	out__text(&w->words, " }");
}

static void append_record(struct writer *w, const struct leaf *leaf)
{
	out__text(&w->words, "REC->");
	out__text(&w->words, leaves__name(w->leaves, leaf));
}

static void begin_symbolic(struct writer *w, const struct leaf *leaf)
{
	out__text(&w->words, "__print_symbolic(");
	append_record(w, leaf);
}

static void append_enum(struct writer *w, const struct leaf *leaf)
{
	const struct peat_field *element = leaf->element;

	begin_symbolic(w, leaf);
	for (uint32_t i = 0; i < element->name_count; i++)
		if (is_value(leaf, element->names[i].value))
			append_value(w, leaf, element->names[i].value, element->names[i].name);
	out__char(&w->words, ')');
}

/* perf takes bits away in the order of the list: those of several at once have to come first. */
static bool has_wide_flags(const struct peat_field *element)
{
	for (uint32_t i = 0; i < element->name_count; i++)
		if (element->names[i].value & (element->names[i].value - 1))
			return true;
	return false;
}

/* perf has no name for 0, and prints nothing. */
static void append_flags(struct writer *w, const struct leaf *leaf)
{
	const struct peat_field *element = leaf->element;
	bool backwards = has_wide_flags(element);
	const char *none = "0";

	append_record(w, leaf);
	out__text(&w->words, " ? __print_flags(");
	append_record(w, leaf);
	out__text(&w->words, ", \"|\"");
	for (uint32_t i = 0; i < element->name_count; i++) {
		uint32_t at = backwards ? element->name_count - 1 - i : i;
		uint64_t value = element->names[at].value & mask_of(leaf->bytes);

		if (is_value(leaf, value))
			append_value(w, leaf, value, element->names[at].name);
		else if (!element->names[at].value)
			none = element->names[at].name;
	}
	out__text(&w->words, ") : ");
	append_quoted(&w->words, none);
}

/* A comparison with 0 is of unsigned numbers, and never true: the highest bit tells. */
static void append_errno(struct writer *w, const struct leaf *leaf)
{
	out__char(&w->words, '(');
	append_record(w, leaf);
	out__text(&w->words, " >> ");
	out__unsigned(&w->words, leaf->bytes * 8 - 1);
	out__text(&w->words, ") ? ");
	begin_symbolic(w, leaf);
	for (int64_t err = 1; err <= ERRNO_MAX && fits(leaf, (uint64_t)-err); err++) {
		const char *name = value__errno_name(-err);

		if (name)
			append_value(w, leaf, (uint64_t)-err, name);
	}
	out__text(&w->words, ") : \"OK\"");
}

static void append_signal(struct writer *w, const struct leaf *leaf)
{
	struct out name = { 0 };

	begin_symbolic(w, leaf);
	append_value(w, leaf, 0, "0");
	for (uint64_t signal = 1; signal <= SIGNALS_MAX && fits(leaf, signal); signal++) {
		out__cut(&name, 0);
		value__append_name(&name, leaf->element, signal);
		out__char(&name, '\0');
		if (name.failed)
			w->words.failed = true;
		else if (name.count > 1)
			append_value(w, leaf, signal, name.bytes);
	}
	out__free(&name);
	out__char(&w->words, ')');
}

static void append_bool(struct writer *w, const struct leaf *leaf)
{
	begin_symbolic(w, leaf);
	append_value(w, leaf, 0, "false");
	append_value(w, leaf, 1, "true");
	out__char(&w->words, ')');
}

/* ---- what is printed ------------------------------------------------------------------------- */

static bool is_label(const struct writer *w, const char *label)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (!strcmp(w->words.bytes + w->prints[i].label, label))
			return true;
	return false;
}

/* What is appended to the words until end_print() are its arguments. */
static void begin_print(struct writer *w, const struct leaf *leaf, const char *suffix,
			const char *conversion, enum rank rank)
{
	struct print *print = &w->prints[w->count];

	*print = (struct print){ .label = w->words.count, .conversion = conversion, .rank = rank };
	out__text(&w->words, leaves__name(w->leaves, leaf));
	out__text(&w->words, suffix);
	for (;;) {
		out__char(&w->words, '\0');
		if (w->words.failed || !*suffix)
			break;
		if (!is_label(w, w->words.bytes + print->label) &&
		    !leaves__is_taken(w->leaves, w->words.bytes + print->label))
			break;
		out__cut(&w->words, w->words.count - 1);
		out__char(&w->words, '_');
	}
	print->arguments = w->words.count;
}

static void end_print(struct writer *w)
{
	struct print *print = &w->prints[w->count++];

	print->arguments_bytes = w->words.count - print->arguments;
}

static void print_as(struct writer *w, const struct leaf *leaf, const char *conversion)
{
	begin_print(w, leaf, "", conversion, RANK_NUMBER);
	append_record(w, leaf);
	end_print(w);
}

static void print_named(struct writer *w, const struct leaf *leaf, const char *suffix,
			void (*append)(struct writer *w, const struct leaf *leaf))
{
	begin_print(w, leaf, suffix, "%s", RANK_NUMBER);
	append(w, leaf);
	end_print(w);
}

static void print_number(struct writer *w, const struct leaf *leaf)
{
	static const char *const conversions[2][9] = {
		{ [1] = "%u", [2] = "%u", [4] = "%u", [8] = "%llu" },
		{ [1] = "%hhd", [2] = "%hd", [4] = "%d", [8] = "%lld" },
	};

	print_as(w, leaf, conversions[is_signed(leaf)][leaf->bytes]);
}

static void print_duration(struct writer *w, const struct leaf *leaf)
{
	print_number(w, leaf);
	if (is_signed(leaf))
		return; /* perf divides unsigned numbers alone */
	begin_print(w, leaf, "_us", leaf->bytes == 8 ? "%llu.%03llu" : "%u.%03u", RANK_NUMBER);
	append_record(w, leaf);
	out__text(&w->words, " / 1000, ");
	append_record(w, leaf);
	out__text(&w->words, " % 1000");
	end_print(w);
}

static void print_symbol(struct writer *w, const struct leaf *leaf)
{
	begin_print(w, leaf, "", "%pS", RANK_NUMBER);
	out__text(&w->words, "(void *)");
	append_record(w, leaf);
	end_print(w);
}

/* A list without a value is one that perf does not understand. */
static bool has_names(const struct writer *w, const struct leaf *leaf)
{
	const struct peat_field *element = leaf->element;

	if (leaf->kind != PEAT_FIELD_ENUM && leaf->kind != PEAT_FIELD_FLAGS)
		return w->values > ERRNO_MAX;
	for (uint32_t i = 0; i < element->name_count; i++)
		if (is_value(leaf, element->names[i].value))
			return element->name_count < w->values;
	return false;
}

static void print_one(struct writer *w, const struct leaf *leaf)
{
	enum peat_field_kind kind = leaf->kind;

	if (is_named(kind) && !has_names(w, leaf))
		kind = kind == PEAT_FIELD_FLAGS ? PEAT_FIELD_HEX : PEAT_FIELD_UNSIGNED;
	switch (kind) {
	case PEAT_FIELD_HEX:
	case PEAT_FIELD_FLOAT:
		print_as(w, leaf, leaf->bytes == 8 ? "0x%llx" : "0x%x");
		break;
	case PEAT_FIELD_BOOL:
		print_named(w, leaf, "", append_bool);
		break;
	case PEAT_FIELD_ENUM:
		print_named(w, leaf, "", append_enum);
		break;
	case PEAT_FIELD_FLAGS:
		print_named(w, leaf, "", append_flags);
		break;
	case PEAT_FIELD_SIGNAL:
		print_named(w, leaf, "", append_signal);
		break;
	case PEAT_FIELD_ERRNO:
		print_number(w, leaf);
		print_named(w, leaf, "_err", append_errno);
		break;
	case PEAT_FIELD_DURATION:
		print_duration(w, leaf);
		break;
	case PEAT_FIELD_KADDR:
		print_symbol(w, leaf);
		break;
	default:
		print_number(w, leaf);
	}
}

static void print_bytes(struct writer *w, const struct leaf *leaf)
{
	if (leaf->kind == PEAT_FIELD_IPV4) {
		print_as(w, leaf, "%pI4");
	} else if (leaf->kind == PEAT_FIELD_IPV6) {
		print_as(w, leaf, "%pI6c");
	} else if (leaf->kind == PEAT_FIELD_MAC) {
		print_as(w, leaf, "%pM");
	} else {
		begin_print(w, leaf, "", "%s", RANK_ROW);
		out__text(&w->words, "__print_hex(");
		append_record(w, leaf);
		out__text(&w->words, ", ");
		out__unsigned(&w->words, leaf->bytes);
		out__char(&w->words, ')');
		end_print(w);
	}
}

static void print_row(struct writer *w, const struct leaf *leaf)
{
	begin_print(w, leaf, "", "%s", RANK_ROW);
	out__text(&w->words, "__print_array(");
	if (leaf->shape == LEAF_ELEMENTS) {
		out__text(&w->words, "__get_dynamic_array(");
		out__text(&w->words, leaves__name(w->leaves, leaf));
		out__text(&w->words, "), ");
		append_record(w, leaf - 1); /* the COUNT */
	} else {
		append_record(w, leaf);
		out__text(&w->words, ", ");
		out__unsigned(&w->words, leaf->count);
	}
	out__text(&w->words, ", ");
	out__unsigned(&w->words, leaf->shape == LEAF_ELEMENTS ? leaf->element->bytes : leaf->bytes);
	out__char(&w->words, ')');
	end_print(w);
}

static void print_text(struct writer *w, const struct leaf *leaf)
{
	begin_print(w, leaf, "", "%s", leaf->shape == LEAF_HEX ? RANK_ROW : RANK_TEXT);
	out__text(&w->words, "__get_str(");
	out__text(&w->words, leaves__name(w->leaves, leaf));
	out__char(&w->words, ')');
	end_print(w);
}

static void print_leaf(struct writer *w, const struct leaf *leaf)
{
	if (leaf->shape == LEAF_COUNT)
		return;
	if (leaf->shape == LEAF_TEXT || leaf->shape == LEAF_HEX)
		print_text(w, leaf);
	else if (leaf->shape == LEAF_ELEMENTS || leaf->count)
		print_row(w, leaf);
	else if (is_bytes(leaf))
		print_bytes(w, leaf);
	else
		print_one(w, leaf);
}

/* ---- their order ----------------------------------------------------------------------------- */

/* The place of a label: before the first one that begins like it, else behind all. */
static uint32_t find_place(const struct writer *w, uint32_t placed, const char *label)
{
	size_t bytes = strlen(label);
	uint32_t place = 0;

	while (place < placed &&
	       strncmp(w->words.bytes + w->prints[w->order[place]].label, label, bytes) != 0)
		place++;
	return place;
}

static void place_print(struct writer *w, uint32_t placed, uint32_t print)
{
	uint32_t place = find_place(w, placed, w->words.bytes + w->prints[print].label);

	memmove(&w->order[place + 1], &w->order[place], (placed - place) * sizeof(*w->order));
	w->order[place] = print;
}

/*
 * Where a text has to stand before what is none, as it is called "args" and that "args_bytes", both
 * stand behind all others, which need not fear what is in it.
 */
static void find_last(struct writer *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const char *label = w->words.bytes + w->prints[i].label;
		size_t bytes = strlen(label);

		if (w->prints[i].rank < RANK_TEXT)
			continue;
		for (uint32_t j = 0; j < w->count; j++) {
			if (w->prints[j].rank >= RANK_TEXT ||
			    strncmp(w->words.bytes + w->prints[j].label, label, bytes) != 0)
				continue;
			w->prints[i].rank = w->prints[j].rank = RANK_LAST;
		}
	}
}

static void order_prints(struct writer *w)
{
	uint32_t placed = 0;

	find_last(w);
	for (int rank = 0; rank < RANKS; rank++)
		for (uint32_t i = 0; i < w->count; i++)
			if (w->prints[i].rank == (enum rank)rank)
				place_print(w, placed++, i);
}

static void append_print(struct writer *w)
{
	out__text(w->text, "\nprint fmt: \"");
	for (uint32_t i = 0; i < w->count; i++) {
		const struct print *print = &w->prints[w->order[i]];

		out__text(w->text, i ? " " : "");
		out__text(w->text, w->words.bytes + print->label);
		out__char(w->text, '=');
		out__text(w->text, print->conversion);
	}
	out__char(w->text, '"');
	for (uint32_t i = 0; i < w->count; i++) {
		const struct print *print = &w->prints[w->order[i]];

		out__text(w->text, ", ");
		out__bytes(w->text, w->words.bytes + print->arguments, print->arguments_bytes);
	}
	out__char(w->text, '\n');
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void append_head(struct writer *w, const char *event, uint32_t id)
{
	out__text(w->text, "name: ");
	for (size_t i = 0; event[i] && i < FORMAT_TEXT_NAME_MAX; i++)
		out__char(w->text, leaves__word_char(event[i]));
	out__text(w->text, *event ? "" : "_");
	out__text(w->text, "\nID: ");
	out__unsigned(w->text, id);
	out__text(w->text,
		  "\nformat:\n"
		  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		  "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		  "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
}

void format_text__append(struct out *text, const struct leaves *leaves, const char *event,
			 uint32_t id)
{
	struct writer w = { .leaves = leaves, .text = text, .values = VALUES_MAX };

	w.prints = calloc(2 * (size_t)leaves->count + 1, sizeof(*w.prints));
	w.order = calloc(2 * (size_t)leaves->count + 1, sizeof(*w.order));
	append_head(&w, event, id);
	for (uint32_t i = 0; i < leaves->count; i++)
		append_field(&w, &leaves->at[i]);
	for (uint32_t i = 0; w.prints && w.order && i < leaves->count; i++)
		print_leaf(&w, &leaves->at[i]);
	if (!w.prints || !w.order || w.words.failed) {
		text->failed = true;
	} else {
		order_prints(&w);
		append_print(&w);
	}
	free(w.prints);
	free(w.order);
	out__free(&w.words);
}
