// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/format_write.c: writes the format of a tracepoint from the leaves of a schema. */
#include <stdlib.h>
#include <string.h>

#include "tracing_data/format_write.h"
#include "field/field_text.h"

#define VALUE_NAME_MAX 200
#define VALUES_MAX     32768 /* named values in a format */
#define SIGNALS_MAX    64
#define ERRNO_MAX      1023 /* larger errnos have no name */

/* The order of printing: the higher the rank, the more a value may look like a label to perf
 * report. */
enum rank { RANK_NUMBER, RANK_ROW, RANK_TEXT, RANK_LAST, RANKS };

/* "label=conversion", and its arguments. */
struct print {
	size_t label, arguments, arguments_bytes; /* offsets in `words`, and a length */
	const char *conversion;
	enum rank rank;
};

struct writer {
	const struct leaves *leaves;
	struct strbuf *text;
	struct strbuf words;
	struct print *prints; /* at most two per leaf */
	uint32_t *order;      /* indexes of `prints`, sorted */
	uint32_t count;
	uint32_t values; /* named values left of VALUES_MAX */
};

/* ---- fields ---------------------------------------------------------------------------------- */

static bool is_signed_leaf(const struct leaf *leaf)
{
	return leaf->element->is_signed && leaf->type->class != PEAT_CLASS_BYTES &&
	       leaf->shape != LEAF_COUNT;
}

static bool is_bytes(const struct leaf *leaf)
{
	return leaf->type->class == PEAT_CLASS_BYTES || leaf->type->class == PEAT_CLASS_ADDRESS;
}

