// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/mini_debuginfo.c: the section .gnu_debugdata. */
#include <errno.h>
#include <stdlib.h>

#include "symbols/elf/budget.h"
#include "symbols/elf/mini_debuginfo.h"

#ifdef HAVE_LZMA

#include <lzma.h>

#define MEMORY_MAX  (128u << 20) /* of the decompressor; xz -9 needs 65 MiB */
#define BYTES_FIRST (64u << 10)

struct output {
	uint8_t *bytes;
	size_t count, room;
};

static int grow_output(struct output *out, lzma_stream *stream)
{
	const size_t room = out->room ? out->room * 2 : BYTES_FIRST;
	uint8_t *bytes = room <= BUDGET_UNPACKED_BYTES ? realloc(out->bytes, room) : NULL;

	if (!bytes)
		return room <= BUDGET_UNPACKED_BYTES ? -ENOMEM : -ENOEXEC;
	*out = (struct output){ bytes, out->count, room };
	stream->next_out = bytes + out->count;
	stream->avail_out = room - out->count;
	return 0;
}

static int decompress(lzma_stream *stream, struct output *out)
{
	lzma_ret ret = LZMA_OK;
	int err = 0;

	while (!err && ret == LZMA_OK) {
		if (!stream->avail_out)
			err = grow_output(out, stream);
		if (!err)
			ret = lzma_code(stream, LZMA_FINISH);
		out->count = stream->total_out;
	}
	if (err)
		return err;
	return ret == LZMA_STREAM_END ? 0 : ret == LZMA_MEM_ERROR ? -ENOMEM : -ENOEXEC;
}

int mini_debuginfo__open(const struct elf_file *program, struct elf_file **mini)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	struct output out = { 0 };
	struct elf_content section;
	GElf_Shdr header;
	Elf_Scn *found = elf_file__find_section(program, ".gnu_debugdata", &header);
	int err;

	if (!found || header.sh_size > BUDGET_UNPACKED_BYTES)
		return -ENOENT;
	section = elf_file__content(found);
	if (!section.at)
		return -ENOENT;
	if (lzma_stream_decoder(&stream, MEMORY_MAX, 0) != LZMA_OK)
		return -ENOMEM;
	stream.next_in = section.at;
	stream.avail_in = section.bytes;
	err = decompress(&stream, &out);
	lzma_end(&stream);
	if (err) {
		free(out.bytes);
		return err;
	}
	return elf_file__open_image(mini, out.bytes, out.count, program->path);
}

#else

int mini_debuginfo__open(const struct elf_file *program, struct elf_file **mini)
{
	(void)program;
	(void)mini;
	return -ENOENT;
}

#endif /* HAVE_LZMA */
