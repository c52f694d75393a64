/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record_bytes.h: records built byte by byte, and what was decoded from them walked to its ends.
 *
 * It shares no code with the decoder, so that neither can hide a mistake of the other.
 */
#ifndef TESTS_UNIT_RECORD_RECORD_BYTES_H
#define TESTS_UNIT_RECORD_RECORD_BYTES_H

#include <stdlib.h>
#include <string.h>

#include <peat/record.h>

#define BYTES_MAX 8192

struct bytes {
	uint8_t at[BYTES_MAX];
	size_t len;
	bool swapped; /* written as a machine of the other byte order would */
};

static inline bool bytes__big_endian(const struct bytes *b)
{
	return b->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline void put(struct bytes *b, uint64_t v, unsigned int width)
{
	for (unsigned int i = 0; i < width; i++) {
		unsigned int byte = bytes__big_endian(b) ? width - 1 - i : i;

		b->at[b->len++] = (uint8_t)(v >> 8 * byte);
	}
}

static inline void put_u16(struct bytes *b, uint16_t v)
{
	put(b, v, 2);
}

static inline void put_u32(struct bytes *b, uint32_t v)
{
	put(b, v, 4);
}

static inline void put_u64(struct bytes *b, uint64_t v)
{
	put(b, v, 8);
}

static inline void put_data(struct bytes *b, const void *data, size_t len)
{
	memcpy(b->at + b->len, data, len);
	b->len += len;
}

/* `nr` words, counting up from v. */
static inline void put_words(struct bytes *b, uint64_t v, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		put_u64(b, v + i);
}

/* With its NUL and padded with more of them to 8 bytes, as the kernel does. */
static inline void put_string(struct bytes *b, const char *s)
{
	size_t len = strlen(s) + 1;

	put_data(b, s, len);
	for (; len % 8; len++)
		put(b, 0, 1);
}

static inline void put_header(struct bytes *b, uint32_t type, uint16_t misc, bool swapped)
{
	b->len = 0;
	b->swapped = swapped;
	put_u32(b, type);
	put_u16(b, misc);
	put_u16(b, 0);
}

/* Overwrites the size in the header. */
static inline void set_size(struct bytes *b, size_t size)
{
	size_t len = b->len;

	b->len = 6;
	put_u16(b, (uint16_t)size);
	b->len = len;
}

static inline void end_record(struct bytes *b)
{
	set_size(b, b->len);
}

/* A copy of exactly `len` bytes, `offset` past an aligned address, the end of its allocation. */
struct placed {
	uint8_t *mem;
	const uint8_t *at;
	size_t len;
};

static inline struct placed place(const struct bytes *b, size_t len, size_t offset)
{
	struct placed p = { (uint8_t *)malloc(offset + len + !(offset + len)), NULL, len };

	if (!p.mem)
		abort();
	p.at = p.mem + offset;
	memcpy(p.mem + offset, b->at, len);
	return p;
}

/* Reads all of the range; false unless it lies in the record. */
static inline bool walk_bytes(const struct placed *p, const void *at, uint64_t len)
{
	const uint8_t *start = (const uint8_t *)at;
	volatile uint8_t sink = 0;

	if (len == 0)
		return true;
	if (start < p->at || start > p->at + p->len || len > (size_t)(p->at + p->len - start))
		return false;
	for (uint64_t i = 0; i < len; i++)
		sink = (uint8_t)(sink ^ start[i]);
	return true;
}

static inline bool walk_words(const struct placed *p, const struct peat_words *w)
{
	volatile uint64_t sink = 0;

	if (w->count > BYTES_MAX * 8 || !walk_bytes(p, w->data, w->count * 8))
		return false;
	for (uint64_t i = 0; i < w->count; i++)
		sink = sink ^ peat_words__at(w, i);
	return true;
}

static inline bool walk_string(const struct placed *p, const char *s)
{
	const uint8_t *start = (const uint8_t *)s;

	if (!s || start < p->at || start >= p->at + p->len)
		return false;
	return memchr(s, '\0', (size_t)(p->at + p->len - start)) != NULL;
}

static inline bool walk_read(const struct placed *p, const struct peat_read *r)
{
	volatile uint64_t sink = 0;

	if (r->count > BYTES_MAX * 8)
		return false;
	for (uint64_t i = 0; i < r->count; i++)
		sink = sink ^ peat_read__at(r, i).value ^ peat_read__at(r, i).lost;
	return walk_words(p, &r->group);
}

static inline bool walk_branches(const struct placed *p, const struct peat_branches *b)
{
	volatile uint64_t sink = 0;

	if (b->entries.count != 3 * b->nr || (b->counters.count && b->counters.count != b->nr))
		return false;
	if (!walk_words(p, &b->entries) || !walk_words(p, &b->counters))
		return false;
	for (uint64_t i = 0; i < b->nr; i++)
		sink = sink ^ peat_branches__at(b, i).from ^ peat_branches__at(b, i).cycles;
	return true;
}

static inline bool walk_sample(const struct placed *p, const struct peat_record *rec)
{
	const struct peat_sample *s = &rec->sample;
	uint64_t has = rec->has;

	return (!(has & PEAT_SAMPLE_READ) || walk_read(p, &s->read)) &&
	       (!(has & PEAT_SAMPLE_CALLCHAIN) || walk_words(p, &s->callchain)) &&
	       walk_bytes(p, s->raw, s->raw_bytes) &&
	       (!(has & PEAT_SAMPLE_BRANCH_STACK) || walk_branches(p, &s->branches)) &&
	       (!(has & PEAT_SAMPLE_REGS_USER) || walk_words(p, &s->regs_user.values)) &&
	       (!(has & PEAT_SAMPLE_REGS_INTR) || walk_words(p, &s->regs_intr.values)) &&
	       (!(has & PEAT_SAMPLE_STACK_USER) ||
		(walk_bytes(p, s->stack_user, s->stack_user_bytes) &&
		 s->stack_user_dyn_bytes <= s->stack_user_bytes)) &&
	       (!(has & PEAT_SAMPLE_AUX) || walk_bytes(p, s->aux, s->aux_bytes));
}

/* Reads everything that a decoded record points to; false when some of it lies outside. */
static inline bool walk_record(const struct placed *p, const struct peat_record *rec)
{
	switch (rec->type) {
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		return walk_string(p, rec->mmap.filename) &&
		       walk_bytes(p, rec->mmap.build_id, rec->mmap.build_id_bytes);
	case PEAT_RECORD_COMM:
		return walk_string(p, rec->comm.comm);
	case PEAT_RECORD_READ:
		return walk_read(p, &rec->read.values);
	case PEAT_RECORD_SAMPLE:
		return walk_sample(p, rec);
	case PEAT_RECORD_NAMESPACES:
		return rec->namespaces.links.count == 2 * rec->namespaces.nr &&
		       walk_words(p, &rec->namespaces.links);
	case PEAT_RECORD_KSYMBOL:
		return walk_string(p, rec->ksymbol.name);
	case PEAT_RECORD_BPF_EVENT:
		return walk_bytes(p, rec->bpf.tag, 8);
	case PEAT_RECORD_CGROUP:
		return walk_string(p, rec->cgroup.path);
	case PEAT_RECORD_TEXT_POKE:
		return walk_bytes(p, rec->text_poke.old_text, rec->text_poke.old_bytes) &&
		       walk_bytes(p, rec->text_poke.new_text, rec->text_poke.new_bytes);
	case PEAT_RECORD_CALLCHAIN_DEFERRED:
		return walk_words(p, &rec->callchain_deferred.callchain);
	default:
		return true;
	}
}

#endif /* TESTS_UNIT_RECORD_RECORD_BYTES_H */
