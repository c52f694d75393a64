// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* words.c: words of the command line as one text. */
#include <stdio.h>
#include <stdlib.h>

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
