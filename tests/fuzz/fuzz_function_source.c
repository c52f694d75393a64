// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_function_source.c: function_source__parse() on any text.
 *
 * The parts of a source, put together, are its text; no part is empty.  An error has a reason.
 */
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/strbuf.h"
#include "functions/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void append_part(struct strbuf *text, const char *part)
{
	if (!part)
		return;
	require(*part);
	strbuf__char(text, ':');
	strbuf__text(text, part);
}

/* Without an offset. */
static void check(const struct function_source *source, const char *text)
{
	struct strbuf parts = { 0 };

	strbuf__text(&parts, function_source__word(source->kind));
	append_part(&parts, source->file);
	append_part(&parts, source->group);
	append_part(&parts, source->pattern);
	require(!strncmp(parts.bytes, text, parts.count));
	require(!text[parts.count] || text[parts.count] == (source->pattern ? '+' : ':'));
	require(source->pattern || (source->file && !source->group));
	require(!!source->file == function_source__is_user(source));
	require(source->is_glob == ((source->pattern && glob__is(source->pattern)) ||
				    (source->group && glob__is(source->group))));
	if (source->offset && source->pattern)
		require(!source->is_glob && !function_source__is_return(source));
	strbuf__free(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct function_source source;
	const char *why = NULL;
	char *text = malloc(size + 1);

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = 0;
	if (function_source__parse(&source, text, &why)) {
		require(why && *why);
	} else {
		require(function_source__is(text));
		check(&source, text);
		function_source__free(&source);
	}
	free(text);
	return 0;
}
