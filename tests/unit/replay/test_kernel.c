// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel.c: whether a recording is of the running kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "replay/kernel.h"
#include "sys/kallsyms.h"

#include "support/machine/harness.h"
#include "unit/suite.h"
#include "unit/tracing_data/tracing_bytes.h"

#define MISC_WITH_SIZE (1 << 15)

static struct replay_kernel kernel;
static struct utsname machine;
static const uint8_t other_id[KERNEL_ID_BYTES] = "another kernel";

static void setup(void)
{
	kernel = (struct replay_kernel){ 0 };
	ck_assert_int_eq(uname(&machine), 0);
}

/* The map of a kernel whose code starts `off` bytes after that of the running one. */
static void read_map(uint64_t off, const uint8_t *id, uint8_t id_bytes)
{
	static char filename[64];
	struct peat_mmap map = { .pid = UINT32_MAX, .build_id = id, .build_id_bytes = id_bytes };
	const char *name;

	ck_assert(kallsyms__text(&name, &map.pgoff));
	map.pgoff += off;
	snprintf(filename, sizeof(filename), "[kernel.kallsyms]%s", name);
	map.filename = filename;
	ck_assert(replay_kernel__read_map(&kernel, &map));
}

/* Users without CAP_SYSLOG may not read the address. */
static bool has_text(void)
{
	const char *name;
	uint64_t address;

	return kallsyms__text(&name, &address);
}

#define NEED(what)                                                                                 \
	if (!(what))                                                                               \
	skip("this kernel hides it: " #what)

/* ---- maps ------------------------------------------------------------------------------------ */

START_TEST(test_release_is_compared)
{
	NEED(has_text());
	ck_assert(!replay_kernel__is_running(&kernel, machine.release));
	read_map(0, NULL, 0);
	ck_assert(replay_kernel__is_running(&kernel, machine.release));
	ck_assert(!replay_kernel__is_running(&kernel, "6.1.0-other"));
	ck_assert(!replay_kernel__is_running(&kernel, ""));
	read_map(4096, NULL, 0);
	ck_assert(!replay_kernel__is_running(&kernel, machine.release));
}
END_TEST

/* A kernel of the same release, built anew, has other code at the same addresses. */
START_TEST(test_map_with_id)
{
	const uint8_t *id = kernel_id__running();

	NEED(id && has_text());
	read_map(0, other_id, sizeof(other_id));
	ck_assert(!replay_kernel__is_running(&kernel, machine.release));
	read_map(0, id, KERNEL_ID_BYTES);
	ck_assert(replay_kernel__is_running(&kernel, ""));
	read_map(4096, id, KERNEL_ID_BYTES);
	ck_assert(!replay_kernel__is_running(&kernel, machine.release));
}
END_TEST

/* perf stores zeroes for an unknown build id. */
START_TEST(test_no_id)
{
	static const uint8_t zeroes[KERNEL_ID_BYTES];

	NEED(has_text());
	read_map(0, zeroes, sizeof(zeroes));
	ck_assert(replay_kernel__is_running(&kernel, machine.release));
}
END_TEST

START_TEST(test_other_maps)
{
	struct peat_mmap map = { .pid = UINT32_MAX,
				 .filename = "[module]",
				 .build_id = other_id,
				 .build_id_bytes = sizeof(other_id) };

	NEED(has_text());
	read_map(0, NULL, 0);
	ck_assert(!replay_kernel__read_map(&kernel, &map));
	map.pid = 17;
	map.filename = "[kernel.kallsyms]_text";
	ck_assert(!replay_kernel__read_map(&kernel, &map));
	ck_assert(replay_kernel__is_running(&kernel, machine.release));
}
END_TEST

/* ---- build ids ------------------------------------------------------------------------------- */

static void put_id(struct bytes *b, const uint8_t *id, uint8_t id_bytes, bool old,
		   const char *filename)
{
	size_t name_bytes = (strlen(filename) / 8 + 1) * 8;

	put_u32(b, 0);
	put(b, 1 | (id_bytes < 20 ? MISC_WITH_SIZE : 0), 2);
	put(b, 8 + (old ? 0 : 4) + 24 + name_bytes, 2);
	if (!old)
		put_u32(b, UINT32_MAX);
	for (size_t i = 0; i < 20; i++)
		put(b, id[i], 1);
	put(b, id_bytes < 20 ? id_bytes : 0, 1);
	put(b, 0, 3);
	for (size_t i = 0; i < name_bytes; i++)
		put(b, i < strlen(filename) ? (uint8_t)filename[i] : 0, 1);
}

static const char *read_ids(const struct bytes *b, size_t count, bool swapped)
{
	void *copy = memcpy(malloc(count + !count), b->at, count);
	const char *why = replay_kernel__read_ids(&kernel, copy, count, swapped);

	free(copy);
	return why;
}

START_TEST(test_build_ids_are_compared)
{
	const uint8_t *id = kernel_id__running();
	bool swapped = _i & 1, old = _i & 2;
	struct bytes b = { .swapped = swapped };

	NEED(id && has_text());
	put_id(&b, id, 20, old, "[kernel.kallsyms]");
	put_id(&b, other_id, 20, old, "/lib/modules/ext4.ko");
	put_id(&b, other_id, 20, old, "[guest.kernel.kallsyms]");
	ck_assert_ptr_null(read_ids(&b, b.len, swapped));
	read_map(0, NULL, 0);
	ck_assert(replay_kernel__is_running(&kernel, ""));
	put_id(&b, other_id, 20, old, "[kernel.kallsyms]");
	ck_assert_ptr_null(read_ids(&b, b.len, swapped));
	ck_assert(!replay_kernel__is_running(&kernel, machine.release));
}
END_TEST

/* Bytes after a short id have no meaning. */
START_TEST(test_short_id)
{
	struct bytes b = { 0 };

	put_id(&b, (const uint8_t *)"0123456789abcdefghij", 16, false, "[kernel.kallsyms]");
	ck_assert_ptr_null(read_ids(&b, b.len, false));
	ck_assert(!memcmp(kernel.id, "0123456789abcdef\0\0\0", KERNEL_ID_BYTES));
}
END_TEST

START_TEST(test_cut_ids)
{
	struct bytes b = { 0 };

	put_id(&b, other_id, 20, false, "[kernel.kallsyms]");
	ck_assert_str_eq(read_ids(&b, 7, false), "it ends early");
	ck_assert_str_eq(read_ids(&b, b.len - 1, false), "a build id is cut");
	b.at[6] = 7;
	b.at[7] = 0;
	ck_assert_str_eq(read_ids(&b, b.len, false), "a build id is shorter than its header");
	ck_assert(!kernel.has_id);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_release_is_compared);
	tcase_add_test(tests, test_map_with_id);
	tcase_add_test(tests, test_no_id);
	tcase_add_test(tests, test_other_maps);
	tcase_add_loop_test(tests, test_build_ids_are_compared, 0, 4);
	tcase_add_test(tests, test_short_id);
	tcase_add_test(tests, test_cut_ids);
}
