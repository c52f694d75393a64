// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tracepoint/format_print.c: parses a printk format and its plain arguments.
 *
 *	"dir=%s ip=%lx", __print_symbolic(REC->dir, { 0, "IN" }, { 1, "OUT" }), REC->ip
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracepoint/format_print.h"

#define ARGUMENTS_MAX 4096  /* arguments parsed: each takes a search among the fields */
#define NAMES_MAX     65536 /* names of a field */
#define WRAPS_MAX     16    /* brackets and casts around an argument: each takes a search */

struct span {
	char *at, *end;
};

/* "%-08lx" is 'x'.  The suffix matters for %p only: "I4", "S". */
struct conversion {
	char letter;
	struct span suffix;
};

static struct span trim_spaces(struct span span)
{
	while (span.at < span.end && isspace((unsigned char)*span.at))
		span.at++;
	while (span.at < span.end && isspace((unsigned char)span.end[-1]))
		span.end--;
	return span;
}

static bool skip_token(struct span *span, const char *word)
{
	size_t bytes = strlen(word);

	if ((size_t)(span->end - span->at) < bytes || memcmp(span->at, word, bytes))
		return false;
	span->at += bytes;
	return true;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Returns the end of the string that begins at `at`. */
static char *end_of_string(char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end ? at + 1 : at;
}

/* Parses a quoted string; `inside` is without the quotes. */
static bool parse_quoted(struct span *span, struct span *inside)
{
	char *end;

	if (span->at == span->end || *span->at != '"')
		return false;
	end = end_of_string(span->at, span->end);
	if (end - span->at < 2 || end[-1] != '"')
		return false;
	*inside = (struct span){ span->at + 1, end - 1 };
	span->at = end;
	return true;
}

/* Finds the next `stop` outside of strings and brackets, or the end of the enclosing bracket. */
static char *find_stop(char *at, char *end, char stop)
{
	unsigned int depth = 0;

	while (at < end) {
		if (!depth && *at == stop)
			return at;
		if (*at == '"') {
			at = end_of_string(at, end);
			continue;
		}
		if (strchr("([{", *at) && *at)
			depth++;
		else if (strchr(")]}", *at) && *at && !depth--)
			return at;
		at++;
	}
	return end;
}

/* Parses the first argument.  False: there is none. */
static bool parse_argument(struct span *rest, struct span *argument)
{
	char *stop;

	if (rest->at == rest->end)
		return false;
	stop = find_stop(rest->at, rest->end, ',');
	*argument = trim_spaces((struct span){ rest->at, stop });
	rest->at = stop < rest->end ? stop + 1 : stop;
	return true;
}

static bool is_cast(struct span inside)
{
	for (; inside.at < inside.end; inside.at++)
		if (!is_name_char(*inside.at) && *inside.at != ' ' && *inside.at != '*')
			return false;
	return true;
}

/* Removes enclosing brackets, casts, and the & operator. */
static struct span unwrap(struct span span)
{
	for (int i = 0; i < WRAPS_MAX; i++) {
		char *stop;

		if (skip_token(&span, "&"))
			continue;
		if (span.at == span.end || *span.at != '(')
			break;
		stop = find_stop(span.at + 1, span.end, ')');
		if (stop == span.end)
			break;
		if (stop + 1 == span.end)
			span = (struct span){ span.at + 1, stop };
		else if (is_cast((struct span){ span.at + 1, stop }))
			span.at = stop + 1;
		else
			break;
		span = trim_spaces(span);
	}
	return span;
}

static struct peat_field *find_field(const struct plan *plan, struct span name)
{
	size_t bytes = (size_t)(name.end - name.at);

	for (uint32_t i = 0; i < plan->count; i += plan->fields[i].span)
		if (!strncmp(plan->fields[i].name, name.at, bytes) && !plan->fields[i].name[bytes])
			return &plan->fields[i];
	return NULL;
}

/* The field that the argument names, or the element if it indexes an array.  NULL: neither. */
static struct peat_field *plain_field(const struct plan *plan, struct span argument)
{
	struct span rest = unwrap(argument), name;
	struct peat_field *field;

	if (!skip_token(&rest, "REC->"))
		return NULL;
	name.at = name.end = rest.at;
	while (name.end < rest.end && is_name_char(*name.end))
		name.end++;
	field = find_field(plan, name);
	if (!field || name.end == rest.end)
		return field;
	if (field->kind != PEAT_FIELD_ARRAY || *name.end != '[' || rest.end[-1] != ']')
		return NULL;
	return field + 1;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_plain_number(const struct peat_field *field)
{
	return (field->kind == PEAT_FIELD_UNSIGNED || field->kind == PEAT_FIELD_SIGNED) &&
	       !field->place;
}

static bool parse_digits(struct span *span, uint64_t *number)
{
	char *end;

	*span = trim_spaces(*span);
	if (span->at == span->end || !isdigit((unsigned char)*span->at))
		return false;
	*number = strtoull(span->at, &end, 0); /* a NUL follows the text */
	if (end > span->end)
		return false;
	span->at = end;
	while (skip_token(span, "U") || skip_token(span, "u") || skip_token(span, "L") ||
	       skip_token(span, "l"))
		;
	*span = trim_spaces(*span);
	return true;
}

/* Parses "0x10", "(1 << 4)", "-1", "4UL".  False: not a number, for instance a name. */
static bool parse_constant(struct span span, uint64_t *number)
{
	uint64_t bits = 0;
	bool negative;

	span = unwrap(span);
	negative = skip_token(&span, "-");
	if (!parse_digits(&span, number))
		return false;
	if (skip_token(&span, "<<") && !parse_digits(&span, &bits))
		return false;
	if (bits > 63 || span.at < span.end)
		return false;
	*number = (negative ? -*number : *number) << bits;
	return true;
}

/* Truncates and sign-extends a number like the field's values. */
static uint64_t fit_to_field(const struct peat_field *field, uint64_t number)
{
	uint32_t shift = 64 - 8 * field->bytes;

	number <<= shift;
	return field->is_signed ? (uint64_t)((int64_t)number >> shift) : number >> shift;
}

/* Whether the name is just the number: for formats that print nothing without a name. */
static bool is_redundant_name(const struct peat_name *name)
{
	char *end;

	return strtoll(name->name, &end, 10) == (int64_t)name->value && end > name->name && !*end;
}

/* "{ 1, "ONE" }" */
static bool parse_value_name(const struct peat_field *field, struct span pair,
			     struct peat_name *name)
{
	struct span number, text;

	if (!skip_token(&pair, "{") || pair.end[-1] != '}')
		return false;
	pair.end--;
	if (!parse_argument(&pair, &number) || !parse_constant(number, &name->value))
		return false;
	pair = trim_spaces(pair);
	if (!parse_quoted(&pair, &text) || pair.at < pair.end || text.at == text.end ||
	    memchr(text.at, '\\', (size_t)(text.end - text.at)))
		return false;
	*text.end = '\0';
	name->name = text.at;
	name->value = fit_to_field(field, name->value);
	return !is_redundant_name(name);
}

/* Parses the name of 0: ""none"" */
static bool parse_zero_name(struct span none, struct peat_name *name)
{
	struct span text;

	if (!parse_quoted(&none, &text) || none.at < none.end || text.at == text.end ||
	    memchr(text.at, '\\', (size_t)(text.end - text.at)))
		return false;
	*text.end = '\0';
	*name = (struct peat_name){ .name = text.at };
	return !is_redundant_name(name);
}

static uint32_t count_arguments(struct span rest)
{
	struct span argument;
	uint32_t count = 0;

	while (parse_argument(&rest, &argument))
		count++;
	return count;
}

/* Ignores values that are not numbers: enum constants that the kernel could not replace. */
static int set_value_names(struct plan *plan, struct peat_field *field, struct span pairs,
			   bool flags, struct span none)
{
	uint32_t room = count_arguments(pairs) + 1;
	struct plan_names *names;
	struct span pair;
	int err;

	if (room > NAMES_MAX)
		return 0;
	names = calloc(1, sizeof(*names) + room * sizeof(*names->names));
	if (!names)
		return -ENOMEM;
	names->are_flags = flags;
	while (names->count < room - 1 && parse_argument(&pairs, &pair))
		names->count += parse_value_name(field, pair, &names->names[names->count]);
	names->count += names->count && parse_zero_name(none, &names->names[names->count]);
	err = plan__keep_names(plan, names);
	if (err || !names->count)
		return err;
	field->kind = flags ? PEAT_FIELD_FLAGS : PEAT_FIELD_ENUM;
	field->names = names->names;
	field->name_count = names->count;
	return 0;
}

/* "REC->x ? something : none": the condition and both results. */
struct choice {
	struct span condition, something, none;
};

static struct choice parse_choice(struct span argument)
{
	struct span rest = { find_stop(argument.at, argument.end, '?'), argument.end };
	struct choice choice = { .condition = { argument.at, rest.at },
				 .something = argument,
				 .none = { argument.end, argument.end } };

	if (!skip_token(&rest, "?"))
		return choice;
	choice.none.at = find_stop(rest.at, rest.end, ':');
	choice.something = trim_spaces((struct span){ rest.at, choice.none.at });
	choice.none.at += choice.none.at < choice.none.end;
	choice.none = trim_spaces(choice.none);
	return choice;
}

/* "__print_flags(REC->x, "|", { ... }, ...)" */
static int refine_named(struct plan *plan, struct span argument)
{
	struct choice choice = parse_choice(argument);
	struct span first, delimiter;
	struct peat_field *field;
	bool flags;

	argument = choice.something;
	flags = skip_token(&argument, "__print_flags(");
	if ((!flags && !skip_token(&argument, "__print_symbolic(")) || argument.at == argument.end)
		return 0;
	argument.end = find_stop(argument.at, argument.end, ')');
	if (!parse_argument(&argument, &first) || (flags && !parse_argument(&argument, &delimiter)))
		return 0;
	field = plain_field(plan, first);
	if (!field || (!is_plain_number(field) && field->kind != PEAT_FIELD_HEX))
		return 0;
	if (plain_field(plan, trim_spaces(choice.condition)) != field)
		choice.none.at = choice.none.end; /* the condition is about another field */
	return set_value_names(plan, field, argument, flags, choice.none);
}

/* Bytes of variable length that are printed as a string: "__get_str(data)". */
static void refine_chars(struct plan *plan, struct span argument)
{
	struct peat_field *field;

	if (!skip_token(&argument, "__get_str(") || argument.at == argument.end)
		return;
	argument.end = find_stop(argument.at, argument.end, ')');
	field = find_field(plan, trim_spaces(argument));
	if (field && field->kind == PEAT_FIELD_BYTES && field->place)
		field->kind = PEAT_FIELD_CHARS;
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* Parses the next conversion; each * uses an argument.  False: there is none. */
static bool parse_conversion(struct span *format, struct span *arguments,
			     struct conversion *conversion)
{
	struct span width;

	while (format->at < format->end && *format->at++ != '%')
		;
	while (format->at < format->end && strchr("-+ #0123456789.*hlLqjzt", *format->at) &&
	       *format->at) {
		if (*format->at++ == '*' && !parse_argument(arguments, &width))
			return false;
	}
	if (format->at == format->end)
		return false;
	conversion->letter = *format->at++;
	conversion->suffix = (struct span){ format->at, format->end };
	return true;
}

static void refine_bytes(struct peat_field *field, struct span suffix)
{
	if (skip_token(&suffix, "I4") && field->bytes == 4) {
		field->kind = PEAT_FIELD_IPV4;
		field->big_endian = true;
	} else if (skip_token(&suffix, "I6") && field->bytes == 16) {
		field->kind = PEAT_FIELD_IPV6;
	} else if (skip_token(&suffix, "M") && field->bytes == 6) {
		field->kind = PEAT_FIELD_MAC;
	}
}

/* "%pS" and the like: a name of the kernel. */
static bool is_symbol(const struct peat_field *field, const struct conversion *conversion)
{
	const struct span *suffix = &conversion->suffix;

	if (!is_plain_number(field) && field->kind != PEAT_FIELD_HEX)
		return false;
	return conversion->letter == 'p' && field->bytes == 8 && suffix->at < suffix->end &&
	       *suffix->at && strchr("SsBF", *suffix->at);
}

static void refine_field(struct peat_field *field, const struct conversion *conversion)
{
	bool is_pointer = conversion->letter == 'p';

	if (is_symbol(field, conversion)) {
		field->kind = PEAT_FIELD_KADDR;
		field->is_signed = false;
	} else if (is_plain_number(field) &&
		   (is_pointer || conversion->letter == 'x' || conversion->letter == 'X')) {
		field->kind = PEAT_FIELD_HEX;
		field->is_signed = false;
	} else if (is_pointer && field->kind == PEAT_FIELD_BYTES && !field->place) {
		refine_bytes(field, conversion->suffix);
	}
}

static int refine_argument(struct plan *plan, struct span argument,
			   const struct conversion *conversion)
{
	struct peat_field *field;

	if (conversion->letter == 's') {
		refine_chars(plan, argument);
		return refine_named(plan, argument);
	}
	field = plain_field(plan, argument);
	if (field)
		refine_field(field, conversion);
	return 0;
}

int format_print__refine(struct plan *plan, char *text, size_t bytes)
{
	struct span rest = trim_spaces((struct span){ text, text + bytes }), format, argument;
	struct conversion conversion;
	int err = 0;

	if (!parse_quoted(&rest, &format))
		return 0;
	if (parse_argument(&rest, &argument) && argument.at < argument.end)
		return 0; /* the format is several strings: conversions would be missed */
	for (int i = 0; !err && i < ARGUMENTS_MAX; i++) {
		if (!parse_conversion(&format, &rest, &conversion))
			break;
		if (conversion.letter == '%')
			continue;
		if (!parse_argument(&rest, &argument))
			break;
		err = refine_argument(plan, argument, &conversion);
	}
	return err;
}
