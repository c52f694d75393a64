// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/tracing_data_write.c: writes TRACING_DATA; its layout is in tracing_data.c. */
#include <errno.h>

#include "base/store.h"
#include "tracing_data/tracing_data_write.h"

/*
 * The layouts of a page in ftrace's ring and of an event in it.  A perf.data contains neither, but
 * perf refuses to read one without the layout of a page.
 */
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

/* Appends the word with its NUL. */
static void append_word(struct strbuf *out, const char *word)
{
	strbuf__bytes(out, word, strlen(word) + 1);
}

static void append_header(struct strbuf *out, const char *name, const char *text)
{
	append_word(out, name);
	store_u64(out, strlen(text));
	strbuf__text(out, text);
}

static bool is_first_of_system(const struct tracing_format *formats, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		if (!strcmp(formats[i].system, formats[at].system))
			return false;
	return true;
}

static uint32_t count_systems(const struct tracing_format *formats, uint32_t count)
{
	uint32_t systems = 0;

	for (uint32_t i = 0; i < count; i++)
		systems += is_first_of_system(formats, i);
	return systems;
}

/* `first`: index of the system's first format. */
static void append_system(struct strbuf *out, const struct tracing_format *formats, uint32_t first,
			  uint32_t count)
{
	const char *system = formats[first].system;
	uint32_t of_system = 0;

	for (uint32_t i = first; i < count; i++)
		of_system += !strcmp(formats[i].system, system);
	append_word(out, system);
	store_u32(out, of_system);
	for (uint32_t i = first; i < count; i++) {
		if (strcmp(formats[i].system, system) != 0)
			continue;
		store_u64(out, formats[i].text.bytes);
		strbuf__bytes(out, formats[i].text.at, formats[i].text.bytes);
	}
}

static void append_systems(struct strbuf *out, const struct tracing_format *formats, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_first_of_system(formats, i))
			append_system(out, formats, i, count);
}

void tracing_data_write__append(struct strbuf *out, const struct tracing_format *formats,
				uint32_t count, uint32_t page_bytes)
{
	strbuf__text(out, "\x17\x08\x44tracing");
	append_word(out, "0.6");
	strbuf__char(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	strbuf__char(out, sizeof(long));
	store_u32(out, page_bytes);
	append_header(out, "header_page", header_page);
	append_header(out, "header_event", header_event);
	store_u32(out, 0); /* formats of ftrace */
	store_u32(out, count_systems(formats, count));
	append_systems(out, formats, count);
	store_u32(out, 0); /* kallsyms */
	store_u32(out, 0); /* printk's formats */
	store_u64(out, 0); /* names of tasks */
}

/* Two systems may have the same name: perf finds a format by its id. */
int tracing_data_write__append_more(struct strbuf *out, const void *bytes, size_t byte_count,
				    const struct tracing_format *formats, uint32_t count)
{
	struct tracing_format format;
	struct tracing_data data;
	const char *at = bytes;
	uint32_t systems;
	int more = tracing_data__begin(&data, bytes, byte_count);

	while (!more && (more = tracing_data__next(&data, &format)) > 0)
		more = 0;
	if (!more && data.swapped)
		more = -EBADMSG;
	if (more)
		return more;
	systems = load_u32(at + data.systems_at, false);
	strbuf__bytes(out, at, data.systems_at);
	store_u32(out, systems + count_systems(formats, count));
	strbuf__bytes(out, at + data.systems_at + sizeof(systems),
		      data.systems_end - data.systems_at - sizeof(systems));
	append_systems(out, formats, count);
	strbuf__bytes(out, at + data.systems_end, byte_count - data.systems_end);
	return 0;
}
