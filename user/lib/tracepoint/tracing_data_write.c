// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_write.c: TRACING_DATA put together; tracing_data.c draws what it is made of. */
#include <errno.h>

#include "base/store.h"
#include "tracepoint/tracing_data_write.h"

/*
 * How a page of ftrace's ring and an event in it begin.  There is neither in a perf.data, but perf
 * refuses one without a page's layout, and reads it.
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

/* With its NUL. */
static void append_word(struct out *out, const char *word)
{
	out__bytes(out, word, strlen(word) + 1);
}

static void append_header(struct out *out, const char *name, const char *text)
{
	append_word(out, name);
	store_u64(out, strlen(text));
	out__text(out, text);
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

/* `first`: its first format. */
static void append_system(struct out *out, const struct tracing_format *formats, uint32_t first,
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
		out__bytes(out, formats[i].text.at, formats[i].text.bytes);
	}
}

static void append_systems(struct out *out, const struct tracing_format *formats, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_first_of_system(formats, i))
			append_system(out, formats, i, count);
}

void tracing_write__append(struct out *out, const struct tracing_format *formats, uint32_t count,
			   uint32_t page_bytes)
{
	out__text(out, "\x17\x08\x44tracing");
	append_word(out, "0.6");
	out__char(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	out__char(out, sizeof(long));
	store_u32(out, page_bytes);
	append_header(out, "header_page", header_page);
	append_header(out, "header_event", header_event);
	store_u32(out, 0); /* formats of ftrace's own */
	store_u32(out, count_systems(formats, count));
	append_systems(out, formats, count);
	store_u32(out, 0); /* kallsyms */
	store_u32(out, 0); /* printk's formats */
	store_u64(out, 0); /* names of tasks */
}

/* perf finds a format by its id, so that of two systems with one name it knows both. */
int tracing_write__append_more(struct out *out, const void *bytes, size_t byte_count,
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
	out__bytes(out, at, data.systems_at);
	store_u32(out, systems + count_systems(formats, count));
	out__bytes(out, at + data.systems_at + sizeof(systems),
		   data.systems_end - data.systems_at - sizeof(systems));
	append_systems(out, formats, count);
	out__bytes(out, at + data.systems_end, byte_count - data.systems_end);
	return 0;
}
