// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_format_words.c: finds and lists the formats of stacks. */
#include <stdio.h>
#include <string.h>

#include "cli/base/words.h"
#include "cli/options/stack_format_words.h"

bool stack_format_words__find(const char *name, enum peat_stacks_format *format)
{
	const char *other;

	for (*format = 0; (other = peat_stacks__name(*format)); ++*format)
		if (!strcmp(other, name))
			return true;
	return false;
}

bool stack_format_words__of_file(const char *path, enum peat_stacks_format *format)
{
	const char *suffix;
	size_t longest = 0;

	for (enum peat_stacks_format i = 0; (suffix = peat_stacks__suffix(i)); i++) {
		if (!words__end_with(path, suffix) || strlen(suffix) <= longest)
			continue;
		*format = i;
		longest = strlen(suffix);
	}
	return longest;
}

static void add(struct format_words *words, const char *separator, const char *word)
{
	size_t used = strlen(words->text);

	snprintf(words->text + used, sizeof(words->text) - used, "%s%s", used ? separator : "",
		 word);
}

struct format_words stack_format_words__names(const char *last)
{
	struct format_words words = { "" };
	const char *name;

	for (enum peat_stacks_format i = 0; (name = peat_stacks__name(i)); i++)
		add(&words, peat_stacks__name(i + 1) ? ", " : last, name);
	return words;
}

struct format_words stack_format_words__suffixes(void)
{
	struct format_words words = { "" };
	const char *suffix;

	for (enum peat_stacks_format i = 0; (suffix = peat_stacks__suffix(i)); i++)
		add(&words, ", ", suffix);
	return words;
}

char *stack_format_words__filter_help(int key, const char *text, void *input)
{
	bool has_names = text && strstr(text, STACK_FORMATS);
	const char *mark = has_names ? STACK_FORMATS : STACK_SUFFIXES;
	const char *at = text ? strstr(text, mark) : NULL;
	struct format_words words =
		has_names ? stack_format_words__names(", ") : stack_format_words__suffixes();
	char *filled;

	(void)key;
	(void)input;
	if (!at)
		return (char *)text;
	return asprintf(&filled, "%.*s%s%s", (int)(at - text), text, words.text,
			at + strlen(mark)) < 0
		       ? NULL
		       : filled;
}
