// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* completions.c: the words that can complete a word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/text.h>

#include "cli/complete/completions.h"

const char *completions__part(const struct completions *completions)
{
	return completions->word + completions->kept;
}

void completions__keep_to(struct completions *completions, const char *characters)
{
	const char *part = completions__part(completions);
	size_t kept = strlen(part);

	while (kept && !strchr(characters, part[kept - 1]))
		kept--;
	completions->kept += kept;
}

static void add_completion(struct completions *completions, char *whole)
{
	char **at = completions->at;

	if (whole && !(completions->count & (completions->count + 1)))
		at = reallocarray(at, 2 * (completions->count + 1), sizeof(*at));
	if (!whole || !at) {
		completions->failed = true;
		free(whole);
		return;
	}
	completions->at = at;
	completions->at[completions->count++] = whole;
}

/* Names of files and tasks can; the shell prints completions as they are. */
static bool acts_on_terminal(const char *text)
{
	size_t bytes = strlen(text);

	return peat_text__escape(NULL, 0, text, bytes) != bytes;
}

void completions__add(struct completions *completions, const char *text, const char *ending)
{
	const char *part = completions__part(completions);
	char *whole = NULL;

	if (strncmp(text, part, strlen(part)) || acts_on_terminal(text))
		return;
	if (asprintf(&whole, "%.*s%s%s", (int)completions->kept, completions->word, text, ending) <
	    0)
		whole = NULL;
	add_completion(completions, whole);
}

void completions__add_words(struct completions *completions, const char *words)
{
	char *copy = strdup(words), *rest = copy, *word;

	completions->failed |= !copy;
	while (copy && (word = strsep(&rest, " ")))
		completions__add(completions, word, "");
	free(copy);
}

static int compare_completions(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

void completions__print(struct completions *completions)
{
	if (completions->count)
		qsort(completions->at, completions->count, sizeof(*completions->at),
		      compare_completions);
	for (size_t i = 0; i < completions->count; i++)
		if (!i || strcmp(completions->at[i - 1], completions->at[i]))
			puts(completions->at[i]);
}

void completions__free(struct completions *completions)
{
	for (size_t i = 0; i < completions->count; i++)
		free(completions->at[i]);
	free(completions->at);
	*completions = (struct completions){ 0 };
}
