// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/log.c: passes messages to the callback of peat_set_print(). */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

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

void log__print(enum peat_log_level level, const char *format, ...)
{
	int saved_errno = errno;
	char text[1024];
	va_list args;

	if (!print_fn)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_fn(level < severest ? severest : level, text);
	errno = saved_errno;
}
