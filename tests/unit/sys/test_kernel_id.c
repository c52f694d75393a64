// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_id.c: the build id of the running kernel. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys/kernel_id.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

#define NAMED(name, type, desc) { sizeof(name), desc, type }, name

struct note {
	uint32_t head[3]; /* bytes of the name and of the id, type */
	char name[4];
	uint8_t id[20];
};

/* Parses a copy of so many bytes, so that the sanitizer detects reads beyond it. */
static bool parse(const void *notes, size_t bytes, uint8_t id[KERNEL_ID_BYTES])
{
	void *copy = memcpy(malloc(bytes + !bytes), notes, bytes);
	bool found = kernel_id__parse(copy, bytes, id);

	free(copy);
	return found;
}

START_TEST(test_finds_build_id)
{
	const struct note notes[] = { { NAMED("Xen", 3, 20), "xxx" },
				      { NAMED("GNU", 1, 20), "abi" },
				      { NAMED("GNU", 3, 20), "build id" },
				      { NAMED("GNU", 3, 20), "another" } };
	uint8_t id[KERNEL_ID_BYTES];

	ck_assert(parse(notes, sizeof(notes), id));
	ck_assert(!memcmp(id, notes[2].id, sizeof(id)));
	ck_assert(!parse(notes, 2 * sizeof(*notes), id));
	for (size_t bytes = 2 * sizeof(*notes); bytes < 3 * sizeof(*notes); bytes++)
		ck_assert(!parse(notes, bytes, id));
	ck_assert(!parse("", 0, id));
}
END_TEST

/* A short id is padded with zeroes; a long one is no build id that perf could store. */
START_TEST(test_short_id_is_padded)
{
	struct note note = { NAMED("GNU", 3, 7), "short i" };
	uint8_t id[KERNEL_ID_BYTES];

	memset(id, 'x', sizeof(id));
	ck_assert(parse(&note, sizeof(note) - 12, id));
	ck_assert(!memcmp(id, "short i\0\0\0\0\0\0\0\0\0\0\0\0", sizeof(id)));
	note.head[1] = 0;
	ck_assert(!parse(&note, sizeof(note), id));
	note.head[1] = 21;
	ck_assert(!parse((const struct note[]){ note, note }, 2 * sizeof(note), id));
	note.head[1] = UINT32_MAX;
	ck_assert(!parse(&note, sizeof(note), id));
	note.head[0] = UINT32_MAX;
	ck_assert(!parse(&note, sizeof(note), id));
}
END_TEST

START_TEST(test_running_kernel_has_id)
{
	const uint8_t *id = kernel_id__running();

	ck_assert(id || access("/sys/kernel/notes", R_OK));
	ck_assert_ptr_eq(id, kernel_id__running());
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_finds_build_id);
	tcase_add_test(tests, test_short_id_is_padded);
	tcase_add_test(tests, test_running_kernel_has_id);
}
