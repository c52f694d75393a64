// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_core_relos.c: relocations for the kernel's types, and invalid sections. */
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "object/core_relos.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

enum { HEAD_WORDS = 8, RELOS_AT = 6, RELOS_BYTES = 7 };

/* A section of 32-bit words in this machine's byte order. */
struct section {
	uint32_t words[64];
	size_t count;
};

static void add(struct section *section, uint32_t word)
{
	section->words[section->count++] = word;
}

/* The head, and the size of a relocation. */
static struct section begin(uint32_t relo_bytes)
{
	struct section section = { { 0xeb9f | 1 << 16, HEAD_WORDS * 4 }, HEAD_WORDS };

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	section.words[0] = 0xeb9f0100;
#endif
	add(&section, relo_bytes);
	return section;
}

static void add_code(struct section *section, uint32_t count)
{
	add(section, 1); /* its name */
	add(section, count);
}

static void add_relo(struct section *section, uint32_t kind, uint32_t relo_bytes)
{
	add(section, 8);  /* the instruction */
	add(section, 17); /* the type */
	add(section, 3);  /* the member */
	add(section, kind);
	for (uint32_t bytes = 16; bytes < relo_bytes; bytes += 4)
		add(section, 0);
}

/* Copies the section to memory of its size, so that sanitizers detect reads beyond it. */
static bool wants_kernel(const struct section *section, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);
	bool wants;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, section->words, bytes);
	wants = core_relos__need_kernel(copy, bytes);
	free(copy);
	return wants;
}

static bool ask(struct section *section)
{
	section->words[RELOS_BYTES] = (uint32_t)(section->count - HEAD_WORDS) * 4;
	return wants_kernel(section, section->count * 4);
}

/* Two sections of code, three relocations: all but one for own ids. */
static struct section with(uint32_t kind, uint32_t at, uint32_t relo_bytes)
{
	struct section section = begin(relo_bytes);

	for (uint32_t i = 0; i < 3; i++) {
		if (i != 1)
			add_code(&section, i ? 1 : 2);
		add_relo(&section, i == at ? kind : BPF_CORE_TYPE_ID_LOCAL, relo_bytes);
	}
	return section;
}

START_TEST(test_own_ids_need_no_kernel)
{
	struct section section = with(BPF_CORE_TYPE_ID_LOCAL, 0, 16);

	ck_assert(!ask(&section));
	section = with(BPF_CORE_TYPE_ID_LOCAL, 0, 24); /* larger relocations of the future */
	ck_assert(!ask(&section));
	section = begin(16);
	ck_assert(!ask(&section));
	section.count = HEAD_WORDS;
	ck_assert(!ask(&section));
}
END_TEST

START_TEST(test_other_kinds_need_kernel)
{
	for (uint32_t kind = BPF_CORE_FIELD_BYTE_OFFSET; kind < 16; kind++)
		for (uint32_t at = 0; at < 3; at++) {
			struct section section = with(kind, at, 16);

			ck_assert_msg(ask(&section) == (kind != BPF_CORE_TYPE_ID_LOCAL),
				      "kind %u at %u", kind, at);
		}
}
END_TEST

START_TEST(test_damaged_sections_need_kernel)
{
	struct section sound = with(BPF_CORE_TYPE_ID_LOCAL, 0, 16), section;

	ck_assert(!ask(&sound));
	for (size_t bytes = 0; bytes < sound.count * 4; bytes++)
		ck_assert_msg(wants_kernel(&sound, bytes), "%zu bytes", bytes);
	for (size_t word = 0; word < HEAD_WORDS + 1; word++) {
		section = sound;
		section.words[word] = UINT32_MAX;
		if (word < 2 || word >= RELOS_AT)
			ck_assert_msg(wants_kernel(&section, section.count * 4), "word %zu", word);
	}
	section = begin(16);
	add_code(&section, UINT32_MAX);
	add_relo(&section, BPF_CORE_TYPE_ID_LOCAL, 16);
	ck_assert(ask(&section));
	section = begin(12);
	add_code(&section, 1);
	ck_assert(ask(&section));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_own_ids_need_no_kernel);
	tcase_add_test(tests, test_other_kinds_need_kernel);
	tcase_add_test(tests, test_damaged_sections_need_kernel);
}