/* The C type of an element.  Arrays (`row`) need other names, since perf takes u8[] for text. */
static const char *c_type(const struct leaf *leaf, bool row)
{
	static const char *const names[2][2][9] = {
		{ { [1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64" },
		  { [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" } },
		{ { [1] = "uint8_t", [2] = "u16", [4] = "u32", [8] = "unsigned long long" },
		  { [1] = "int8_t", [2] = "s16", [4] = "s32", [8] = "long long" } },
	};

	if (leaf->type->format == FIELD_FORMAT_TRUTH && leaf->bytes == 1)
		return "bool";
	if (leaf->type->class == PEAT_CLASS_NUMBER && leaf->type->format == FIELD_FORMAT_HEX &&
	    leaf->bytes == 8 && !row)
		return "void *";
	return names[row][is_signed_leaf(leaf)][leaf->bytes];
}

static void append_declaration(struct writer *w, const struct leaf *leaf)
{
	uint32_t count = is_bytes(leaf) ? leaf->bytes : leaf->count;

	if (leaf->shape == LEAF_TEXT || leaf->shape == LEAF_HEX) {
		strbuf__text(w->text, "__data_loc char[] ");
	} else if (leaf->shape == LEAF_CHARS) { /* format_print.c: bytes that %s prints */
		strbuf__text(w->text, "__data_loc unsigned char[] ");
	} else if (leaf->shape == LEAF_ELEMENTS) {
		strbuf__text(w->text, "__data_loc ");
		strbuf__text(w->text, c_type(leaf, true));
		strbuf__text(w->text, "[] ");
	} else {
		strbuf__text(w->text, is_bytes(leaf) ? "uint8_t" : c_type(leaf, count));
		strbuf__char(w->text, ' ');
	}
	strbuf__text(w->text, flatten__name(w->leaves, leaf));
	if (flatten__is_dynamic(leaf) || !count)
		return;
	strbuf__char(w->text, '[');
	strbuf__unsigned(w->text, count);
	strbuf__char(w->text, ']');
}

static void append_format_field(struct writer *w, const struct leaf *leaf)
{
	strbuf__text(w->text, "\tfield:");
	append_declaration(w, leaf);
	strbuf__text(w->text, ";\toffset:");
	strbuf__unsigned(w->text, leaf->at);
	strbuf__text(w->text, ";\tsize:");
	strbuf__unsigned(w->text, flatten__bytes(leaf));
	strbuf__text(w->text, ";\tsigned:");
	strbuf__unsigned(w->text, is_signed_leaf(leaf) && !flatten__is_dynamic(leaf));
	strbuf__text(w->text, ";\n");
}

/* ---- values by name -------------------------------------------------------------------------- */

static uint64_t value_mask(uint32_t bytes)
{
	return bytes < 8 ? (1ULL << bytes * 8) - 1 : UINT64_MAX;
}

/* Whether the value can be stored in the leaf's bytes. */
static bool fits_leaf(const struct leaf *leaf, uint64_t value)
{
	uint32_t shift = 64 - leaf->bytes * 8;
	int64_t extended = (int64_t)(value << shift) >> shift;

	return is_signed_leaf(leaf) ? (uint64_t)extended == value
				    : value <= value_mask(leaf->bytes);
}

/* Flags: any bit within the leaf's size; perf prints no name for 0. */
static bool is_value(const struct leaf *leaf, uint64_t value)
{
	return leaf->type->joins_names ? value & value_mask(leaf->bytes) : fits_leaf(leaf, value);
}

/* An unterminated quote makes perf 6.1 loop forever. */
static void append_quoted(struct strbuf *words, const char *name)
{
	strbuf__char(words, '"');
	for (size_t i = 0; name[i] && i < VALUE_NAME_MAX; i++)
		strbuf__char(words,
			     strchr("+-.:/", name[i]) ? name[i] : flatten__word_char(name[i]));
	strbuf__char(words, '"');
}

/* perf has no negative numbers here: they are written as the unsigned value in memory. */
static void append_named_value(struct writer *w, const struct leaf *leaf, uint64_t value,
			       const char *name)
{
	w->values--;
	strbuf__text(&w->words, ", { ");
	strbuf__hex(&w->words, value & value_mask(leaf->bytes));
	strbuf__text(&w->words, ", ");
	append_quoted(&w->words, name);
	strbuf__text(&w->words, " }");
}

static void append_leaf_ref(struct writer *w, const struct leaf *leaf)
{
	strbuf__text(&w->words, "REC->");
	strbuf__text(&w->words, flatten__name(w->leaves, leaf));
}

static void begin_symbolic(struct writer *w, const struct leaf *leaf)
{
	strbuf__text(&w->words, "__print_symbolic(");
	append_leaf_ref(w, leaf);
}

static void append_enum_names(struct writer *w, const struct leaf *leaf)
{
	const struct peat_field *element = leaf->element;

	begin_symbolic(w, leaf);
	for (uint32_t i = 0; i < element->name_count; i++)
		if (is_value(leaf, element->names[i].value))
			append_named_value(w, leaf, element->names[i].value,
					   element->names[i].name);
	strbuf__char(&w->words, ')');
}

/* perf removes bits in the order of the list: values of several bits have to be first. */
static bool has_wide_flags(const struct peat_field *element)
{
	for (uint32_t i = 0; i < element->name_count; i++)
		if (element->names[i].value & (element->names[i].value - 1))
			return true;
	return false;
}

/* perf prints nothing for 0: a condition prints the name. */
static void append_flags_by_name(struct writer *w, const struct leaf *leaf)
{
	const struct peat_field *element = leaf->element;
	bool backwards = has_wide_flags(element);
	const char *none = "0";

	append_leaf_ref(w, leaf);
	strbuf__text(&w->words, " ? __print_flags(");
	append_leaf_ref(w, leaf);
	strbuf__text(&w->words, ", \"|\"");
	for (uint32_t i = 0; i < element->name_count; i++) {
		uint32_t at = backwards ? element->name_count - 1 - i : i;
		uint64_t value = element->names[at].value & value_mask(leaf->bytes);

		if (is_value(leaf, value))
			append_named_value(w, leaf, value, element->names[at].name);
		else if (!element->names[at].value)
			none = element->names[at].name;
	}
	strbuf__text(&w->words, ") : ");
	append_quoted(&w->words, none);
}

/* perf compares as unsigned, so that "< 0" is never true: the highest bit is tested instead. */
static void append_errno_names(struct writer *w, const struct leaf *leaf)
{
	strbuf__char(&w->words, '(');
	append_leaf_ref(w, leaf);
	strbuf__text(&w->words, " >> ");
	strbuf__unsigned(&w->words, leaf->bytes * 8 - 1);
	strbuf__text(&w->words, ") ? ");
	begin_symbolic(w, leaf);
	for (int64_t err = 1; err <= ERRNO_MAX && fits_leaf(leaf, (uint64_t)-err); err++) {
		const char *name = field_text__errno_name(-err);

		if (name)
			append_named_value(w, leaf, (uint64_t)-err, name);
	}
	strbuf__text(&w->words, ") : \"OK\"");
}

static void append_signal_names(struct writer *w, const struct leaf *leaf)
{
	struct strbuf name = { 0 };

	begin_symbolic(w, leaf);
	append_named_value(w, leaf, 0, "0");
	for (uint64_t signal = 1; signal <= SIGNALS_MAX && fits_leaf(leaf, signal); signal++) {
		strbuf__cut(&name, 0);
		field_text__append_name(&name, leaf->element, signal);
		strbuf__char(&name, '\0');
		if (name.failed)
			w->words.failed = true;
		else if (name.count > 1)
			append_named_value(w, leaf, signal, name.bytes);
	}
	strbuf__free(&name);
	strbuf__char(&w->words, ')');
}

static void append_bool_names(struct writer *w, const struct leaf *leaf)
{
	begin_symbolic(w, leaf);
	append_named_value(w, leaf, 0, "false");
	append_named_value(w, leaf, 1, "true");
	strbuf__char(&w->words, ')');
}

/* ---- print fmt ------------------------------------------------------------------------------- */

static bool is_label(const struct writer *w, const char *label)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (!strcmp(w->words.bytes + w->prints[i].label, label))
			return true;
	return false;
}

/* Everything appended to `words` until end_print() are its arguments. */
static void begin_print(struct writer *w, const struct leaf *leaf, const char *suffix,
			const char *conversion, enum rank rank)
{
	struct print *print = &w->prints[w->count];

	*print = (struct print){ .label = w->words.count, .conversion = conversion, .rank = rank };
	strbuf__text(&w->words, flatten__name(w->leaves, leaf));
	strbuf__text(&w->words, suffix);
	for (;;) {
		strbuf__char(&w->words, '\0');
		if (w->words.failed || !*suffix)
			break;
		if (!is_label(w, w->words.bytes + print->label) &&
		    !flatten__has_name(w->leaves, w->words.bytes + print->label))
			break;
		strbuf__cut(&w->words, w->words.count - 1);
		strbuf__char(&w->words, '_');
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
	append_leaf_ref(w, leaf);
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

	print_as(w, leaf, conversions[is_signed_leaf(leaf)][leaf->bytes]);
}

static void print_duration(struct writer *w, const struct leaf *leaf)
{
	print_number(w, leaf);
	if (is_signed_leaf(leaf))
		return; /* perf can only divide unsigned numbers */
	begin_print(w, leaf, "_us", leaf->bytes == 8 ? "%llu.%03llu" : "%u.%03u", RANK_NUMBER);
	append_leaf_ref(w, leaf);
	strbuf__text(&w->words, " / 1000, ");
	append_leaf_ref(w, leaf);
	strbuf__text(&w->words, " % 1000");
	end_print(w);
}

static void print_symbol(struct writer *w, const struct leaf *leaf)
{
	begin_print(w, leaf, "", "%pS", RANK_NUMBER);
	strbuf__text(&w->words, "(void *)");
	append_leaf_ref(w, leaf);
	end_print(w);
}

/* perf cannot parse an empty list of names. */
static bool has_names(const struct writer *w, const struct leaf *leaf)
{
	const struct peat_field *element = leaf->element;

	if (!leaf->type->has_own_names)
		return w->values > ERRNO_MAX;
	for (uint32_t i = 0; i < element->name_count; i++)
		if (is_value(leaf, element->names[i].value))
			return element->name_count < w->values;
	return false;
}

static void print_single(struct writer *w, const struct leaf *leaf)
{
	enum field_format format = leaf->type->format;

	if (leaf->type->class == PEAT_CLASS_NAMED && !has_names(w, leaf))
		format = leaf->type->joins_names ? FIELD_FORMAT_HEX : FIELD_FORMAT_NUMBER;
	switch (format) {
	case FIELD_FORMAT_NUMBER:
		print_number(w, leaf);
		break;
	case FIELD_FORMAT_HEX:
		print_as(w, leaf, leaf->bytes == 8 ? "0x%llx" : "0x%x");
		break;
	case FIELD_FORMAT_TRUTH:
		print_named(w, leaf, "", append_bool_names);
		break;
	case FIELD_FORMAT_NAMES:
		print_named(w, leaf, "", append_enum_names);
		break;
	case FIELD_FORMAT_FLAGS:
		print_named(w, leaf, "", append_flags_by_name);
		break;
	case FIELD_FORMAT_SIGNALS:
		print_named(w, leaf, "", append_signal_names);
		break;
	case FIELD_FORMAT_ERRNOS:
		print_number(w, leaf);
		print_named(w, leaf, "_err", append_errno_names);
		break;
	case FIELD_FORMAT_TIME:
		print_duration(w, leaf);
		break;
	case FIELD_FORMAT_SYMBOL:
		print_symbol(w, leaf);
		break;
	}
}

static void print_bytes(struct writer *w, const struct leaf *leaf)
{
	if (leaf->type->conversion) {
		print_as(w, leaf, leaf->type->conversion);
	} else {
		begin_print(w, leaf, "", "%s", RANK_ROW);
		strbuf__text(&w->words, "__print_hex(");
		append_leaf_ref(w, leaf);
		strbuf__text(&w->words, ", ");
		strbuf__unsigned(&w->words, leaf->bytes);
		strbuf__char(&w->words, ')');
		end_print(w);
	}
}

static void print_row(struct writer *w, const struct leaf *leaf)
{
	begin_print(w, leaf, "", "%s", RANK_ROW);
	strbuf__text(&w->words, "__print_array(");
	if (leaf->shape == LEAF_ELEMENTS) {
		strbuf__text(&w->words, "__get_dynamic_array(");
		strbuf__text(&w->words, flatten__name(w->leaves, leaf));
		strbuf__text(&w->words, "), ");
		append_leaf_ref(w, leaf - 1); /* the COUNT */
	} else {
		append_leaf_ref(w, leaf);
		strbuf__text(&w->words, ", ");
		strbuf__unsigned(&w->words, leaf->count);
	}
	strbuf__text(&w->words, ", ");
	strbuf__unsigned(&w->words,
			 leaf->shape == LEAF_ELEMENTS ? leaf->element->bytes : leaf->bytes);
	strbuf__char(&w->words, ')');
	end_print(w);
}

static void print_text(struct writer *w, const struct leaf *leaf)
{
	begin_print(w, leaf, "", "%s", leaf->shape == LEAF_HEX ? RANK_ROW : RANK_TEXT);
	strbuf__text(&w->words, "__get_str(");
	strbuf__text(&w->words, flatten__name(w->leaves, leaf));
	strbuf__char(&w->words, ')');
	end_print(w);
}

static void print_leaf(struct writer *w, const struct leaf *leaf)
{
	if (leaf->shape == LEAF_COUNT)
		return;
	if (leaf->shape == LEAF_TEXT || leaf->shape == LEAF_CHARS || leaf->shape == LEAF_HEX)
		print_text(w, leaf);
	else if (leaf->shape == LEAF_ELEMENTS || leaf->count)
		print_row(w, leaf);
	else if (is_bytes(leaf))
		print_bytes(w, leaf);
	else
		print_single(w, leaf);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* The index for a label: before the first label that begins like it, else at the end. */
static uint32_t find_print_place(const struct writer *w, uint32_t placed, const char *label)
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
	uint32_t place = find_print_place(w, placed, w->words.bytes + w->prints[print].label);

	memmove(&w->order[place + 1], &w->order[place], (placed - place) * sizeof(*w->order));
	w->order[place] = print;
}

/*
 * A text "args" has to precede a number "args_bytes", but its value may look like any label.  Both
 * are printed after all others, which the text then cannot affect.
 */
static void rank_last(struct writer *w)
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

	rank_last(w);
	for (int rank = 0; rank < RANKS; rank++)
		for (uint32_t i = 0; i < w->count; i++)
			if (w->prints[i].rank == (enum rank)rank)
				place_print(w, placed++, i);
}

static void append_print(struct writer *w)
{
	strbuf__text(w->text, "\nprint fmt: \"");
	for (uint32_t i = 0; i < w->count; i++) {
		const struct print *print = &w->prints[w->order[i]];

		strbuf__text(w->text, i ? " " : "");
		strbuf__text(w->text, w->words.bytes + print->label);
		strbuf__char(w->text, '=');
		strbuf__text(w->text, print->conversion);
	}
	strbuf__char(w->text, '"');
	for (uint32_t i = 0; i < w->count; i++) {
		const struct print *print = &w->prints[w->order[i]];

		strbuf__text(w->text, ", ");
		strbuf__bytes(w->text, w->words.bytes + print->arguments, print->arguments_bytes);
	}
	strbuf__char(w->text, '\n');
}

/* ---- the format ------------------------------------------------------------------------------ */

static void append_common_fields(struct writer *w, const char *event, uint32_t id)
{
	strbuf__text(w->text, "name: ");
	for (size_t i = 0; event[i] && i < FORMAT_WRITE_NAME_MAX; i++)
		strbuf__char(w->text, flatten__word_char(event[i]));
	strbuf__text(w->text, *event ? "" : "_");
	strbuf__text(w->text, "\nID: ");
	strbuf__unsigned(w->text, id);
	strbuf__text(w->text,
		     "\nformat:\n"
		     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
}

void format_write__append(struct strbuf *text, const struct leaves *leaves, const char *event,
			  uint32_t id)
{
	struct writer w = { .leaves = leaves, .text = text, .values = VALUES_MAX };

	w.prints = calloc(2 * (size_t)leaves->count + 1, sizeof(*w.prints));
	w.order = calloc(2 * (size_t)leaves->count + 1, sizeof(*w.order));
	append_common_fields(&w, event, id);
	for (uint32_t i = 0; i < leaves->count; i++)
		append_format_field(&w, &leaves->at[i]);
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
	strbuf__free(&w.words);
}
