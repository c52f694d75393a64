// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_field_text.c: events of any bytes and types as text and JSON.
 *
 * Input: a byte for each property of some fields, then the event.  The output has to be lines
 * without control characters, no wider than requested, and valid JSON.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/sink.h>

#include "field/fields.h"
#include "support/recording/json_check.h"

#define FIELDS_MAX 24
#define DEPTH_MAX  4
#define BYTES_MAX  256 /* of an event: fields overlap here, and each prints its bytes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at, *end;
};

static const struct peat_name names[] = {
	{ 0, "ZERO" }, { 1, "ONE" }, { 3, "THREE" }, { 8, "EI\"GHT" }, { UINT64_MAX, "MINUS\x1b" },
};

static struct peat_field fields[FIELDS_MAX];
static struct peat_schema schema = { .name = "t\"\x1b\xff", .fields = fields, .stacks_fd = -1 };

static void require(bool holds)
{
	if (!holds)
		abort();
}

static uint8_t take(struct input *input)
{
	return input->at < input->end ? *input->at++ : 0;
}

static bool holds_fields(const struct peat_field *field)
{
	return fields__has_members(field) || field_type__of(field)->class == PEAT_CLASS_ELEMENTS;
}

/* Makes field `i` and its inner fields; returns the index after them. */
static uint32_t make_field(struct input *input, uint32_t i, int depth)
{
	static const char *const titles[] = { "", "pid", "pid_", "time", "a b", "\xff\x1b\"" };
	struct peat_field *field = &fields[i];
	uint8_t flags = take(input);
	uint32_t next = i + 1, inside = 0;
	enum peat_field_class class;

	*field = (struct peat_field){ .name = titles[take(input) % 6],
				      .kind = take(input) % FIELD_KINDS,
				      .offset = take(input) % 64,
				      .bytes = take(input) % 20,
				      .is_signed = flags & 1,
				      .big_endian = flags & 2,
				      .count = flags >> 2 & 3,
				      .names = names,
				      .name_count = flags & 16 ? 5 : 0,
				      .schema = &schema };
	class = field_type__of(field)->class;
	if (depth && !field->bytes)
		field->bytes = 1; /* only the end of an event may have no size */
	if (!depth && flags & 64 &&
	    (class == PEAT_CLASS_ELEMENTS || class == PEAT_CLASS_TEXT ||
	     class == PEAT_CLASS_BYTES)) {
		field->place = flags & 128 ? PEAT_PLACE_DATA_LOC : PEAT_PLACE_REL_LOC;
		field->bytes = 0;
	}
	if (flags & 32) {
		field->bit_offset = take(input) % 64;
		field->bits = take(input) % 65;
	}
	if (holds_fields(field) && depth < DEPTH_MAX)
		inside = class == PEAT_CLASS_ELEMENTS ? 1 : take(input) % 4;
	while (inside-- && next < FIELDS_MAX)
		next = make_field(input, next, depth + 1);
	field->span = next - i;
	return next;
}

static void make_schema(struct input *input)
{
	uint32_t wanted = take(input) % 8;

	schema.count = 0;
	while (wanted-- && schema.count < FIELDS_MAX)
		schema.count = make_field(input, schema.count, 0);
}

/* In memory of exactly its size: the sanitizer detects reads past it. */
static char *copy(const struct input *input)
{
	size_t bytes = (size_t)(input->end - input->at);
	char *memory = malloc(bytes + !bytes);

	require(memory != NULL);
	memcpy(memory, input->at, bytes);
	return memory;
}

static const char *written(struct peat_sink *sink, int fd, const struct peat_event *event)
{
	static char text[1 << 20];
	ssize_t bytes;

	require(sink && !peat_sink__write(sink, event) && !peat_sink__write(sink, event));
	require(!peat_sink__flush(sink) && !peat_sink__write(sink, event));
	require(!peat_sink__flush(sink));
	bytes = pread(fd, text, sizeof(text) - 1, 0);
	require(bytes >= 0 && !ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET));
	text[bytes] = 0;
	require(strlen(text) == (size_t)bytes);
	peat_sink__free(sink);
	return text;
}

static void check_lines(const char *text, size_t width)
{
	for (const char *end; *text; text = end + 1) {
		size_t characters = 0;

		end = strchr(text, '\n');
		require(end != NULL && (end == text || end[-1] != ' '));
		for (const char *p = text; p < end; p++) {
			require((unsigned char)*p >= ' ' && *p != 0x7f);
			characters += (*p & 0xc0) != 0x80;
		}
		require(!width || characters <= width);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, data + size };
	struct peat_sink_opts opts = { .sz = sizeof(opts) };
	struct peat_event event = { .schema = &schema, .comm = "\xff\x1b\"", .pid = UINT32_MAX };
	static int fd = -1;
	char *bytes;

	if (fd < 0)
		fd = memfd_create("output", 0);
	make_schema(&input);
	opts.width = take(&input);
	opts.wall_clock_ns = (int8_t)take(&input) * 1000000007LL;
	event.time_ns = (uint64_t)take(&input) << 33;
	if (input.end - input.at > BYTES_MAX)
		input.end = input.at + BYTES_MAX;
	bytes = copy(&input);
	event.data = bytes;
	event.size = (uint32_t)(input.end - input.at);

	require(json_lines(written(peat_sink__new_json(fd, &opts), fd, &event)));
	check_lines(written(peat_sink__new_text(fd, &opts), fd, &event), opts.width);
	opts.columns = &schema;
	check_lines(written(peat_sink__new_text(fd, &opts), fd, &event), opts.width);
	free(bytes);
	return 0;
}
