/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * select.bpf.h: tests and counts events inside the program, as terms.h describes.  A part of
 * peat.bpf.h, which includes it.
 *
 * All functions are inlined: a call costs 6 to 8 ns where returns are protected against
 * speculation.  They have no debug information (PEAT_QUIET), which would be most of an object's
 * size.
 */
#ifndef PEAT_SELECT_BPF_H
#define PEAT_SELECT_BPF_H

#include <bpf/bpf_helpers.h>
#include <peat/terms.h>
#include <peat/wire.h>

/* ---- set by the loader ----------------------------------------------------------------------- */

const volatile __u64 peat_decides __weak = 0; /* PEAT_SELECT_*; 0: all of this is dead code */
/*
 * struct peat_term_type[PEAT_TERM_TYPES], struct peat_term[PEAT_TERMS], struct peat_count_by: as
 * words, since skeletons of bpftool do not define the structs of variables.
 */
#define PEAT_WORDS_OF(bytes) ((bytes) / sizeof(__u64))
const volatile __u64
	peat_term_types[PEAT_WORDS_OF(sizeof(struct peat_term_type) * PEAT_TERM_TYPES)] __weak = {};
const volatile __u64 peat_terms[PEAT_WORDS_OF(sizeof(struct peat_term) * PEAT_TERMS)] __weak = {};
const volatile __u64 peat_count_by[PEAT_WORDS_OF(sizeof(struct peat_count_by))] __weak = {};

/* One element per CPU.  Created only if it is used. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, PEAT_TABLE_HEAD_BYTES);
} peat_tables SEC(".maps") __weak;

_Static_assert(sizeof(struct peat_table_head) == PEAT_TABLE_HEAD_BYTES, "user space knows it so");

/* ---- numbers --------------------------------------------------------------------------------- */

#define PEAT_QUIET static __always_inline __attribute__((nodebug))

/* Keeps clang 14 from computing both sides of a branch on a constant of the loader. */
#define PEAT_APART asm volatile("")

PEAT_QUIET __u64 peat_load_width(const void *at, __u64 width)
{
	if (width == 8)
		return *(const __u64 *)at;
	if (width == 4)
		return *(const __u32 *)at;
	if (width == 2)
		return *(const __u16 *)at;
	return *(const __u8 *)at;
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Returns the number of the next term, or PEAT_TERM_PASS or _FAIL. */
PEAT_QUIET __u64 peat_test_term(const void *event, const void *comm,
				const volatile struct peat_term *term)
{
	const void *from = event - PEAT_TERM_ORIGIN;
	__u64 number;

	if (term->of_comm) {
		PEAT_APART;
		from = comm;
	}
	number = peat_load_width(from + term->offset, term->width);
	if (term->swap) {
		PEAT_APART;
		number = __builtin_bswap64(number) >> (term->swap - 1);
	}
	number = (number ^ term->flip) & term->mask;
	if (term->test == PEAT_TEST_EQUAL) {
		PEAT_APART;
		if (number == term->value)
			goto yes;
	} else {
		PEAT_APART;
		if (number < term->value)
			goto yes;
	}
	PEAT_APART;
	return term->no;
yes:
	PEAT_APART;
	return term->yes;
}

/* Ends the last text of a shorter event. */
PEAT_QUIET void peat_end_text(const void *event, __u64 bytes, __u64 read_bytes)
{
	barrier_var(bytes); /* the number that is compared is the one that is added */
	if (bytes < read_bytes)
		*((char *)event + bytes) = '\0';
}

PEAT_QUIET __u64 peat_first_term(const void *event, __u64 type, __u64 bytes)
{
	const volatile struct peat_term_type *types = (const volatile void *)peat_term_types;

	barrier_var(types); /* one base address, instead of one for each load */
#pragma clang loop unroll(full)
	for (int i = 0; i < PEAT_TERM_TYPES; i++) {
		if (types[i].type != type)
			continue;
		if (bytes < types[i].bytes)
			return PEAT_TERM_OPEN;
		peat_end_text(event, bytes, types[i].read_bytes);
		return types[i].first;
	}
	return PEAT_TERM_PASS;
}

/* The terms from PEAT_TERMS_INLINE on: in a function, which keeps objects small. */
static __noinline __u64 peat_more_terms_(const void *event, const void *comm, __u64 next)
{
	const volatile struct peat_term *terms = (const volatile void *)peat_terms;

	barrier_var(terms);
#pragma clang loop unroll(full)
	for (__u64 i = PEAT_TERMS_INLINE; i < PEAT_TERMS; i++)
		if (next == i)
			next = peat_test_term(event, comm, &terms[i]);
	return next;
}

/* Returns PEAT_TERM_PASS, _FAIL or _OPEN. */
PEAT_QUIET __u64 peat_test_event(const void *event, __u64 bytes, __u64 type, const void *comm)
{
	const volatile struct peat_term *terms = (const volatile void *)peat_terms;
	__u64 next = peat_first_term(event, type, bytes);

	barrier_var(terms);
#pragma clang loop unroll(full)
	for (__u64 i = 0; i < PEAT_TERMS_INLINE; i++)
		if (next == i)
			next = peat_test_term(event, comm, &terms[i]);
	if (next < PEAT_TERMS)
		next = peat_more_terms_(event, comm, next);
	return next;
}

/* ---- the key of a table ---------------------------------------------------------------------- */

/* Bytes of a word as a text in order, the first one lowest. */
PEAT_QUIET __u64 peat_text_order(__u64 word, __u64 width)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(word << (64 - 8 * width));
#else
	return word;
#endif
}

