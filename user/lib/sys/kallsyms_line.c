// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/kallsyms_line.c: a line of /proc/kallsyms.  There are hundreds of thousands of them. */
#include <string.h>

#include "sys/kallsyms_line.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

bool kallsyms_line__parse_hex(const char **at, const char *end, uint64_t *number)
{
	const char *start = *at;

	*number = 0;
	for (; *at < end && hex_digit(**at) >= 0; (*at)++)
		*number = *number << 4 | (uint64_t)hex_digit(**at);
	return *at > start && *at - start <= 16;
}

static bool parse_blank(const char **at, const char *end)
{
	return *at < end && *(*at)++ == ' ';
}

/* Up to the tab before a module's name. */
static bool parse_name(struct kallsyms_line *line, const char **at, const char *end)
{
	line->name = *at;
	for (; *at < end && **at != '\t'; (*at)++)
		if (**at <= ' ' || **at > '~' || **at == '"' || **at == '\\')
			return false;
	line->name_bytes = (size_t)(*at - line->name);
	return line->name_bytes && line->name_bytes <= KALLSYMS_NAME_BYTES;
}

bool kallsyms_line__parse(struct kallsyms_line *line, const char *at, const char *end)
{
	if (!kallsyms_line__parse_hex(&at, end, &line->address) || !parse_blank(&at, end) ||
	    at == end)
		return false;
	line->type = *at++;
	if (!parse_blank(&at, end) || !parse_name(line, &at, end))
		return false;
	line->owner = at < end ? at + 1 : end;
	line->owner_bytes = (size_t)(end - line->owner);
	return true;
}

bool kallsyms_line__is_function(const struct kallsyms_line *line)
{
	return memchr("tTwW", line->type, 4);
}

static bool owner_begins_with(const struct kallsyms_line *line, const char *start)
{
	size_t bytes = strlen(start);

	return line->owner_bytes >= bytes && !memcmp(line->owner, start, bytes);
}

bool kallsyms_line__is_passing(const struct kallsyms_line *line)
{
	return owner_begins_with(line, "[bpf]") || owner_begins_with(line, "[__builtin__");
}
