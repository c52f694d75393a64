// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/subject.c: makes subjects of hosts and sources. */
#include "jetstream/subject.h"

static bool is_token_character(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f && !strchr(".*>", c);
}

const char *subject__find_fault(const char *pattern)
{
	for (const char *at = pattern; *at; at++) {
		if (*at == '.' && (at == pattern || at[1] == '.' || !at[1]))
			return "a part between dots is empty";
		if (*at != '.' && !is_token_character(*at))
			return "a subject has no blanks, * and >";
		if (*at == '%' && at[1] != 'h' && at[1] != 's')
			return "expected %h (the host) or %s (the source) after %";
	}
	return *pattern == '$' || !*pattern ? "expected a subject such as peat.%h.%s" : NULL;
}

void subject__append_token(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		strbuf__char(out, is_token_character(*text) ? *text : '_');
}

void subject__append(struct strbuf *out, const char *pattern, const char *host, const char *source)
{
	for (const char *at = pattern; *at; at++)
		if (*at == '%')
			subject__append_token(out, *++at == 'h' ? host : source);
		else
			strbuf__char(out, *at);
	strbuf__char(out, 0);
}

/* A wildcard is a whole part. */
void subject__append_wildcards(struct strbuf *out, const char *pattern)
{
	while (*pattern) {
		const size_t part = strcspn(pattern, ".");

		if (memchr(pattern, '%', part))
			strbuf__char(out, '*');
		else
			strbuf__bytes(out, pattern, part);
		pattern += part;
		if (*pattern)
			strbuf__char(out, *pattern++);
	}
	strbuf__char(out, 0);
}

static bool covers_part(const char *stream, size_t stream_part, const char *part, size_t bytes)
{
	if (stream_part == 1 && *stream == '*')
		return bytes != 1 || *part != '>';
	return stream_part == bytes && !memcmp(stream, part, bytes);
}

bool subject__covers(const char *stream, const char *subject)
{
	while (*stream && *subject) {
		const size_t stream_part = strcspn(stream, "."), part = strcspn(subject, ".");

		if (!strcmp(stream, ">"))
			return true;
		if (!covers_part(stream, stream_part, subject, part))
			return false;
		stream += stream_part + (stream[stream_part] == '.');
		subject += part + (subject[part] == '.');
	}
	return !*stream && !*subject;
}