PEAT_QUIET __u64 peat_word_order(__u64 text, __u64 width)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(text) >> (64 - 8 * width);
#else
	return text;
#endif
}

/* The mask of the bytes in front of the first NUL; ~0: there is none in the word. */
PEAT_QUIET __u64 peat_before_nul(__u64 text, __u64 mask)
{
	__u64 nul;

	text |= ~mask;
	nul = (text - 0x0101010101010101) & ~text & 0x8080808080808080;
	return ((nul & -nul) >> 7) - 1;
}

/* Bytes behind the NUL are left over from earlier events.  `more`: ~0 until the NUL, then 0. */
PEAT_QUIET __u64 peat_text_word(__u64 word, const volatile struct peat_key_word *from, __u64 *more)
{
	__u64 mask = from->mask, before, text = peat_text_order(word, from->width);

	if (from->kind == PEAT_KEY_TEXT)
		*more = ~0ULL;
	before = peat_before_nul(text, mask);
	text &= before & *more;
	if (before != ~0ULL)
		*more = 0;
	return peat_word_order(text, from->width);
}

PEAT_QUIET __u64 peat_key_of(const void *event, const void *comm, __u32 cpu,
			     const volatile struct peat_key_word *from, __u64 *more)
{
	__u64 kind = from->kind, word;

	if (kind == PEAT_KEY_CPU)
		return cpu;
	if (kind == PEAT_KEY_COMM) {
		PEAT_APART;
		return *(const __u64 *)(comm + from->offset);
	}
	word = peat_load_width(event - PEAT_TERM_ORIGIN + from->offset, from->width);
	if (kind != PEAT_KEY_NUMBER) {
		PEAT_APART;
		word = peat_text_word(word, from, more);
	}
	return word;
}

#define PEAT_HASH_MULTIPLIER 0x9e3779b97f4a7c15ULL

