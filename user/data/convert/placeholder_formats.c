// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/placeholder_formats.c: formats with the common fields only. */
#include <stdlib.h>

#include "convert/placeholder_formats.h"
#include "tracing_data/tracing_data_write.h"

#define TYPE_TRACEPOINT 2
#define SYSTEM		"unknown"
#define PAGE_BYTES	4096

static void append_placeholder(struct strbuf *texts, uint64_t id)
{
	strbuf__text(texts, "name: tracepoint_");
	strbuf__unsigned(texts, id);
	strbuf__text(texts, "\nID: ");
	strbuf__unsigned(texts, id);
	strbuf__text(texts,
		     "\nformat:\n"
		     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
		     "\n\tfield:unsigned char lost[0];\toffset:8;\tsize:0;\tsigned:0;\n"
		     "\nprint fmt: \"\"\n");
}

/* Whether no earlier event is of the same tracepoint. */
static bool is_first_of_tracepoint(const struct perf_attrs *attrs, uint32_t at)
{
	if (attrs->at[at]->type != TYPE_TRACEPOINT)
		return false;
	for (uint32_t i = 0; i < at; i++)
		if (attrs->at[i]->type == TYPE_TRACEPOINT &&
		    attrs->at[i]->config == attrs->at[at]->config)
			return false;
	return true;
}

/* The buffer of the texts moves while it grows: addresses are set at the end. */
uint32_t placeholder_formats__append(struct strbuf *out, const struct perf_attrs *attrs)
{
	struct tracing_format *formats = calloc(attrs->count + !attrs->count, sizeof(*formats));
	struct strbuf texts = { 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < attrs->count && formats; i++) {
		size_t start = texts.count;

		if (!is_first_of_tracepoint(attrs, i))
			continue;
		append_placeholder(&texts, attrs->at[i]->config);
		formats[count].system = SYSTEM;
		formats[count++].text.bytes = texts.count - start;
	}
	for (uint32_t i = 0, at = 0; i < count && !texts.failed; i++) {
		formats[i].text.at = texts.bytes + at;
		at += (uint32_t)formats[i].text.bytes;
	}
	if (count && !texts.failed)
		tracing_data_write__append(out, formats, count, PAGE_BYTES);
	out->failed |= texts.failed || !formats;
	strbuf__free(&texts);
	free(formats);
	return count;
}
