/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/decode.c: decodes a PERF_RECORD_*: header, trailer and every body but SAMPLE's.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "base/errors.h"
#include "base/opts.h"
#include "record/decode_sample.h"
#include "record/extent.h"

#define HEADER_BYTES   sizeof(struct perf_event_header)
#define BUILD_ID_BYTES 20

/* False: it is none, see decode_file_id(). */
static bool decode_build_id(struct cursor *cur, struct peat_mmap *m)
{
	uint8_t bytes = cursor__left(cur) ? *(const uint8_t *)cur->at : 0;
	const uint8_t *field;

	if (!bytes || bytes > BUILD_ID_BYTES)
		return false;
	field = cursor__bytes(cur, 4 + BUILD_ID_BYTES);
	if (!field)
		return true;
	m->build_id_bytes = field[0];
	m->build_id = field + 4;
	return true;
}

/*
 * If another event of the CPU has attr.build_id, the kernel sets the bit in records of events that
 * do not, too (Linux 5.12 to 6.18): they have device and inode.  A device is larger than the size
 * of a build id, but for few.
 */
static void decode_file_id(struct cursor *cur, struct peat_record *rec)
{
	struct peat_mmap *m = &rec->mmap;

	if (rec->misc & PEAT_MISC_MMAP_BUILD_ID && decode_build_id(cur, m))
		return;
	rec->misc &= (uint16_t)~PEAT_MISC_MMAP_BUILD_ID;
	m->maj = cursor__u32(cur);
	m->min = cursor__u32(cur);
	m->ino = cursor__u64(cur);
	m->ino_generation = cursor__u64(cur);
}

/*
 * Before Linux 3.16, a MMAP2 had the name of the file in place of prot and flags.  No prot is as
 * large as the first four bytes of a name.
 */
#define OLD_MMAP2_BYTES 64 /* of the shortest body */
#define PROT_AT		56 /* in the body */
#define PROT_MOST	0xff

/* Whether the name is at offset `at`, where prot would be. */
static bool lacks_prot(const struct cursor *cur, const struct peat_record *rec, size_t at)
{
	return !(rec->misc & PEAT_MISC_MMAP_BUILD_ID) &&
	       cursor__left(cur) >= at + sizeof(uint32_t) &&
	       load_u32(cur->at + at, cur->swapped) > PROT_MOST;
}

static void decode_prot_flags(struct cursor *cur, struct peat_record *rec)
{
	if (lacks_prot(cur, rec, 0))
		return;
	rec->mmap.prot = cursor__u32(cur);
	rec->mmap.flags = cursor__u32(cur);
}

#define CLEAR(to)	 memset(&rec->to, 0, sizeof(rec->to))
#define FLAG(to, bit)	 rec->to = rec->misc & PEAT_MISC_##bit
#define U16(to)		 rec->to = cursor__u16(cur)
#define U32(to)		 rec->to = cursor__u32(cur)
#define U64(to)		 rec->to = cursor__u64(cur)
#define STRING(to)	 rec->to = cursor__string(cur)
#define BYTES(to, count) rec->to = cursor__bytes(cur, count)
#define LINKS		 rec->namespaces.links = cursor__words(cur, rec->namespaces.nr, 2)
#define FILE_ID		 decode_file_id(cur, rec)
#define PROT_FLAGS	 decode_prot_flags(cur, rec)
#define READ(to)	 peat_read__decode(cur, &rec->to)
#define CHAIN(to)	 rec->to = cursor__words(cur, cursor__u64(cur), 1)
#define TYPE(type, least, fields)                                                                  \
	case PEAT_RECORD_##type:                                                                   \
		fields;                                                                            \
		return;

static void decode_body(struct cursor *cur, struct peat_record *rec)
{
	switch (rec->type) {
#include "record/record_types.h"
	}
}

#undef TYPE
#define TYPE(type, least, fields) [PEAT_RECORD_##type] = { #type, least },

static const struct {
	const char *name;
	size_t min_bytes; /* of the shortest body */
} types[] = {
#include "record/record_types.h"
};

