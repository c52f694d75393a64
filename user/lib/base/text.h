/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/text.h: beginnings of texts. */
#ifndef PEAT_BASE_TEXT_H
#define PEAT_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

static inline bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

#endif /* PEAT_BASE_TEXT_H */
