// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* encode.c: the kernel's records, put together. */
#include <errno.h>
#include <string.h>

#include "encode.h"
#include "store.h"

#define HEADER_BYTES	8
#define WORD		8
#define BUILD_ID_BYTES	20
#define HEAD_BYTES_MOST (HEADER_BYTES + 9 * WORD) /* of a sample, in front of RAW */

size_t encode__begin(struct out *out, uint32_t type, uint16_t misc)
{
	size_t start = out->count;

	store_u32(out, type);
	store_u16(out, misc);
	store_u16(out, 0);
	return start;
}

int encode__end(struct out *out, size_t start)
{
	size_t size;
	uint16_t stated;

	store_padding(out, start, WORD);
	size = out->count - start;
	stated = (uint16_t)size;
	if (!out->failed && size <= ENCODE_RECORD_MOST) {
		memcpy(out->bytes + start + 6, &stated, sizeof(stated));
		return 0;
	}
	out__cut(out, start);
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

/* In the order of sample.c. */
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
 * The size is the exact one, and what fills up the record is zero: the kernel's would be stale. The
 * last word is zeroed as a whole, before the payload gets there.
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

/* Counted exactly for large ones alone. */
static inline bool fits(uint64_t has, uint32_t raw_bytes)
{
	size_t words = (size_t)__builtin_popcountll(has & ~PEAT_SAMPLE_RAW);

	return HEADER_BYTES + words * WORD + sizeof(raw_bytes) + raw_bytes <= ENCODE_RECORD_MOST;
}

/* All at once, as there are more samples than anything else. */
static int encode_sample(struct out *out, uint64_t has, const struct peat_record *rec)
{
	uint32_t raw_bytes = has & PEAT_SAMPLE_RAW ? rec->sample.raw_bytes : 0;
	uint16_t size;
	char *start, *at;

	if (has & ~(uint64_t)ENCODE_SAMPLE)
		return -ENOTSUP;
	if (raw_bytes > ENCODE_RECORD_MOST - HEAD_BYTES_MOST - WORD && !fits(has, raw_bytes))
		return -E2BIG;
	start = out__room(out, HEAD_BYTES_MOST + sizeof(raw_bytes) + raw_bytes + WORD);
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

/* ---- what is no sample ----------------------------------------------------------------------- */

/* With its NUL, and more of them. */
static void store_string(struct out *out, const char *text)
{
	size_t start = out->count;

	out__bytes(out, text, strlen(text) + 1);
	store_padding(out, start, WORD);
}

static void store_comm(struct out *out, const struct peat_record *rec)
{
	store_u32(out, rec->comm.pid);
	store_u32(out, rec->comm.tid);
	store_string(out, rec->comm.comm);
}

static void store_task(struct out *out, const struct peat_record *rec)
{
	store_u32(out, rec->task.pid);
	store_u32(out, rec->task.ppid);
	store_u32(out, rec->task.tid);
	store_u32(out, rec->task.ptid);
	store_u64(out, rec->task.time_ns);
}

/* Whose file it is: 24 bytes either way. */
static void store_identity(struct out *out, const struct peat_record *rec)
{
	const struct peat_mmap *m = &rec->mmap;
	uint8_t bytes = m->build_id_bytes < BUILD_ID_BYTES ? m->build_id_bytes : BUILD_ID_BYTES;

	if (!(rec->misc & PEAT_MISC_MMAP_BUILD_ID)) {
		store_u32(out, m->maj);
		store_u32(out, m->min);
		store_u64(out, m->ino);
		store_u64(out, m->ino_generation);
		return;
	}
	store_u32(out, 0);
	if (!out->failed)
		memcpy(out->bytes + out->count - 4, &bytes, 1);
	out__bytes(out, m->build_id, bytes);
	out__fill(out, 0, BUILD_ID_BYTES - bytes);
}

static void store_mmap(struct out *out, const struct peat_record *rec)
{
	const struct peat_mmap *m = &rec->mmap;

	store_u32(out, m->pid);
	store_u32(out, m->tid);
	store_u64(out, m->addr);
	store_u64(out, m->len);
	store_u64(out, m->pgoff);
	if (rec->type == PEAT_RECORD_MMAP2) {
		store_identity(out, rec);
		store_u32(out, m->prot);
		store_u32(out, m->flags);
	}
	store_string(out, m->filename);
}

static void store_trailer(struct out *out, const struct peat_layout *layout,
			  const struct peat_record *rec)
{
	uint64_t has = layout->sample_id_all ? layout->sample_type : 0;

	if (has & PEAT_SAMPLE_TID) {
		store_u32(out, rec->pid);
		store_u32(out, rec->tid);
	}
	if (has & PEAT_SAMPLE_TIME)
		store_u64(out, rec->time_ns);
	if (has & PEAT_SAMPLE_ID)
		store_u64(out, rec->id);
	if (has & PEAT_SAMPLE_STREAM_ID)
		store_u64(out, rec->stream_id);
	if (has & PEAT_SAMPLE_CPU) {
		store_u32(out, rec->cpu);
		store_u32(out, 0);
	}
	if (has & PEAT_SAMPLE_IDENTIFIER)
		store_u64(out, rec->id);
}

static bool store_body(struct out *out, const struct peat_record *rec)
{
	switch (rec->type) {
	case PEAT_RECORD_COMM:
		store_comm(out, rec);
		return true;
	case PEAT_RECORD_FORK:
	case PEAT_RECORD_EXIT:
		store_task(out, rec);
		return true;
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		store_mmap(out, rec);
		return true;
	case PEAT_RECORD_LOST:
		store_u64(out, rec->lost.id);
		store_u64(out, rec->lost.lost);
		return true;
	case PEAT_RECORD_LOST_SAMPLES:
		store_u64(out, rec->lost_samples.lost);
		return true;
	default:
		return false;
	}
}

int encode__record(struct out *out, const struct peat_layout *layout, const struct peat_record *rec)
{
	size_t start;

	if (rec->type == PEAT_RECORD_SAMPLE)
		return encode_sample(out, layout->sample_type, rec);
	start = encode__begin(out, rec->type, rec->misc);
	if (!store_body(out, rec)) {
		out__cut(out, start);
		return -ENOTSUP;
	}
	store_trailer(out, layout, rec);
	return encode__end(out, start);
}