/* Stores the key in the table, and returns its hash. */
PEAT_QUIET __u64 peat_make_key(struct peat_table_head *table, const void *event, const void *comm,
			       __u32 cpu, const volatile struct peat_count_by *by)
{
	__u64 hash = 0, more = ~0ULL, word;

	if (by->words == 1) { /* most keys: without a loop */
		PEAT_APART;
		word = peat_key_of(event, comm, cpu, &by->key[0], &more);
		table->key[0] = word;
		hash = word * PEAT_HASH_MULTIPLIER;
		hash ^= hash >> 32;
		return hash * PEAT_HASH_MULTIPLIER;
	}
#pragma clang loop unroll(disable)
	for (__u64 i = 0; i < PEAT_KEY_WORDS && i < by->words; i++) {
		word = peat_key_of(event, comm, cpu, &by->key[i], &more);
		table->key[i] = word;
		hash = (hash ^ word) * PEAT_HASH_MULTIPLIER;
		hash ^= hash >> 32;
	}
	return hash * PEAT_HASH_MULTIPLIER;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Size of a cell without its key. */
PEAT_QUIET __u64 peat_cell_bytes(__u64 mode)
{
	if (mode == PEAT_MODE_COUNT)
		return sizeof(__u64);
	if (mode == PEAT_MODE_NUMBERS)
		return 4 * sizeof(__u64);
	return sizeof(struct peat_cell);
}

/* Takes the cell for the key, if it is free or has this key. */
PEAT_QUIET bool peat_take_cell(struct peat_cell *cell, const struct peat_table_head *table,
			       const volatile struct peat_count_by *by)
{
	__u64 *key = (void *)cell + peat_cell_bytes(by->mode);

	bool is_free = !cell->count;

	if (by->words == 1) {
		PEAT_APART;
		if (is_free)
			key[0] = table->key[0];
		return key[0] == table->key[0];
	}
#pragma clang loop unroll(disable)
	for (__u64 i = 0; i < PEAT_KEY_WORDS && i < by->words; i++) {
		if (is_free)
			key[i] = table->key[i];
		else if (key[i] != table->key[i])
			return false;
	}
	return true;
}

PEAT_QUIET __u64 peat_log2(__u64 number)
{
	__u64 bits = 0;

#define PEAT_HALVE(n)                                                                              \
	if (number >> (n)) {                                                                       \
		bits += (n);                                                                       \
		number >>= (n);                                                                    \
	}
	PEAT_HALVE(32)
	PEAT_HALVE(16)
	PEAT_HALVE(8)
	PEAT_HALVE(4)
	PEAT_HALVE(2)
	PEAT_HALVE(1)
#undef PEAT_HALVE
	return bits;
}

PEAT_QUIET __u64 peat_bucket_of(__u64 number, const volatile struct peat_count_by *by)
{
	__u64 bucket;

	if (by->mode == PEAT_MODE_LOG2)
		return peat_log2(number);
	if (number < by->first)
		return 0;
	bucket = (number - by->first) / by->width;
	return bucket < by->buckets ? bucket : by->buckets - 1;
}

PEAT_QUIET void peat_add_number(struct peat_cell *cell, __u64 number,
				const volatile struct peat_count_by *by)
{
	__u64 flipped = number ^ by->flip, bucket;

	cell->sum += number;
	if (flipped > cell->max)
		cell->max = flipped;
	if (~flipped > cell->inverted_min)
		cell->inverted_min = ~flipped;
	if (by->mode == PEAT_MODE_NUMBERS)
		return;
	bucket = peat_bucket_of(number, by);
	barrier_var(bucket);
	if (bucket < PEAT_CELL_BUCKETS)
		cell->buckets[bucket]++;
}

PEAT_QUIET __u64 peat_counted_type(void)
{
	const volatile struct peat_count_by *by = (const volatile void *)peat_count_by;

	return by->type;
}

/*
 * Counts the event.  False: it has no place in the table, or its number no bucket, and has to be
 * transported.  The caller has locked `s`, the CPU's first slot.
 */
PEAT_QUIET bool peat_count_event(struct peat_slot *s, const void *event, __u64 bytes,
				 const void *comm)
{
	const volatile struct peat_count_by *by = (const volatile void *)peat_count_by;
	__u32 cpu = bpf_get_smp_processor_id();
	struct peat_table_head *table = bpf_map_lookup_elem(&peat_tables, &cpu);
	__u64 hash, half, number = 0;
	struct peat_cell *cell;
	void *cells;

	barrier_var(by);
	if (!table || bytes < by->bytes)
		return false;
	if (by->mode != PEAT_MODE_COUNT) {
		number = peat_load_width(event - PEAT_TERM_ORIGIN + by->number.offset,
					 by->number.width);
		number = (number ^ by->sign) - by->sign;
		if (by->mode != PEAT_MODE_NUMBERS && by->sign && (__s64)number < 0)
			return false;
	}
	hash = peat_make_key(table, event, comm, cpu, by);
	half = table->active & 1;
	cells = (void *)table + PEAT_TABLE_HEAD_BYTES + (half << by->half_shift);
#pragma clang loop unroll(disable)
	for (int place = 0; place < PEAT_PLACES; place++, hash <<= 20) {
		cell = cells + ((hash >> by->hash_shift) << by->cell_shift);
		if (peat_take_cell(cell, table, by))
			goto found;
	}
	return false;
found:
	cell->count++;
	if (by->mode != PEAT_MODE_COUNT)
		peat_add_number(cell, number, by);
	s->ended++; /* before `counted`, which the reader reads first */
	asm volatile("" ::: "memory");
	table->counted++;
	return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Reads the name of the running task.  False: the event is of another task. */
PEAT_QUIET bool peat_read_comm(const void *event, __u64 *comm)
{
	const struct peat_event_ids *ids = event - sizeof(*ids);

	return ids->tid == (__u32)bpf_get_current_pid_tgid() &&
	       !bpf_get_current_comm(comm, 2 * sizeof(*comm));
}

/*
 * Whether the event ends here: it is rejected, or counted.  The caller has locked slot `s`, and
 * releases it.  `type` is a BTF id.
 */
PEAT_QUIET bool peat_ends_here(struct peat_slot *s, const void *event, __u64 bytes, __u64 type,
			       __u64 selects)
{
	__u64 comm[2] = {}, result = PEAT_TERM_PASS;

	if (selects & PEAT_SELECT_COMM && !peat_read_comm(event, comm))
		return false;
	if (selects & PEAT_SELECT_WHERE)
		result = peat_test_event(event, bytes, type, comm);
	if (result == PEAT_TERM_FAIL) {
		s->ended++;
		return true;
	}
	return result == PEAT_TERM_PASS && selects & PEAT_SELECT_COUNT &&
	       peat_counted_type() == type && !((s->lock - 1) & (PEAT_SLOTS - 1)) &&
	       peat_count_event(s, event, bytes, comm);
}

#endif /* PEAT_SELECT_BPF_H */
