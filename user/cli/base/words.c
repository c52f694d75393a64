// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* words.c: words of the command line: several as one text; their ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/words.h"

char *words__join(const char *const *words, size_t count, const char *between)
{
	char *list = NULL, *longer;

	for (size_t i = 0; i < count; i++) {
		if (asprintf(&longer, "%s%s%s", list ? list : "", list ? between : "", words[i]) <
		    0)
			longer = NULL;
		free(list);
		if (!longer)
			return NULL;
		list = longer;
	}
	return list;
}

bool words__end_with(const char *text, const char *end)
{
	size_t text_bytes = strlen(text), end_bytes = strlen(end);

	return text_bytes > end_bytes && !strcmp(text + text_bytes - end_bytes, end);
}
