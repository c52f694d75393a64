// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-recv/messages.c: prints messages to stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/log.h>
#include <peat/text.h>

#include "program.h"

#define HELD_MOST 65536

static enum peat_log_level most = PEAT_LOG_WARN;
static char *held; /* NULL: nothing is held */
static size_t held_bytes;

static void print_line(const char *text)
{
	char escaped[2000];

	peat_text__escape(escaped, sizeof(escaped), text, strlen(text));
	if (!held)
		fprintf(stderr, "peat recv: %s\n", escaped);
	else if (held_bytes < HELD_MOST)
		held_bytes += (size_t)snprintf(held + held_bytes, sizeof(escaped) + 16,
					       "peat recv: %s\n", escaped);
}

void messages__hold(void)
{
	held = calloc(1, HELD_MOST + 2100);
}

void messages__release(void)
{
	if (held)
		fputs(held, stderr);
	free(held);
	held = NULL;
	held_bytes = 0;
}

static void print_library(enum peat_log_level level, const char *text)
{
	if (level <= most)
		print_line(text);
}

void messages__set_verbosity(int verbose)
{
	most = verbose > 1 ? PEAT_LOG_DEBUG : verbose ? PEAT_LOG_INFO : PEAT_LOG_WARN;
	peat_set_print(print_library);
}

void messages__print(const char *format, ...)
{
	char text[2000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_line(text);
}
