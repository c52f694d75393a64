// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/log.c: passes messages to the callback of peat_set_print(). */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static peat_print_fn print_fn;
static _Thread_local enum peat_log_level severest = PEAT_LOG_ERROR;

peat_print_fn peat_set_print(peat_print_fn fn)
{
	peat_print_fn old = print_fn;

	print_fn = fn;
	return old;
}

enum peat_log_level log__set_severest(enum peat_log_level level)
{
	enum peat_log_level old = severest;

	severest = level;
	return old;
}

char *log__format(char *buffer, size_t size, const char *format, va_list args)
{
	va_list again;
	char *text;
	int bytes;

	va_copy(again, args);
	bytes = vsnprintf(buffer, size, format, args);
	if (bytes < 0)
		*buffer = '\0';
	if (bytes < (int)size || vasprintf(&text, format, again) < 0)
		text = buffer;
	va_end(again);
	if (text == buffer && bytes >= (int)size)
		strcpy(buffer + size - sizeof("..."), "...");
	return text;
}

void log__print(enum peat_log_level level, const char *format, ...)
{
	int saved_errno = errno;
	char buffer[1024], *text;
	va_list args;

	if (!print_fn)
		return;
	va_start(args, format);
	text = log__format(buffer, sizeof(buffer), format, args);
	va_end(args);
	print_fn(level < severest ? severest : level, text);
	if (text != buffer)
		free(text);
	errno = saved_errno;
}
