// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * trace_print.c: a printk format and its arguments, as far as they are plain.
 *
 *	"dir=%s ip=%lx", __print_symbolic(REC->dir, { 0, "IN" }, { 1, "OUT" }), REC->ip
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracepoint/format_print.h"

#define ARGUMENTS_MAX 4096  /* looked at: each is searched for among the fields */
#define NAMES_MAX     65536 /* of one field */
#define WRAPS_MAX     16    /* taken off an argument: each is looked for up to its end */

struct span {
	char *at, *end;
};

/* "%-08lx" is 'x'; of %p what follows it says the rest: "I4", "S". */
struct conversion {
	char letter;
	struct span suffix;
};

static struct span trim(struct span span)
{
	while (span.at < span.end && isspace((unsigned char)*span.at))
		span.at++;
	while (span.at < span.end && isspace((unsigned char)span.end[-1]))
		span.end--;
	return span;
}

static bool take(struct span *span, const char *word)
{
	size_t bytes = strlen(word);

	if ((size_t)(span->end - span->at) < bytes || memcmp(span->at, word, bytes))
		return false;
	span->at += bytes;
	return true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Past the string that begins here. */
static char *skip_string(char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end ? at + 1 : at;
}

/* What stands between two quotes. */
static bool take_string(struct span *span, struct span *inside)
{
	char *end;

	if (span->at == span->end || *span->at != '"')
		return false;
	end = skip_string(span->at, span->end);
	if (end - span->at < 2 || end[-1] != '"')
		return false;
	*inside = (struct span){ span->at + 1, end - 1 };
	span->at = end;
	return true;
}

/* Up to the next `stop` outside of strings and brackets, or the end of what this is in. */
static char *find_stop(char *at, char *end, char stop)
{
	unsigned int depth = 0;

	while (at < end) {
		if (!depth && *at == stop)
			return at;
		if (*at == '"') {
			at = skip_string(at, end);
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

/* Takes the first of several arguments; false: there are none. */
static bool take_argument(struct span *rest, struct span *argument)
{
	char *stop;

	if (rest->at == rest->end)
		return false;
	stop = find_stop(rest->at, rest->end, ',');
	*argument = trim((struct span){ rest->at, stop });
	rest->at = stop < rest->end ? stop + 1 : stop;
	return true;
}

static bool is_cast(struct span inside)
{
	for (; inside.at < inside.end; inside.at++)
		if (!is_word(*inside.at) && *inside.at != ' ' && *inside.at != '*')
			return false;
	return true;
}

/* Takes off brackets around all of it, casts, and the & of an address. */
static struct span unwrap(struct span span)
{
	for (int i = 0; i < WRAPS_MAX; i++) {
		char *stop;

		if (take(&span, "&"))
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
		span = trim(span);
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

/* The field that is the argument, or of whose elements one is; NULL: it is something else. */
static struct peat_field *plain_field(const struct plan *plan, struct span argument)
{
	struct span rest = unwrap(argument), name;
	struct peat_field *field;

	if (!take(&rest, "REC->"))
		return NULL;
	name.at = name.end = rest.at;
	while (name.end < rest.end && is_word(*name.end))
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

static bool take_digits(struct span *span, uint64_t *number)
{
	char *end;

	*span = trim(*span);
	if (span->at == span->end || !isdigit((unsigned char)*span->at))
		return false;
	*number = strtoull(span->at, &end, 0); /* behind the text is a NUL */
	if (end > span->end)
		return false;
	span->at = end;
	while (take(span, "U") || take(span, "u") || take(span, "L") || take(span, "l"))
		;
	*span = trim(*span);
	return true;
}

/* "0x10", "(1 << 4)", "-1", "4UL"; false: it is something else, such as a name. */
static bool read_number(struct span span, uint64_t *number)
{
	uint64_t bits = 0;
	bool negative;

	span = unwrap(span);
	negative = take(&span, "-");
	if (!take_digits(&span, number))
		return false;
	if (take(&span, "<<") && !take_digits(&span, &bits))
		return false;
	if (bits > 63 || span.at < span.end)
		return false;
	*number = (negative ? -*number : *number) << bits;
	return true;
}

/* As the number in the field is read. */
static uint64_t fit(const struct peat_field *field, uint64_t number)
{
	uint32_t shift = 64 - 8 * field->bytes;

	number <<= shift;
	return field->is_signed ? (uint64_t)((int64_t)number >> shift) : number >> shift;
}

/* A name that says no more than the number: for formats that print nothing without one. */
static bool is_number_itself(const struct peat_name *name)
{
	char *end;

	return strtoll(name->name, &end, 10) == (int64_t)name->value && end > name->name && !*end;
}

/* "{ 1, "ONE" }" */
static bool read_name(const struct peat_field *field, struct span pair, struct peat_name *name)
{
	struct span number, text;

	if (!take(&pair, "{") || pair.end[-1] != '}')
		return false;
	pair.end--;
	if (!take_argument(&pair, &number) || !read_number(number, &name->value))
		return false;
	pair = trim(pair);
	if (!take_string(&pair, &text) || pair.at < pair.end || text.at == text.end ||
	    memchr(text.at, '\\', (size_t)(text.end - text.at)))
		return false;
	*text.end = '\0';
	name->name = text.at;
	name->value = fit(field, name->value);
	return !is_number_itself(name);
}

/* What it is called when it is 0: ""none"" */
static bool read_none(struct span none, struct peat_name *name)
{
	struct span text;

	if (!take_string(&none, &text) || none.at < none.end || text.at == text.end ||
	    memchr(text.at, '\\', (size_t)(text.end - text.at)))
		return false;
	*text.end = '\0';
	*name = (struct peat_name){ .name = text.at };
	return !is_number_itself(name);
}

static uint32_t count_arguments(struct span rest)
{
	struct span argument;
	uint32_t count = 0;

	while (take_argument(&rest, &argument))
		count++;
	return count;
}

/* Those that are no numbers here, as the kernel could not say what its enums are, have none. */
static int name_values(struct plan *plan, struct peat_field *field, struct span pairs, bool flags,
		       struct span none)
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
	while (names->count < room - 1 && take_argument(&pairs, &pair))
		names->count += read_name(field, pair, &names->names[names->count]);
	names->count += names->count && read_none(none, &names->names[names->count]);
	err = plan__keep_names(plan, names);
	if (err || !names->count)
		return err;
	field->kind = flags ? PEAT_FIELD_FLAGS : PEAT_FIELD_ENUM;
	field->names = names->names;
	field->name_count = names->count;
	return 0;
}

/* "REC->x ? ... : "none"": what it is when it is something, and what else. */
struct choice {
	struct span condition, something, none;
};

static struct choice take_choice(struct span argument)
{
	struct span rest = { find_stop(argument.at, argument.end, '?'), argument.end };
	struct choice choice = { .condition = { argument.at, rest.at },
				 .something = argument,
				 .none = { argument.end, argument.end } };

	if (!take(&rest, "?"))
		return choice;
	choice.none.at = find_stop(rest.at, rest.end, ':');
	choice.something = trim((struct span){ rest.at, choice.none.at });
	choice.none.at += choice.none.at < choice.none.end;
	choice.none = trim(choice.none);
	return choice;
}

/* "__print_flags(REC->x, "|", { ... }, ...)" */
static int refine_named(struct plan *plan, struct span argument)
{
	struct choice choice = take_choice(argument);
	struct span first, delimiter;
	struct peat_field *field;
	bool flags;

	argument = choice.something;
	flags = take(&argument, "__print_flags(");
	if ((!flags && !take(&argument, "__print_symbolic(")) || argument.at == argument.end)
		return 0;
	argument.end = find_stop(argument.at, argument.end, ')');
	if (!take_argument(&argument, &first) || (flags && !take_argument(&argument, &delimiter)))
		return 0;
	field = plain_field(plan, first);
	if (!field || (!is_plain_number(field) && field->kind != PEAT_FIELD_HEX))
		return 0;
	if (plain_field(plan, trim(choice.condition)) != field)
		choice.none.at = choice.none.end; /* it tells of something else than 0 */
	return name_values(plan, field, argument, flags, choice.none);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* The next conversion in the format; each * takes an argument.  False: no more. */
static bool take_conversion(struct span *format, struct span *arguments,
			    struct conversion *conversion)
{
	struct span width;

	while (format->at < format->end && *format->at++ != '%')
		;
	while (format->at < format->end && strchr("-+ #0123456789.*hlLqjzt", *format->at) &&
	       *format->at) {
		if (*format->at++ == '*' && !take_argument(arguments, &width))
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
	if (take(&suffix, "I4") && field->bytes == 4) {
		field->kind = PEAT_FIELD_IPV4;
		field->big_endian = true;
	} else if (take(&suffix, "I6") && field->bytes == 16) {
		field->kind = PEAT_FIELD_IPV6;
	} else if (take(&suffix, "M") && field->bytes == 6) {
		field->kind = PEAT_FIELD_MAC;
	}
}

static void refine_field(struct peat_field *field, const struct conversion *conversion)
{
	bool is_pointer = conversion->letter == 'p';

	if (is_plain_number(field) &&
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

	if (conversion->letter == 's')
		return refine_named(plan, argument);
	field = plain_field(plan, argument);
	if (field)
		refine_field(field, conversion);
	return 0;
}

int trace_print__refine(struct plan *plan, char *text, size_t bytes)
{
	struct span rest = trim((struct span){ text, text + bytes }), format, argument;
	struct conversion conversion;
	int err = 0;

	if (!take_string(&rest, &format))
		return 0;
	if (take_argument(&rest, &argument) && argument.at < argument.end)
		return 0; /* more strings: whose conversions would be missed */
	for (int i = 0; !err && i < ARGUMENTS_MAX; i++) {
		if (!take_conversion(&format, &rest, &conversion))
			break;
		if (conversion.letter == '%')
			continue;
		if (!take_argument(&rest, &argument))
			break;
		err = refine_argument(plan, argument, &conversion);
	}
	return err;
}