/* The ids of a sample, in the same order, but IDENTIFIER last. */
static void decode_trailer(uint64_t has, struct cursor *cur, struct peat_record *rec)
{
	rec->has = has;
	peat_sample__decode_head(has & PEAT_SAMPLE_IDS & ~PEAT_SAMPLE_IDENTIFIER, cur, rec);
	if (has & PEAT_SAMPLE_IDENTIFIER)
		rec->id = cursor__u64(cur);
}

static bool is_known(uint32_t type)
{
	return type < sizeof(types) / sizeof(types[0]) && types[type].name;
}

const char *peat_record__name(uint32_t type)
{
	return is_known(type) ? types[type].name : NULL;
}

uint32_t peat_record__find(const char *name)
{
	for (uint32_t type = 0; type < sizeof(types) / sizeof(types[0]); type++)
		if (is_known(type) && !strcmp(types[type].name, name))
			return type;
	return 0;
}

/*
 * Cuts the trailer off the body and decodes it.  It is found from the record's end, so that bodies
 * can grow in future kernels; but for bodies that say their length, see record/extent.h.  In a ring
 * shared by several events, a LOST has the trailer of the event that wrote next: if its size
 * differs from the layout's, it cannot be decoded.
 */
static void cut_trailer(struct cursor *cur, struct peat_record *rec)
{
	const struct peat_layout *layout = cur->layout;
	uint64_t has = layout->sample_id_all ? layout->sample_type & PEAT_SAMPLE_IDS : 0;
	size_t bytes = extent__trailer(layout);
	size_t said = extent__body(rec->type, cur->at, cursor__left(cur), layout->swapped);
	size_t body_min = types[rec->type].min_bytes;
	size_t left = cursor__left(cur);
	struct cursor trailer = *cur;

	if (said && said + bytes < left)
		left = said + bytes;
	if (rec->type == PEAT_RECORD_MMAP2 && lacks_prot(cur, rec, PROT_AT))
		body_min = OLD_MMAP2_BYTES;
	if (left < body_min + bytes)
		return;
	if (rec->type == PEAT_RECORD_LOST && left != body_min + bytes)
		return;
	trailer.at = cur->at + left - bytes;
	trailer.end = trailer.at + bytes;
	cur->end = trailer.at;
	decode_trailer(has, &trailer, rec);
}

static void clear_ids(struct peat_record *rec)
{
	rec->has = 0;
	rec->time_ns = 0;
	rec->id = 0;
	rec->stream_id = 0;
	rec->pid = 0;
	rec->tid = 0;
	rec->cpu = 0;
}

/* Sets type, misc and size.  False: the bytes do not hold such a record. */
static bool decode_header(const uint8_t *bytes, size_t bytes_len, bool swapped,
			  struct peat_record *rec)
{
	if (bytes_len < HEADER_BYTES) {
		rec->type = 0;
		rec->misc = 0;
		rec->size = 0;
		return false;
	}
	rec->type = load_u32(bytes, swapped);
	rec->misc = load_u16(bytes + 4, swapped);
	rec->size = load_u16(bytes + 6, swapped);
	return rec->size >= HEADER_BYTES && rec->size <= bytes_len;
}

int peat_record__decode(const struct peat_layout *layout, const void *bytes, size_t bytes_len,
			struct peat_record *rec)
{
	const uint8_t *start = bytes;
	struct cursor cur;
	int err = opts__check_size(rec, sizeof(*rec), "peat_record");

	if (err)
		return fail(err);
	clear_ids(rec);
	if (!decode_header(start, bytes_len, layout->swapped, rec))
		return fail(-EBADMSG);
	cursor__init(&cur, start + HEADER_BYTES, start + rec->size, layout);

	/* Nearly all records are samples: they skip the trailer and the switch. */
	if (rec->type == PEAT_RECORD_SAMPLE) {
		peat_sample__decode(&cur, rec);
		return cur.bad ? fail(-EBADMSG) : 1;
	}
	if (!is_known(rec->type))
		return 0;
	cut_trailer(&cur, rec);
	decode_body(&cur, rec);
	return cur.bad ? fail(-EBADMSG) : 1;
}
