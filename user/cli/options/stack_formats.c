// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_formats.c: finds and lists the formats of stacks. */
#include <stdio.h>
#include <string.h>

#include "cli/options/stack_formats.h"

bool stack_formats__find(const char *name, enum peat_stacks_format *format)
{
	const char *other;

	for (*format = 0; (other = peat_stacks__name(*format)); ++*format)
		if (!strcmp(other, name))
			return true;
	return false;
}

bool stack_formats__of_file(const char *path, enum peat_stacks_format *format)
{
	size_t bytes = strlen(path);
	const char *suffix;

	for (*format = 0; (suffix = peat_stacks__suffix(*format)); ++*format)
		if (bytes > strlen(suffix) && !strcmp(path + bytes - strlen(suffix), suffix))
			return true;
	return false;
}

static void add(struct format_words *words, const char *separator, const char *word)
{
	size_t used = strlen(words->text);

	snprintf(words->text + used, sizeof(words->text) - used, "%s%s", used ? separator : "",
		 word);
}

struct format_words stack_formats__names(const char *last)
{
	struct format_words words = { "" };
	const char *name;

	for (enum peat_stacks_format i = 0; (name = peat_stacks__name(i)); i++)
		add(&words, peat_stacks__name(i + 1) ? ", " : last, name);
	return words;
}

struct format_words stack_formats__suffixes(void)
{
	struct format_words words = { "" };
	const char *suffix;

	for (enum peat_stacks_format i = 0; (suffix = peat_stacks__suffix(i)); i++)
		if (i != PEAT_STACKS_FOLDED)
			add(&words, ", ", suffix);
	add(&words, ", ", peat_stacks__suffix(PEAT_STACKS_FOLDED));
	return words;
}
