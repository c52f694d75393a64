// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/encode.c: encodes the kernel's records. */
#include <errno.h>
#include <string.h>

#include "base/store.h"
#include "record/encode.h"

#define HEADER_BYTES	8
#define WORD		8
#define BUILD_ID_BYTES	20
#define HEAD_BYTES_MOST (HEADER_BYTES + 9 * WORD) /* of a sample, before RAW */

size_t encode__begin(struct strbuf *out, uint32_t type, uint16_t misc)
{
	size_t start = out->count;

	store_u32(out, type);
	store_u16(out, misc);
	store_u16(out, 0);
	return start;
}

int encode__end(struct strbuf *out, size_t start)
{
	size_t size;
	uint16_t stated;

	store_padding(out, start, WORD);
	size = out->count - start;
	stated = out->swapped ? __builtin_bswap16((uint16_t)size) : (uint16_t)size;
	if (!out->failed && size <= ENCODE_RECORD_MOST) {
		memcpy(out->bytes + start + 6, &stated, sizeof(stated));
		return 0;
	}
	strbuf__cut(out, start);
	return out->failed ? -ENOMEM : -E2BIG;
}

/* ---- samples --------------------------------------------------------------------------------- */

static inline char *put_u32(char *at, uint32_t v)
{
	memcpy(at, &v, sizeof(v));
	return at + sizeof(v);
}

static inline char *put_u64(char *at, uint64_t v)
{
	memcpy(at, &v, sizeof(v));
	return at + sizeof(v);
}

/* In the order of record/decode_sample.c. */
static inline char *put_head(char *at, uint64_t has, const struct peat_record *rec)
{
	if (has & PEAT_SAMPLE_IDENTIFIER)
		at = put_u64(at, rec->id);
	if (has & PEAT_SAMPLE_IP)
		at = put_u64(at, rec->sample.ip);
	if (has & PEAT_SAMPLE_TID)
		at = put_u32(put_u32(at, rec->pid), rec->tid);
	if (has & PEAT_SAMPLE_TIME)
		at = put_u64(at, rec->time_ns);
	if (has & PEAT_SAMPLE_ADDR)
		at = put_u64(at, rec->sample.addr);
	if (has & PEAT_SAMPLE_ID)
		at = put_u64(at, rec->id);
	if (has & PEAT_SAMPLE_STREAM_ID)
		at = put_u64(at, rec->stream_id);
	if (has & PEAT_SAMPLE_CPU)
		at = put_u32(put_u32(at, rec->cpu), 0);
	if (has & PEAT_SAMPLE_PERIOD)
		at = put_u64(at, rec->sample.period);
	return at;
}

/*
 * raw_size is exact, and the padding is zero; in the kernel's records it is stale bytes.  The last
 * word is zeroed as a whole before the payload is copied.
 */
static inline char *put_raw(char *at, const struct peat_sample *sample)
{
	size_t bytes = sizeof(uint32_t) + (size_t)sample->raw_bytes;
	char *end = at + ((bytes + WORD - 1) & ~(size_t)(WORD - 1));

	put_u64(end - WORD, 0);
	at = put_u32(at, sample->raw_bytes);
	if (sample->raw_bytes)
		memcpy(at, sample->raw, sample->raw_bytes);
	return end;
}

/* Counts exactly only if the payload is large. */
static inline bool fits(uint64_t has, uint32_t raw_bytes)
{
	size_t words = (size_t)__builtin_popcountll(has & ~PEAT_SAMPLE_RAW);

	return HEADER_BYTES + words * WORD + sizeof(raw_bytes) + raw_bytes <= ENCODE_RECORD_MOST;
}

uint32_t encode__raw_most(const struct peat_layout *layout)
{
	uint32_t most = ENCODE_RECORD_MOST - HEADER_BYTES - (uint32_t)sizeof(uint32_t);

	return most - WORD * (uint32_t)__builtin_popcountll(layout->sample_type & ~PEAT_SAMPLE_RAW);
}

/* One append for all fields: most records are samples. */
static int encode_sample(struct strbuf *out, uint64_t has, const struct peat_record *rec)
{
	uint32_t raw_bytes = has & PEAT_SAMPLE_RAW ? rec->sample.raw_bytes : 0;
	uint16_t size;
	char *start, *at;

	if (has & ~(uint64_t)ENCODE_SAMPLE)
		return -ENOTSUP;
	if (raw_bytes > ENCODE_RECORD_MOST - HEAD_BYTES_MOST - WORD && !fits(has, raw_bytes))
		return -E2BIG;
	start = strbuf__room(out, HEAD_BYTES_MOST + sizeof(raw_bytes) + raw_bytes + WORD);
	if (!start)
		return -ENOMEM;
	at = put_head(start + HEADER_BYTES, has, rec);
	if (has & PEAT_SAMPLE_RAW)
		at = put_raw(at, &rec->sample);
	size = (uint16_t)(at - start);
	at = put_u32(start, PEAT_RECORD_SAMPLE);
	memcpy(at, &rec->misc, sizeof(rec->misc));
	memcpy(at + 2, &size, sizeof(size));
	out->count += size;
	return 0;
}

