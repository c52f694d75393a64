// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/message.c: errors in an expression, with a caret below the place. */
#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "base/place.h"
#include "where/message.h"

#define REASON_BYTES 700 /* a message has 1023 bytes at most */

void where_message(const char *text, uint32_t at, const char *format, ...)
{
	char reason[REASON_BYTES];
	struct strbuf out = { 0 };
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	strbuf__text(&out, "where: ");
	strbuf__text(&out, reason);
	place__append(&out, text, at);
	if (out.failed)
		log__error("where: %s", reason);
	else
		log__error("%.*s", (int)out.count, out.bytes);
	strbuf__free(&out);
}
