// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/headers.c: reads a file of HTTP headers. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/errors.h"
#include "otlp/headers.h"
#include "output/private_file.h"

/* The characters of a header's name. */
#define TOKEN "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* The request has these already. */
static const char *const ours[] = { "Connection",	"Content-Encoding", "Content-Length",
				    "Content-Type",	"Expect",	    "Host",
				    "Transfer-Encoding" };

static const char *find_fault(const char *line)
{
	const size_t name = strspn(line, TOKEN);

	if (!name || line[name] != ':')
		return "expected \"Name: value\"";
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (strlen(ours[i]) == name && !strncasecmp(ours[i], line, name))
			return "this header is set by peat";
	for (const char *at = line; *at; at++)
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
			return "it has a control character";
	/* libcurl takes a header without a value as one to leave out. */
	return line[name + 1 + strspn(line + name + 1, " \t")] ? NULL : "it has no value";
}

static int read_lines(char *text, int (*add)(void *arg, const char *header), void *arg,
		      char why[OTLP_HEADERS_WHY])
{
	const char *fault;
	uint32_t number = 0;
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, "\n"))) {
		const size_t length = strlen(line);

		number++;
		if (length && line[length - 1] == '\r')
			line[length - 1] = 0;
		if (!*line || *line == '#')
			continue;
		fault = find_fault(line);
		if (fault) {
			snprintf(why, OTLP_HEADERS_WHY, "line %u: %s", number, fault);
			return -EINVAL;
		}
		err = add(arg, line);
	}
	return err;
}

int otlp_headers__read(const char *path, int (*add)(void *arg, const char *header), void *arg,
		       char why[OTLP_HEADERS_WHY])
{
	struct strbuf text = { 0 };
	int err = private_file__read(path, &text, why);

	if (!err)
		err = read_lines(text.bytes, add, arg, why);
	strbuf__free(&text);
	return err;
}
