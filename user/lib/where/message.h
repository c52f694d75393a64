/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/message.h: errors in an expression, with the place. */
#ifndef PEAT_WHERE_MESSAGE_H
#define PEAT_WHERE_MESSAGE_H

#include <stdint.h>

/*
 * Logs an error at byte `at` of the expression, in three lines:
 *
 *	where: no field "dleay": did you mean "delay"?
 *	  dleay > 5ms
 *	  ^
 *
 * Of a long expression, the part around the place.
 */
__attribute__((format(printf, 3, 4))) void where_message(const char *text, uint32_t at,
							 const char *format, ...);

/* The name most like a word that was probably misspelt. */
struct suggestion {
	const char *wanted;
	char best[128]; /* "": none is alike */
	uint32_t distance;
};

/* Compares another name, of which `bytes` bytes count. */
void suggestion__try(struct suggestion *suggestion, const char *name);

/* ": did you mean "delay"? ", or ": " */
const char *suggestion__text(const struct suggestion *suggestion, char text[192]);

#endif /* PEAT_WHERE_MESSAGE_H */
