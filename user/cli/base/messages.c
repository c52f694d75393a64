// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* messages.c: diagnostics on stderr. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/log.h>

#include "cli/base/messages.h"
#include "cli/base/option_words.h"
#include "cli/base/progress.h"
#include "cli/base/terminal_text.h"

static enum peat_log_level shown = PEAT_LOG_WARN;

static bool has_printed;
static FILE *held; /* NULL: messages are printed at once */
static char *held_text;
static size_t held_bytes;

void messages__print(const char *format, ...)
{
	FILE *to = held ? held : stderr;
	va_list args;

	has_printed = true;
	progress__hold();
	if (!held)
		fflush(stdout);
	fputs("peat: ", to);
	va_start(args, format);
	terminal_text__message(to, format, args);
	va_end(args);
	fputc('\n', to);
	progress__release();
}

void messages__begin_errors(void)
{
	has_printed = false;
}

void messages__report_no_memory(int err)
{
	if (err == -ENOMEM && !has_printed)
		messages__print("%s", strerror(ENOMEM));
}

/* Without memory, messages are printed at once. */
void messages__hold(void)
{
	if (!held)
		held = open_memstream(&held_text, &held_bytes);
}

void messages__release(void)
{
	if (!held)
		return;
	if (!fclose(held))
		fwrite(held_text, 1, held_bytes, stderr);
	free(held_text);
	held = NULL;
	held_text = NULL;
}

static void print(enum peat_log_level level, const char *text)
{
	char *exchanged;
	bool had_printed;

	if (level > shown)
		return;
	exchanged = option_words__exchange(text);
	had_printed = has_printed;
	messages__print("%s", exchanged ? exchanged : text);
	has_printed = had_printed || level == PEAT_LOG_ERROR; /* warnings are no reason */
	free(exchanged);
}

void messages__set_verbosity(int verbose)
{
	shown = verbose > 1 ? PEAT_LOG_DEBUG : verbose ? PEAT_LOG_INFO : PEAT_LOG_WARN;
	peat_set_print(print);
}
