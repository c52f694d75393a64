// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tracing_data.c: TRACING_DATA taken apart.
 *
 *	23 8 68 "tracing", version, byte order, long's size, u32 page's size
 *	"header_page",  u64 size, text
 *	"header_event", u64 size, text
 *	u32 formats:  u64 size, text each		the tracer's own
 *	u32 systems:  name, u32 formats: u64 size, text each
 *	u32 size, kallsyms
 *	u32 size, printk formats
 *	u64 size, saved command names			since version 0.6
 */
#include <errno.h>

#include "tracepoint/tracing_data.h"

static int bad(struct tracing_data *data, const char *why)
{
	data->why = why;
	data->formats = data->systems = 0;
	data->cur.bad = true;
	return -EBADMSG;
}

/* What is read next begins here, should it be bad. */
static void mark(struct tracing_data *data)
{
	if (!data->cur.bad)
		data->bad_at = (uint64_t)(data->cur.at - data->start);
}

static const char *take_string(struct tracing_data *data)
{
	const uint8_t *end;

	mark(data);
	end = memchr(data->cur.at, '\0', cursor__left(&data->cur));
	if (!end)
		cursor__fail(&data->cur);
	return end ? cursor__take(&data->cur, (uint64_t)(end - data->cur.at) + 1) : NULL;
}

static uint32_t take_u32(struct tracing_data *data)
{
	mark(data);
	return cursor__u32(&data->cur);
}

static struct tracing_text take_text(struct tracing_data *data, bool is_long)
{
	struct tracing_text text;

	mark(data);
	text.bytes = is_long ? cursor__u64(&data->cur) : cursor__u32(&data->cur);
	text.at = cursor__take(&data->cur, text.bytes);
	if (!text.at)
		text.bytes = 0;
	return text;
}

static int take_header(struct tracing_data *data, const char *name, struct tracing_text *text)
{
	const char *found = take_string(data);

	if (!found || strcmp(found, name))
		return bad(data, "its headers are not there");
	*text = take_text(data, true);
	return data->cur.bad ? bad(data, "it ends within a header") : 0;
}

static int take_machine(struct tracing_data *data)
{
	static const struct peat_layout orders[] = { { .swapped = false }, { .swapped = true } };
	const uint8_t *order;

	mark(data);
	order = cursor__take(&data->cur, 2);
	if (!order)
		return bad(data, "it ends too early");
	if (order[0] > 1 || (order[1] != 4 && order[1] != 8))
		return bad(data, "neither the byte order nor the size of a long can be such");
	data->big_endian = order[0];
	data->long_bytes = order[1];
	data->swapped = data->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cursor__init(&data->cur, data->cur.at, data->cur.end, &orders[data->swapped]);
	data->page_bytes = take_u32(data);
	return 0;
}

int tracing_data__begin(struct tracing_data *data, const void *bytes, size_t count)
{
	static const char magic[] = "\x17\x08\x44tracing";
	static const struct peat_layout none;
	const void *start;
	int err;

	*data = (struct tracing_data){ .start = bytes };
	cursor__init(&data->cur, bytes, data->start + count, &none);
	start = cursor__take(&data->cur, sizeof(magic) - 1);
	if (!start || memcmp(start, magic, sizeof(magic) - 1))
		return bad(data, "it does not begin like one");
	data->version = take_string(data);
	if (!data->version)
		return bad(data, "it ends too early");
	err = take_machine(data);
	if (!err)
		err = take_header(data, "header_page", &data->header_page);
	if (!err)
		err = take_header(data, "header_event", &data->header_event);
	if (err)
		return err;
	data->system = "ftrace";
	data->formats = take_u32(data);
	return data->cur.bad ? bad(data, "it ends before the formats") : 0;
}

/* "0.6" and what came later, such as "6" of others that write the same. */
static bool has_cmdlines(const char *version)
{
	if (version[0] != '0')
		return true;
	return version[1] == '.' && version[2] >= '6' && version[2] <= '9';
}

static int take_rest(struct tracing_data *data)
{
	data->at_end = true;
	data->systems_end = (uint64_t)(data->cur.at - data->start);
	data->kallsyms = take_text(data, false);
	data->printk = take_text(data, false);
	if (has_cmdlines(data->version))
		data->cmdlines = take_text(data, true);
	return data->cur.bad ? bad(data, "it ends behind the formats") : 0;
}

/* To a system that has formats; false: there is none, or it is bad. */
static bool enter_system(struct tracing_data *data)
{
	while (!data->formats && data->systems) {
		data->system = take_string(data);
		data->formats = take_u32(data);
		data->systems--;
		if (data->cur.bad)
			return false;
	}
	return data->formats;
}

/* False: there is no count of them. */
static bool find_systems(struct tracing_data *data)
{
	if (data->formats || data->in_systems)
		return true;
	data->in_systems = true;
	data->systems_at = (uint64_t)(data->cur.at - data->start);
	data->systems = take_u32(data);
	return !data->cur.bad;
}

int tracing_data__next(struct tracing_data *data, struct tracing_format *format)
{
	if (data->why)
		return -EBADMSG;
	if (data->at_end)
		return 0;
	if (!find_systems(data))
		return bad(data, "it ends before the systems");
	if (!enter_system(data))
		return data->cur.bad ? bad(data, "it ends before a system's formats")
				     : take_rest(data);
	format->system = data->system;
	format->text = take_text(data, true);
	data->formats--;
	return data->cur.bad ? bad(data, "it ends within a format") : 1;
}
