// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tracing_data/tracing_data.c: parses TRACING_DATA.
 *
 *	23 8 68 "tracing", version, byte order, long's size, u32 page's size
 *	"header_page",  u64 size, text
 *	"header_event", u64 size, text
 *	u32 formats:  u64 size, text each		of ftrace
 *	u32 systems:  name, u32 formats: u64 size, text each
 *	u32 size, kallsyms
 *	u32 size, printk formats
 *	u64 size, saved command names			since version 0.6
 */
#include <errno.h>

#include "tracing_data/tracing_data.h"

static int fail_parse(struct tracing_data *data, const char *why)
{
	data->why = why;
	data->formats = data->systems = 0;
	data->cur.bad = true;
	return -EBADMSG;
}

/* Notes the offset of the next part, for bad_at. */
static void note_offset(struct tracing_data *data)
{
	if (!data->cur.bad)
		data->bad_at = (uint64_t)(data->cur.at - data->start);
}

static const char *parse_string(struct tracing_data *data)
{
	const uint8_t *end;

	note_offset(data);
	end = memchr(data->cur.at, '\0', cursor__left(&data->cur));
	if (!end)
		cursor__fail(&data->cur);
	return end ? cursor__bytes(&data->cur, (uint64_t)(end - data->cur.at) + 1) : NULL;
}

static uint32_t parse_u32(struct tracing_data *data)
{
	note_offset(data);
	return cursor__u32(&data->cur);
}

static struct tracing_text parse_tracing_text(struct tracing_data *data, bool is_long)
{
	struct tracing_text text;

	note_offset(data);
	text.bytes = is_long ? cursor__u64(&data->cur) : cursor__u32(&data->cur);
	text.at = cursor__bytes(&data->cur, text.bytes);
	if (!text.at)
		text.bytes = 0;
	return text;
}

static int parse_header(struct tracing_data *data, const char *name, struct tracing_text *text)
{
	const char *found = parse_string(data);

	if (!found || strcmp(found, name))
		return fail_parse(data, "its headers are missing");
	*text = parse_tracing_text(data, true);
	return data->cur.bad ? fail_parse(data, "it ends within a header") : 0;
}

static int parse_machine(struct tracing_data *data)
{
	static const struct peat_layout orders[] = { { .swapped = false }, { .swapped = true } };
	const uint8_t *order;

	note_offset(data);
	order = cursor__bytes(&data->cur, 2);
	if (!order)
		return fail_parse(data, "it ends too early");
	if (order[0] > 1 || (order[1] != 4 && order[1] != 8))
		return fail_parse(data, "its byte order or size of a long is invalid");
	data->big_endian = order[0];
	data->long_bytes = order[1];
	data->swapped = data->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cursor__init(&data->cur, data->cur.at, data->cur.end, &orders[data->swapped]);
	data->page_bytes = parse_u32(data);
	return 0;
}

int tracing_data__begin(struct tracing_data *data, const void *bytes, size_t count)
{
	static const char magic[] = "\x17\x08\x44tracing";
	static const struct peat_layout none;
	const void *start;
	int err;

	*data = (struct tracing_data){ .start = bytes };
	cursor__init(&data->cur, bytes, count ? data->start + count : bytes, &none);
	start = cursor__bytes(&data->cur, sizeof(magic) - 1);
	if (!start || memcmp(start, magic, sizeof(magic) - 1))
		return fail_parse(data, "its magic number is missing");
	data->version = parse_string(data);
	if (!data->version)
		return fail_parse(data, "it ends too early");
	err = parse_machine(data);
	if (!err)
		err = parse_header(data, "header_page", &data->header_page);
	if (!err)
		err = parse_header(data, "header_event", &data->header_event);
	if (err)
		return err;
	data->system = "ftrace";
	data->formats = parse_u32(data);
	return data->cur.bad ? fail_parse(data, "it ends before the formats") : 0;
}

/* Version 0.6 and later, including "6" as other programs write it. */
static bool has_cmdlines(const char *version)
{
	if (version[0] != '0')
		return true;
	return version[1] == '.' && version[2] >= '6' && version[2] <= '9';
}

static int parse_rest(struct tracing_data *data)
{
	data->at_end = true;
	data->systems_end = (uint64_t)(data->cur.at - data->start);
	data->kallsyms = parse_tracing_text(data, false);
	data->printk = parse_tracing_text(data, false);
	if (has_cmdlines(data->version))
		data->cmdlines = parse_tracing_text(data, true);
	return data->cur.bad ? fail_parse(data, "it ends after the formats") : 0;
}

/* Advances to a system with formats.  False: there is none, or the data is invalid. */
static bool next_system(struct tracing_data *data)
{
	while (!data->formats && data->systems) {
		data->system = parse_string(data);
		data->formats = parse_u32(data);
		data->systems--;
		if (data->cur.bad)
			return false;
	}
	return data->formats;
}

/* Parses the number of systems.  False: it is missing. */
static bool begin_systems(struct tracing_data *data)
{
	if (data->formats || data->in_systems)
		return true;
	data->in_systems = true;
	data->systems_at = (uint64_t)(data->cur.at - data->start);
	data->systems = parse_u32(data);
	return !data->cur.bad;
}

int tracing_data__next(struct tracing_data *data, struct tracing_format *format)
{
	if (data->why)
		return -EBADMSG;
	if (data->at_end)
		return 0;
	if (!begin_systems(data))
		return fail_parse(data, "it ends before the systems");
	if (!next_system(data))
		return data->cur.bad ? fail_parse(data, "it ends before a system's formats")
				     : parse_rest(data);
	format->system = data->system;
	format->text = parse_tracing_text(data, true);
	data->formats--;
	return data->cur.bad ? fail_parse(data, "it ends within a format") : 1;
}
