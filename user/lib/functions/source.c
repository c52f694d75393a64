// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/source.c: parses sources that name functions. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/text.h"
#include "functions/source.h"

struct kind {
	const char *word;
	const char *expected, *no_file, *no_group, *no_pattern; /* errors */
	bool has_file, has_group;
};

#define KIND(word_, rest, group, pattern, has_file_, has_group_)                                   \
	{                                                                                          \
		.word = word_, .expected = "expected " word_ ":" rest,                             \
		.no_file = "no file: expected " word_ ":" rest,                                    \
		.no_group = "no " group ": expected " word_ ":" rest,                              \
		.no_pattern = "no " pattern ": expected " word_ ":" rest, .has_file = has_file_,   \
		.has_group = has_group_,                                                           \
	}

static const struct kind kinds[SOURCE_KINDS] = {
	[SOURCE_KPROBE] = KIND("kprobe", "FUNCTION", "group", "function", false, false),
	[SOURCE_KRETPROBE] = KIND("kretprobe", "FUNCTION", "group", "function", false, false),
	[SOURCE_UPROBE] = KIND("uprobe", "FILE:FUNCTION", "group", "function", true, false),
	[SOURCE_URETPROBE] = KIND("uretprobe", "FILE:FUNCTION", "group", "function", true, false),
	[SOURCE_USDT] = KIND("usdt", "FILE:PROVIDER:NAME", "provider", "name", true, true),
	[SOURCE_TRACEPOINT] = KIND("tracepoint", "CATEGORY:NAME", "category", "name", false, true),
};

/* ---- kinds ----------------------------------------------------------------------------------- */

/* The text after the word and the colon; NULL: the text is of no kind. */
static const char *parse_kind(const char *text, enum function_source_kind *kind)
{
	for (unsigned i = 0; i < SOURCE_KINDS; i++) {
		size_t bytes = strlen(kinds[i].word);

		*kind = i;
		if (begins_with(text, kinds[i].word) && text[bytes] == ':')
			return text + bytes + 1;
	}
	return NULL;
}

bool function_source__is(const char *text)
{
	enum function_source_kind kind;

	return parse_kind(text, &kind) != NULL;
}

const char *function_source__word(enum function_source_kind kind)
{
	return kinds[kind].word;
}

bool function_source__is_user(const struct function_source *source)
{
	return kinds[source->kind].has_file;
}

bool function_source__is_return(const struct function_source *source)
{
	return source->kind == SOURCE_KRETPROBE || source->kind == SOURCE_URETPROBE;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* The last single colon before `end`; NULL: none.  The first of three is one before a "::". */
static const char *last_colon(const char *start, const char *end)
{
	const char *at = end;

	while (at > start) {
		const char *run = at;

		while (run > start && run[-1] == ':')
			run--;
		if ((at - run) % 2)
			return run;
		at = run > start ? run - 1 : start;
	}
	return NULL;
}

/* Copies the last part, and moves `end` before it.  -EINVAL: there is one part only. */
static int cut_part(char **part, const char *start, const char **end)
{
	const char *colon = last_colon(start, *end);

	if (!colon)
		return -EINVAL;
	*part = strndup(colon + 1, (size_t)(*end - colon - 1));
	*end = colon;
	return *part ? 0 : -ENOMEM;
}

/* Copies the part that is left. */
static int copy_rest(char **part, const char *start, const char *end)
{
	*part = strndup(start, (size_t)(end - start));
	return *part ? 0 : -ENOMEM;
}

/* FUNCTION; FILE:FUNCTION; GROUP:NAME; FILE:GROUP:NAME */
static int split(struct function_source *source, const char *start)
{
	const struct kind *kind = &kinds[source->kind];
	const char *end = start + strlen(start);
	int err = 0;

	if (!kind->has_file && !kind->has_group)
		return strchr(start, ':') ? -EINVAL : copy_rest(&source->pattern, start, end);
	err = cut_part(&source->pattern, start, &end);
	if (err || !kind->has_file)
		return err ? err : copy_rest(&source->group, start, end);
	if (kind->has_group)
		err = cut_part(&source->group, start, &end);
	return err ? err : copy_rest(&source->file, start, end);
}

static const char *find_empty_part(const struct function_source *source)
{
	const struct kind *kind = &kinds[source->kind];

	if (source->file && !*source->file)
		return kind->no_file;
	if (source->group && !*source->group)
		return kind->no_group;
	if (!*source->pattern)
		return kind->no_pattern;
	if (!source->file && source->group && strchr(source->group, ':'))
		return kind->expected;
	return NULL;
}

/* ---- offsets --------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint64_t *number)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	char *end;

	if (!isxdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*number = strtoull(digits, &end, is_hex ? 16 : 10);
	return !errno && !*end && end > digits;
}

/* The "+" of an offset; NULL: there is none. */
static char *find_offset(char *function)
{
	char *plus = strrchr(function, '+');

	return plus && isdigit((unsigned char)plus[1]) ? plus : NULL;
}

static const char *parse_file_offset(struct function_source *source)
{
	if (!parse_number(source->pattern, &source->offset))
		return "invalid offset in the file: expected a number such as 0x1234";
	free(source->pattern);
	source->pattern = NULL;
	return NULL;
}

/* NULL, or the error. */
static const char *parse_offset(struct function_source *source)
{
	char *plus;

	if (kinds[source->kind].has_group)
		return NULL;
	if (source->file && begins_with(source->pattern, "0x"))
		return parse_file_offset(source);
	plus = find_offset(source->pattern);
	if (!plus)
		return NULL;
	if (plus == source->pattern)
		return kinds[source->kind].no_pattern;
	if (!parse_number(plus + 1, &source->offset))
		return "invalid offset: expected a number such as 0x10 after the +";
	if (function_source__is_return(source))
		return "a return has no offset: remove it, or trace the call";
	*plus = '\0';
	return glob__is(source->pattern) ? "a glob has no offset: name one function" : NULL;
}

/* ---------------------------------------------------------------------------------------------- */

static int check_parts(struct function_source *source, const char **why)
{
	*why = find_empty_part(source);
	if (!*why)
		*why = parse_offset(source);
	if (*why)
		return -EINVAL;
	source->is_glob = (source->pattern && glob__is(source->pattern)) ||
			  (source->group && glob__is(source->group));
	return 0;
}

int function_source__parse(struct function_source *source, const char *text, const char **why)
{
	enum function_source_kind kind;
	const char *rest = parse_kind(text, &kind);
	int err;

	if (!rest) {
		*why = "expected kprobe:, kretprobe:, uprobe:, uretprobe:, usdt: or tracepoint:";
		return -EINVAL;
	}
	*source = (struct function_source){ .kind = kind };
	*why = kinds[kind].expected;
	source->text = strdup(text);
	err = source->text ? split(source, rest) : -ENOMEM;
	if (!err)
		err = check_parts(source, why);
	if (err)
		function_source__free(source);
	return err;
}

void function_source__free(struct function_source *source)
{
	free(source->text);
	free(source->file);
	free(source->group);
	free(source->pattern);
	*source = (struct function_source){ .kind = source->kind };
}
