// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/json_call.c: the arguments of a system call as text, beside their numbers. */
#include "base/json_value.h"
#include "field/call_args.h"
#include "print/json_call.h"

void json_call__append(struct strbuf *out, const struct peat_field *field, const void *data,
		       uint32_t bytes)
{
	struct strbuf text = { 0 }, name = { 0 };

	if (!call_args__append(&text, field, data, bytes, (struct field_style){ 0 }))
		return;
	strbuf__text(&name, field->name);
	strbuf__bytes(&name, "_text", sizeof("_text"));
	strbuf__char(out, ',');
	json_value__name(out, name.failed ? "" : name.bytes);
	strbuf__char(out, ':');
	json_value__string(out, text.bytes ? text.bytes : "", text.count);
	out->failed |= text.failed || name.failed;
	strbuf__free(&name);
	strbuf__free(&text);
}
