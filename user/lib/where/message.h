/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/message.h: errors in an expression, with the place. */
#ifndef PEAT_WHERE_MESSAGE_H
#define PEAT_WHERE_MESSAGE_H

#include <stdint.h>

#include "base/suggestion.h"

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

#endif /* PEAT_WHERE_MESSAGE_H */
