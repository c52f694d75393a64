/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/suggestion.h: the name most like a misspelt one. */
#ifndef PEAT_BASE_SUGGESTION_H
#define PEAT_BASE_SUGGESTION_H

#include <stdint.h>

/* The name most like a word that was probably misspelt. */
struct suggestion {
	const char *wanted;
	char best[128]; /* "": none is alike */
	uint32_t distance;
};

/* Compares another name. */
void suggestion__try(struct suggestion *suggestion, const char *name);

/* ": did you mean "delay"? ", or ": " */
const char *suggestion__text(const struct suggestion *suggestion, char text[192]);

#endif /* PEAT_BASE_SUGGESTION_H */
