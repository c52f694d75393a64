// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-agent/messages.c: prints messages to stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/text.h>

#include "program.h"

static enum peat_log_level most = PEAT_LOG_WARN;

/* The priorities of syslog. */
static const int priorities[] = {
	[PEAT_LOG_ERROR] = 3,
	[PEAT_LOG_WARN] = 4,
	[PEAT_LOG_INFO] = 6,
	[PEAT_LOG_DEBUG] = 7,
};

/* JOURNAL_STREAM names the file that stderr was connected to. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat stat_;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       !fstat(STDERR_FILENO, &stat_) && stat_.st_dev == device && stat_.st_ino == inode;
}

/* Several threads print: each line by one call. */
static void print_line(int priority, const char *text)
{
	char line[2048], escaped[2000];

	peat_text__escape(escaped, sizeof(escaped), text, strlen(text));
	if (is_journal())
		snprintf(line, sizeof(line), "<%d>%s\n", priority, escaped);
	else
		snprintf(line, sizeof(line), "peat-agent: %s\n", escaped);
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return; /* stderr is closed */
}

static void print_lines(int priority, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		print_line(priority, line);
	free(copy);
}

static void print_library(enum peat_log_level level, const char *text)
{
	if (level <= most)
		print_lines(priorities[level], text);
}

void program__set_verbosity(int verbose)
{
	most = verbose > 1 ? PEAT_LOG_DEBUG : verbose ? PEAT_LOG_INFO : PEAT_LOG_WARN;
	peat_set_print(print_library);
}

void program__print(const char *format, ...)
{
	char text[2000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_lines(priorities[PEAT_LOG_WARN], text);
}
