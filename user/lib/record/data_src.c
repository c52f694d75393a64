// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/data_src.c: the bit-fields of union perf_mem_data_src. */
#include <string.h>

#include "record/data_src.h"

/* The first bit of each bit-field. */
#define OP(value)      bits(value, 0, 5)
#define LVL(value)     bits(value, 5, 14)
#define SNOOP(value)   bits(value, 19, 5)
#define LOCK(value)    bits(value, 24, 2)
#define DTLB(value)    bits(value, 26, 7)
#define LVL_NUM(value) bits(value, 33, 4)
#define REMOTE(value)  bits(value, 37, 1)
#define SNOOPX(value)  bits(value, 38, 2)
#define BLK(value)     bits(value, 40, 3)
#define HOPS(value)    bits(value, 43, 3)

/* The bits of LVL and DTLB. */
#define NOT_AVAILABLE 1
#define HIT	      2
#define MISS	      4

#define LOCKED	   2
#define LVL_NUM_NA 15

static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

static const char *const levels[] = {
	"N/A",
	"HIT",
	"MISS",
	"L1",
	"LFB/MAB",
	"L2",
	"L3",
	"Local RAM",
	"Remote RAM (1 hop)",
	"Remote RAM (2 hops)",
	"Remote Cache (1 hop)",
	"Remote Cache (2 hops)",
	"I/O",
	"Uncached",
};

/* The newer encoding: a number, not bits. */
static const char *const level_numbers[LVL_NUM_NA] = {
	NULL,	"L1",	    "L2",  "L3",  "L4",	       "L2 MHB",  "Memory-side Cache",
	"L0",	"Uncached", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM",
	"PMEM",
};

/* "Remote" precedes the name. */
static const char *const hops[] = {
	NULL,	  "core, same node", "node, same socket", "socket, same board", "board", "hops 5",
	"hops 6", "hops 7",
};

static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer" };

static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };

static const char *const blocks[] = { "N/A", "Data", "Addr" };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static uint64_t bits(uint64_t value, unsigned int first, unsigned int width)
{
	return value >> first & ((UINT64_C(1) << width) - 1);
}

/* Large enough for all names at once. */
struct words {
	char text[256];
	size_t count;
};

static void add_word(struct words *words, const char *text)
{
	size_t bytes = strlen(text);

	if (bytes >= sizeof(words->text) - words->count)
		return;
	memcpy(words->text + words->count, text, bytes + 1);
	words->count += bytes;
}

/* The names of the bits that are set, or N/A. */
static void add_bits(struct words *words, uint64_t set, const char *const *names, size_t count,
		     const char *between)
{
	for (size_t i = 0; i < count; i++) {
		if (!(set >> i & 1))
			continue;
		if (words->count)
			add_word(words, between);
		add_word(words, names[i]);
	}
	if (!words->count)
		add_word(words, "N/A");
}

static void add_outcome(struct words *words, uint64_t set)
{
	if (set & HIT)
		add_word(words, " hit");
	if (set & MISS)
		add_word(words, " miss");
}

static void add_level(struct words *words, uint64_t value)
{
	uint64_t set = LVL(value), number = LVL_NUM(value);

	if (number && number != LVL_NUM_NA) {
		if (REMOTE(value))
			add_word(words, "Remote ");
		if (HOPS(value)) {
			add_word(words, hops[HOPS(value)]);
			add_word(words, " ");
		}
		add_word(words, level_numbers[number]);
		add_outcome(words, set);
		return;
	}
	add_bits(words, set & ~(uint64_t)(NOT_AVAILABLE | HIT | MISS), levels, COUNT(levels),
		 " or ");
	if (set & ~(uint64_t)(NOT_AVAILABLE | HIT | MISS))
		add_outcome(words, set);
}

static void tell_bits(struct emit *emit, const char *name, uint64_t set, const char *const *names,
		      size_t count, const char *between)
{
	struct words words = { .count = 0 };

	add_bits(&words, set, names, count, between);
	emit__text(emit, name, words.text);
}

static const char *lock_of(uint64_t value)
{
	if (LOCK(value) & NOT_AVAILABLE)
		return "N/A";
	return LOCK(value) & LOCKED ? "Yes" : "No";
}

void data_src__emit(struct emit *emit, const char *name, uint64_t value)
{
	struct words level = { .count = 0 }, tlb = { .count = 0 };

	emit__begin(emit, name, false);
	emit__hex(emit, "value", value);
	if (OP(value))
		tell_bits(emit, "op", OP(value), ops, COUNT(ops), " or ");
	else
		emit__text(emit, "op", "No");
	add_level(&level, value);
	emit__text(emit, "lvl", level.text);
	tell_bits(emit, "snoop", SNOOP(value) | SNOOPX(value) << 5, snoops, COUNT(snoops), " or ");
	add_bits(&tlb, DTLB(value) & ~(uint64_t)(HIT | MISS), tlbs, COUNT(tlbs), " or ");
	add_outcome(&tlb, DTLB(value));
	emit__text(emit, "tlb", tlb.text);
	emit__text(emit, "lock", lock_of(value));
	tell_bits(emit, "blk", BLK(value), blocks, COUNT(blocks), " ");
	emit__end(emit, false);
}
