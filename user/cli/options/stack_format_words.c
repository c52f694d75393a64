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

	for (*format = 0; (suffix = peat_stacks__suffix(*format)); ++*format)
		if (words__end_with(path, suffix))
			return true;
	return false;
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