/* ---- other records --------------------------------------------------------------------------- */

static void store_file_id(struct strbuf *out, const struct peat_record *rec)
{
	const struct peat_mmap *m = &rec->mmap;
	uint8_t bytes = m->build_id_bytes;

	if (!(rec->misc & PEAT_MISC_MMAP_BUILD_ID)) {
		store_u32(out, m->maj);
		store_u32(out, m->min);
		store_u64(out, m->ino);
		store_u64(out, m->ino_generation);
		return;
	}
	if (bytes > BUILD_ID_BYTES)
		bytes = BUILD_ID_BYTES;
	strbuf__bytes(out, &bytes, 1);
	strbuf__fill(out, 0, 3);
	strbuf__bytes(out, m->build_id, bytes);
	strbuf__fill(out, 0, BUILD_ID_BYTES - bytes);
}

/* Too many links are rejected without reading them: the array may be shorter. */
static void store_links(struct strbuf *out, const struct peat_namespaces *n)
{
	uint64_t words = n->nr < ENCODE_RECORD_MOST / WORD ? 2 * n->nr : ENCODE_RECORD_MOST / WORD;

	for (uint64_t i = 0; i < words; i++)
		store_u64(out, i < n->links.count ? peat_words__at(&n->links, i) : 0);
}

static void store_string(struct strbuf *out, const char *text)
{
	strbuf__bytes(out, text, strlen(text) + 1);
}

/* Without bytes, there is no pointer to them. */
static void store_bytes(struct strbuf *out, const uint8_t *bytes, size_t count)
{
	if (count)
		strbuf__bytes(out, bytes, count);
}

#define NOTHING		   (void)0
#define CLEAR(from)	   NOTHING
#define FLAG(from, bit)	   NOTHING /* in misc */
#define U16(from)	   store_u16(out, rec->from)
#define U32(from)	   store_u32(out, rec->from)
#define U64(from)	   store_u64(out, rec->from)
#define STRING(from)	   store_string(out, rec->from)
#define BYTES(from, count) store_bytes(out, rec->from, count)
#define LINKS		   store_links(out, &rec->namespaces)
#define FILE_ID		   store_file_id(out, rec)
#define PROT_FLAGS	   store_u32(out, rec->mmap.prot), store_u32(out, rec->mmap.flags)
#define READ(from)	   NOTHING /* not encoded */
#define CHAIN(from)	   NOTHING /* not encoded */
#define TYPE(type, least, fields)                                                                  \
	case PEAT_RECORD_##type:                                                                   \
		fields;                                                                            \
		break;

static void store_body(struct strbuf *out, const struct peat_record *rec)
{
	size_t start = out->count;

	switch (rec->type) {
#include "record/record_types.h"
	}
	store_padding(out, start, WORD);
}

/* The ids of a sample, in the same order, but IDENTIFIER last. */
static void store_trailer(struct strbuf *out, const struct peat_layout *layout,
			  const struct peat_record *rec)
{
	uint64_t has = layout->sample_id_all ? layout->sample_type & PEAT_SAMPLE_IDS : 0;
	char *at = strbuf__room(out, HEAD_BYTES_MOST);

	if (!at)
		return;
	at = put_head(at, has & ~PEAT_SAMPLE_IDENTIFIER, rec);
	if (has & PEAT_SAMPLE_IDENTIFIER)
		at = put_u64(at, rec->id);
	out->count = (size_t)(at - out->bytes);
}

static bool is_encoded(uint32_t type)
{
	return peat_record__name(type) && type != PEAT_RECORD_READ &&
	       type != PEAT_RECORD_CALLCHAIN_DEFERRED;
}

int encode__record(struct strbuf *out, const struct peat_layout *layout,
		   const struct peat_record *rec)
{
	size_t start;

	if (rec->type == PEAT_RECORD_SAMPLE)
		return encode_sample(out, layout->sample_type, rec);
	if (!is_encoded(rec->type))
		return -ENOTSUP;
	start = encode__begin(out, rec->type, rec->misc);
	store_body(out, rec);
	store_trailer(out, layout, rec);
	return encode__end(out, start);
}
