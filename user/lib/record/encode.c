// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* encode.c: the kernel's records, put together. */
#include <errno.h>
#include <string.h>

#include "record/encode.h"
#include "base/store.h"

#define HEADER_BYTES	8
#define WORD		8
#define BUILD_ID_BYTES	20
#define BPF_TAG_BYTES	8
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
	stated = out->swapped ? __builtin_bswap16((uint16_t)size) : (uint16_t)size;
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

uint32_t encode__raw_most(const struct peat_layout *layout)
{
	uint32_t most = ENCODE_RECORD_MOST - HEADER_BYTES - (uint32_t)sizeof(uint32_t);

	return most - WORD * (uint32_t)__builtin_popcountll(layout->sample_type & ~PEAT_SAMPLE_RAW);
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

static void store_lost(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->lost.id);
	store_u64(out, rec->lost.lost);
}

static void store_throttle(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->throttle.time_ns);
	store_u64(out, rec->throttle.id);
	store_u64(out, rec->throttle.stream_id);
}

static void store_aux(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->aux.offset);
	store_u64(out, rec->aux.bytes);
	store_u64(out, rec->aux.flags);
}

static void store_itrace_start(struct out *out, const struct peat_record *rec)
{
	store_u32(out, rec->itrace_start.pid);
	store_u32(out, rec->itrace_start.tid);
}

static void store_lost_samples(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->lost_samples.lost);
}

/* All but whose it is are bits of misc. */
static void store_switch(struct out *out, const struct peat_record *rec)
{
	if (rec->type != PEAT_RECORD_SWITCH_CPU_WIDE)
		return;
	store_u32(out, rec->context_switch.next_prev_pid);
	store_u32(out, rec->context_switch.next_prev_tid);
}

/* More of them than a record holds need not all be there for it to be refused. */
static void store_namespaces(struct out *out, const struct peat_record *rec)
{
	const struct peat_namespaces *n = &rec->namespaces;
	uint64_t words = n->nr < ENCODE_RECORD_MOST / WORD ? 2 * n->nr : ENCODE_RECORD_MOST / WORD;

	store_u32(out, n->pid);
	store_u32(out, n->tid);
	store_u64(out, n->nr);
	for (uint64_t i = 0; i < words; i++)
		store_u64(out, i < n->links.count ? peat_words__at(&n->links, i) : 0);
}

static void store_ksymbol(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->ksymbol.addr);
	store_u32(out, rec->ksymbol.len);
	store_u16(out, rec->ksymbol.ksym_type);
	store_u16(out, rec->ksymbol.flags);
	store_string(out, rec->ksymbol.name);
}

static void store_bpf(struct out *out, const struct peat_record *rec)
{
	store_u16(out, rec->bpf.event);
	store_u16(out, rec->bpf.flags);
	store_u32(out, rec->bpf.id);
	out__bytes(out, rec->bpf.tag, BPF_TAG_BYTES);
}

static void store_cgroup(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->cgroup.id);
	store_string(out, rec->cgroup.path);
}

static void store_text_poke(struct out *out, const struct peat_record *rec)
{
	const struct peat_text_poke *poke = &rec->text_poke;
	size_t start = out->count;

	store_u64(out, poke->addr);
	store_u16(out, poke->old_bytes);
	store_u16(out, poke->new_bytes);
	if (poke->old_bytes)
		out__bytes(out, poke->old_text, poke->old_bytes);
	if (poke->new_bytes)
		out__bytes(out, poke->new_text, poke->new_bytes);
	store_padding(out, start, WORD);
}

static void store_hw_id(struct out *out, const struct peat_record *rec)
{
	store_u64(out, rec->hw_id.hw_id);
}

static void (*const bodies[])(struct out *out, const struct peat_record *rec) = {
	[PEAT_RECORD_MMAP] = store_mmap,
	[PEAT_RECORD_LOST] = store_lost,
	[PEAT_RECORD_COMM] = store_comm,
	[PEAT_RECORD_EXIT] = store_task,
	[PEAT_RECORD_THROTTLE] = store_throttle,
	[PEAT_RECORD_UNTHROTTLE] = store_throttle,
	[PEAT_RECORD_FORK] = store_task,
	[PEAT_RECORD_MMAP2] = store_mmap,
	[PEAT_RECORD_AUX] = store_aux,
	[PEAT_RECORD_ITRACE_START] = store_itrace_start,
	[PEAT_RECORD_LOST_SAMPLES] = store_lost_samples,
	[PEAT_RECORD_SWITCH] = store_switch,
	[PEAT_RECORD_SWITCH_CPU_WIDE] = store_switch,
	[PEAT_RECORD_NAMESPACES] = store_namespaces,
	[PEAT_RECORD_KSYMBOL] = store_ksymbol,
	[PEAT_RECORD_BPF_EVENT] = store_bpf,
	[PEAT_RECORD_CGROUP] = store_cgroup,
	[PEAT_RECORD_TEXT_POKE] = store_text_poke,
	[PEAT_RECORD_AUX_OUTPUT_HW_ID] = store_hw_id,
};

int encode__record(struct out *out, const struct peat_layout *layout, const struct peat_record *rec)
{
	size_t start;

	if (rec->type == PEAT_RECORD_SAMPLE)
		return encode_sample(out, layout->sample_type, rec);
	if (rec->type >= sizeof(bodies) / sizeof(*bodies) || !bodies[rec->type])
		return -ENOTSUP;
	start = encode__begin(out, rec->type, rec->misc);
	bodies[rec->type](out, rec);
	store_trailer(out, layout, rec);
	return encode__end(out, start);
}
