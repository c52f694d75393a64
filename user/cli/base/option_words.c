// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * option_words.c: exchanges what a message of the library names, for programmers, against what a
 * user of the command can do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/option_words.h"

static const struct option_word {
	const char *api;
	const char *option;
} option_words[] = {
	{ "no ancestor of peat_session_opts", "-a" },
	{ "btf of peat_session_opts", "--btf" },
	{ "cgroup of peat_session_opts", "--cgroup" },
	{ "interfaces of peat_session_opts", "--if" },
	{ "debuginfod of peat_symbols_opts", "--debuginfod" },
	{ "peat_function_opts.most", "--max-functions" },
	{ "peat_session__add_map()", "--map" },
	{ "peat_session__attach_to()", "--attach" },
	{ "peat_session__leave_out()", "--no-prog" },
	{ "peat_session__pin()", "--pin" },
	{ "peat_session__set_map_entries()", "--set-map" },
};

static const struct option_word *word_at(const char *text)
{
	for (size_t i = 0; i < sizeof(option_words) / sizeof(*option_words); i++)
		if (!strncmp(text, option_words[i].api, strlen(option_words[i].api)))
			return &option_words[i];
	return NULL;
}

char *option_words__exchange(const char *text)
{
	const struct option_word *word;
	char *exchanged = NULL;
	size_t bytes;
	FILE *to = open_memstream(&exchanged, &bytes);

	if (!to)
		return NULL;
	while (*text) {
		word = word_at(text);
		if (word)
			fputs(word->option, to);
		else
			fputc(*text, to);
		text += word ? strlen(word->api) : 1;
	}
	if (fclose(to)) {
		free(exchanged);
		return NULL;
	}
	return exchanged;
}
