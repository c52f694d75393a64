// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/flat_frames.c: call frame information of a file as bytes. */

#include <errno.h>
#include <string.h>

#include "symbols/namer/flat_frames.h"

#define MAGIC 0x73696663 /* "cfis" */

struct flat_section {
	uint64_t bytes, index_count;
	uint64_t vaddr, text_vaddr, data_vaddr;
	uint8_t is_eh, is_64, swapped, has_signal, zero[4];
};

struct flat_frames {
	uint32_t magic;
	uint16_t machine, trampolines_count;
	uint64_t trampolines[TRAMPOLINES_MAX];
	uint8_t kinds[TRAMPOLINES_MAX], zero[4];
	struct flat_section eh_frame, debug_frame;
};

/* ---- writing --------------------------------------------------------------------------------- */

static size_t index_bytes(const struct cfi_section *section)
{
	return section->index_count * sizeof(*section->index);
}

size_t flat_frames__bytes(const struct call_frames *frames)
{
	return sizeof(struct flat_frames) + index_bytes(&frames->eh_frame) +
	       index_bytes(&frames->debug_frame) + frames->eh_frame.count +
	       frames->debug_frame.count;
}

static struct flat_section describe(const struct cfi_section *section)
{
	return (struct flat_section){
		.bytes = section->count,
		.index_count = section->index_count,
		.vaddr = section->vaddr,
		.text_vaddr = section->text_vaddr,
		.data_vaddr = section->data_vaddr,
		.is_eh = section->is_eh,
		.is_64 = section->is_64,
		.swapped = section->swapped,
		.has_signal = section->has_signal,
	};
}

static uint8_t *write_bytes(uint8_t *to, const void *from, size_t bytes)
{
	if (bytes)
		memcpy(to, from, bytes);
	return to + bytes;
}

void flat_frames__write(const struct call_frames *frames, void *to)
{
	struct flat_frames *flat = to;
	uint8_t *at = (uint8_t *)(flat + 1);

	*flat = (struct flat_frames){
		.magic = MAGIC,
		.machine = frames->machine,
		.trampolines_count = (uint16_t)frames->trampolines.count,
		.eh_frame = describe(&frames->eh_frame),
		.debug_frame = describe(&frames->debug_frame),
	};
	memcpy(flat->trampolines, frames->trampolines.vaddr, sizeof(flat->trampolines));
	memcpy(flat->kinds, frames->trampolines.kind, sizeof(flat->kinds));
	/* The indices first: they are aligned. */
	at = write_bytes(at, frames->eh_frame.index, index_bytes(&frames->eh_frame));
	at = write_bytes(at, frames->debug_frame.index, index_bytes(&frames->debug_frame));
	at = write_bytes(at, frames->eh_frame.bytes, frames->eh_frame.count);
	write_bytes(at, frames->debug_frame.bytes, frames->debug_frame.count);
}

/* ---- taking over ----------------------------------------------------------------------------- */

struct rest {
	const uint8_t *at;
	size_t bytes;
};

/* NULL: so many are not left. */
static const void *next_array(struct rest *rest, uint64_t count, size_t each)
{
	const uint8_t *at = rest->at;

	if (count > rest->bytes / each)
		return NULL;
	rest->at += count * each;
	rest->bytes -= count * each;
	return at;
}

static bool is_valid_index(const struct cfi_index *index, size_t count, size_t bytes)
{
	for (size_t i = 0; i < count; i++)
		if (index[i].at >= bytes || (i && index[i].start < index[i - 1].start))
			return false;
	return true;
}

static int take_index(struct cfi_section *section, const struct flat_section *from,
		      struct rest *rest)
{
	const struct cfi_index *index = next_array(rest, from->index_count, sizeof(*index));

	*section = (struct cfi_section){
		.vaddr = from->vaddr,
		.text_vaddr = from->text_vaddr,
		.data_vaddr = from->data_vaddr,
		.is_eh = from->is_eh,
		.is_64 = from->is_64,
		.swapped = from->swapped,
		.has_signal = from->has_signal,
	};
	if (!index || !is_valid_index(index, from->index_count, from->bytes))
		return -EBADMSG;
	section->is_borrowed = true;
	section->index = from->index_count ? (struct cfi_index *)index : NULL;
	section->index_count = from->index_count;
	return 0;
}

static int take_bytes(struct cfi_section *section, const struct flat_section *from,
		      struct rest *rest)
{
	const void *bytes = next_array(rest, from->bytes, 1);

	if (!bytes)
		return -EBADMSG;
	section->bytes = from->bytes ? (uint8_t *)bytes : NULL;
	section->count = from->bytes;
	return 0;
}

static int take_sections(struct call_frames *frames, const struct flat_frames *flat,
			 struct rest *rest)
{
	int err = take_index(&frames->eh_frame, &flat->eh_frame, rest);

	if (!err)
		err = take_index(&frames->debug_frame, &flat->debug_frame, rest);
	if (!err)
		err = take_bytes(&frames->eh_frame, &flat->eh_frame, rest);
	if (!err)
		err = take_bytes(&frames->debug_frame, &flat->debug_frame, rest);
	return err || !rest->bytes ? err : -EBADMSG;
}

static bool take_trampolines(struct trampolines *trampolines, const struct flat_frames *flat)
{
	if (flat->trampolines_count > TRAMPOLINES_MAX)
		return false;
	for (unsigned i = 0; i < flat->trampolines_count; i++)
		if (!trampolines__has_kind(flat->kinds[i]))
			return false;
	trampolines->count = flat->trampolines_count;
	memcpy(trampolines->vaddr, flat->trampolines, sizeof(trampolines->vaddr));
	memcpy(trampolines->kind, flat->kinds, sizeof(trampolines->kind));
	return true;
}

int flat_frames__take_over(struct call_frames *frames, const void *from, size_t bytes)
{
	const struct flat_frames *flat = from;
	struct rest rest;
	int err;

	*frames = (struct call_frames){ 0 };
	if (bytes < sizeof(*flat) || flat->magic != MAGIC ||
	    !take_trampolines(&frames->trampolines, flat))
		return -EBADMSG;
	frames->machine = flat->machine;
	rest = (struct rest){ (const uint8_t *)(flat + 1), bytes - sizeof(*flat) };
	err = take_sections(frames, flat, &rest);
	if (err)
		call_frames__free(frames);
	return err;
}
