// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* journal/entry.c: writes messages for journald and syslog. */
#include <endian.h>
#include <string.h>
#include <syslog.h>

#include "journal/entry.h"

#define MOST_SYSLOG_BYTES 8000

void entry__field(struct strbuf *out, const char *name, const char *value, size_t bytes)
{
	uint64_t size = htole64(bytes);

	strbuf__text(out, name);
	if (memchr(value, '\n', bytes)) {
		/* NAME, a newline, the size, and the value, which may have newlines. */
		strbuf__char(out, '\n');
		strbuf__bytes(out, &size, sizeof(size));
	} else {
		strbuf__char(out, '=');
	}
	strbuf__bytes(out, value, bytes);
	strbuf__char(out, '\n');
}

void entry__begin(struct strbuf *out, int priority, const char *message, size_t bytes)
{
	entry__field(out, "MESSAGE", message, bytes);
	strbuf__text(out, "PRIORITY=");
	strbuf__unsigned(out, (uint64_t)priority);
	strbuf__text(out, "\nSYSLOG_FACILITY=");
	strbuf__unsigned(out, LOG_DAEMON >> 3);
	strbuf__text(out, "\nSYSLOG_IDENTIFIER=" ENTRY_IDENTIFIER "\n");
}

static void append_two(struct strbuf *out, int number, char pad)
{
	if (number < 10)
		strbuf__char(out, pad);
	strbuf__unsigned(out, (uint64_t)number);
}

void entry__syslog(struct strbuf *out, int priority, const struct tm *now, int pid,
		   const char *message, size_t bytes)
{
	static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
	const char *newline = memchr(message, '\n', bytes);

	bytes = newline ? (size_t)(newline - message) : bytes;
	strbuf__char(out, '<');
	strbuf__unsigned(out, (uint64_t)(LOG_DAEMON | priority));
	strbuf__char(out, '>');
	strbuf__bytes(out, months + now->tm_mon % 12 * 4, 4);
	append_two(out, now->tm_mday, ' ');
	strbuf__char(out, ' ');
	append_two(out, now->tm_hour, '0');
	strbuf__char(out, ':');
	append_two(out, now->tm_min, '0');
	strbuf__char(out, ':');
	append_two(out, now->tm_sec, '0');
	strbuf__text(out, " " ENTRY_IDENTIFIER "[");
	strbuf__unsigned(out, (uint64_t)pid);
	strbuf__text(out, "]: ");
	strbuf__bytes(out, message, bytes <= MOST_SYSLOG_BYTES ? bytes : MOST_SYSLOG_BYTES - 3);
	if (bytes > MOST_SYSLOG_BYTES)
		strbuf__text(out, "...");
}
