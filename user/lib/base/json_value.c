// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/json_value.c: appends values of JSON. */
#include "base/escape.h"
#include "base/json_value.h"

void json_value__string(struct strbuf *out, const char *text, size_t bytes)
{
	if (escape__json(out, text, bytes))
		return;
	strbuf__text(out, "{\"hex\":");
	json_value__hex(out, text, bytes);
	strbuf__char(out, '}');
}

void json_value__name(struct strbuf *out, const char *name)
{
	size_t bytes = strlen(name);

	if (!escape__json(out, name, bytes))
		json_value__hex(out, name, bytes);
}

void json_value__hex(struct strbuf *out, const void *bytes, size_t count)
{
	strbuf__char(out, '"');
	strbuf__hex_bytes(out, bytes, count);
	strbuf__char(out, '"');
}

void json_value__strings(struct strbuf *out, const char *text, uint32_t bytes)
{
	strbuf__char(out, '[');
	for (uint32_t at = 0; at < bytes;) {
		size_t length = strnlen(text + at, bytes - at);

		if (at)
			strbuf__char(out, ',');
		json_value__string(out, text + at, length);
		at += (uint32_t)length + 1;
	}
	strbuf__char(out, ']');
}
