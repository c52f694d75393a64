// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* messages.c: diagnostics on stderr. */
#include <stdarg.h>
#include <stdio.h>

#include <peat/log.h>

#include "messages.h"

static enum peat_log_level shown = PEAT_LOG_WARN;

void messages__print(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("peat: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void print(enum peat_log_level level, const char *text)
{
	if (level <= shown)
		messages__print("%s", text);
}

void messages__set_verbosity(int verbose)
{
	shown = verbose > 1 ? PEAT_LOG_DEBUG : verbose ? PEAT_LOG_INFO : PEAT_LOG_WARN;
	peat_set_print(print);
}
