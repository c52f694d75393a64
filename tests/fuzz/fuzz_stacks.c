// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_stacks.c: stacks with any names, written in all formats: a flame graph has to be XML, a
 * profile has to be decodable, and folded stacks have a line per stack.  The same bytes are also
 * decoded as a recorded command.
 *
 * Lines: a letter for the kind of the frame, and its name; an empty line ends a stack.
 */
#include <profile.pb-c.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "stacks/counted_stacks.h"
#include "convert/recorded_command.h"
#include "unit/stacks/xml_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_line(struct counted_stacks *stacks, uint32_t *node, const char *line)
{
	struct peat_stack_frame frame = {
		.space = strchr("kb", *line) ? PEAT_SPACE_KERNEL : PEAT_SPACE_USER,
		.inlined = *line == 'i',
		.symbol = *line == 'm' ? NULL : line + 1,
		.raw_symbol = line + 1,
		.module = *line == 'm'	 ? line + 1
			  : *line == 'b' ? "[bpf]"
					 : NULL,
		.file = *line == 'f' ? line + 1 : NULL,
	};

	if (*node)
		*node = stack_tree__child(&stacks->tree, *node,
					  counted_frames__add(&stacks->frames, &frame, true));
	else
		*node = stack_tree__child(
			&stacks->tree, 0,
			counted_frames__add_task(&stacks->frames, line + 1, 1, 1));
}

static void add_stacks(struct counted_stacks *stacks, char *text)
{
	uint32_t node = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (*line) {
			add_line(stacks, &node, line);
			continue;
		}
		if (node)
			stack_tree__count(&stacks->tree, node, 1, 3);
		node = 0;
	}
}

/* Returns the output, with a NUL after it. */
static char *write_format(const struct counted_stacks *stacks,
			  int (*write_to)(const struct counted_stacks *, int), size_t *bytes)
{
	int fd = memfd_create("out", MFD_CLOEXEC);
	char *text;

	if (fd < 0 || write_to(stacks, fd))
		abort();
	*bytes = (size_t)lseek(fd, 0, SEEK_END);
	text = malloc(*bytes + 1);
	if (!text || pread(fd, text, *bytes, 0) != (ssize_t)*bytes)
		abort();
	text[*bytes] = 0;
	close(fd);
	return text;
}

static void check_picture(const struct counted_stacks *stacks)
{
	size_t bytes;
	char *text = write_format(stacks, flamegraph__write, &bytes);

	if (strlen(text) != bytes || xml_check(text))
		abort();
	free(text);
}

static void check_folded(const struct counted_stacks *stacks)
{
	size_t bytes;
	char *text = write_format(stacks, folded__write, &bytes), *line = text, *end;

	for (; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end || end == line || end[-1] < '0' || end[-1] > '9')
			abort();
	}
	if (strlen(text) != bytes)
		abort();
	free(text);
}

static void check_profile(const struct counted_stacks *stacks)
{
	static uint8_t plain[1 << 20];
	z_stream stream = { .next_out = plain, .avail_out = sizeof(plain) };
	Profile__Profile *profile;
	size_t bytes;
	char *packed = write_format(stacks, pprof__write, &bytes);

	stream.next_in = (Bytef *)packed;
	stream.avail_in = (uInt)bytes;
	if (inflateInit2(&stream, 15 + 16) != Z_OK || inflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	profile = profile__profile__unpack(NULL, sizeof(plain) - stream.avail_out, plain);
	if (!profile)
		abort();
	profile__profile__free_unpacked(profile, NULL);
	inflateEnd(&stream);
	free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *lines;
	struct counted_stacks stacks = { 0 };

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	stacks.title = stacks.event = text;
	lines = strdup(text);
	add_stacks(&stacks, lines);
	free(lines);
	check_picture(&stacks);
	check_folded(&stacks);
	check_profile(&stacks);
	stack_tree__free(&stacks.tree);
	counted_frames__free(&stacks.frames);
	free(text);
	free(recorded_command__decode(data, size, size & 1));
	return 0;
}
