// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_btf.c: files and directories with the kernel's BTF, and others. */
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <peat/peat.h>

#include "object/kernel_btf.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "sys/kernel_id.h"
#include "unit/suite.h"

EMBED_OBJECT(calls)

static char directory[] = "/tmp/peat-btf-XXXXXX", path[256], logged[2048];

/* BTF without types. */
static struct {
	struct btf_header head;
	char string;
} btf;

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void setup(void)
{
	peat_set_print(note);
	logged[0] = '\0';
	strcpy(strrchr(directory, '-'), "-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	memset(&btf, 0, sizeof(btf));
	btf.head = (struct btf_header){ .magic = BTF_MAGIC,
					.version = BTF_VERSION,
					.hdr_len = sizeof(btf.head),
					.str_len = 1 };
}

static void teardown(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(directory), 0);
}

static const char *write_file(const char *name, const void *bytes, size_t count)
{
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

static const char *write_btf(const char *name)
{
	return write_file(name, &btf, sizeof(btf.head) + 1);
}

static void check_found(const char *given, const char *expected)
{
	char *found;

	ck_assert_int_eq(kernel_btf__find(given, &found), 0);
	ck_assert_str_eq(found, expected);
	free(found);
	ck_assert_str_eq(logged, "");
}

static void check_refused(const char *given, int err, const char *words)
{
	char *found;

	ck_assert_int_eq(kernel_btf__find(given, &found), err);
	ck_assert_ptr_null(found);
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
}

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(test_finds_named_file)
{
	const char *file = write_btf("any");

	check_found(file, file);
}
END_TEST

START_TEST(test_elf_file)
{
	const char *file = write_file("vmlinux", calls_object.bytes, *calls_object.count);

	check_found(file, file);
}
END_TEST

START_TEST(test_no_file)
{
	check_refused("/no/such/file", -ENOENT, "cannot read the BTF file /no/such/file: ");
}
END_TEST

START_TEST(test_no_btf)
{
	check_refused(write_file("text", "not BTF", 7), -EBADMSG, "text has no valid BTF: use a");
	check_refused(write_file("text", "", 0), -EBADMSG, "text has no valid BTF");
}
END_TEST

START_TEST(test_cut_off)
{
	check_refused(write_file("text", &btf, sizeof(btf.head)), -EBADMSG, "has no valid BTF");
	check_refused(write_file("text", &btf, 3), -EBADMSG, "has no valid BTF");
}
END_TEST

START_TEST(test_other_byte_order)
{
	btf.head.magic = __builtin_bswap16(btf.head.magic);
	btf.head.hdr_len = __builtin_bswap32(btf.head.hdr_len);
	btf.head.str_len = __builtin_bswap32(btf.head.str_len);
	check_refused(write_btf("other"), -EBADMSG,
		      "other is BTF of a machine with the other byte");
}
END_TEST

/* ---- directories ----------------------------------------------------------------------------- */

static const char *release_name(void)
{
	static char name[128];
	struct utsname kernel;

	ck_assert_int_eq(uname(&kernel), 0);
	snprintf(name, sizeof(name), "%s.btf", kernel.release);
	return name;
}

START_TEST(test_finds_release_in_directory)
{
	const char *file = write_btf(release_name());

	check_found(directory, file);
}
END_TEST

START_TEST(test_directory_by_build_id)
{
	const uint8_t *id = kernel_id__running();
	char name[2 * KERNEL_ID_BYTES + 8];

	if (!id)
		skip("the kernel has no build id");
	for (int i = 0; i < KERNEL_ID_BYTES; i++)
		sprintf(name + 2 * i, "%02x", id[i]);
	strcat(name, ".btf");
	check_found(directory, write_btf(name));
}
END_TEST

START_TEST(test_directory_of_other_kernels)
{
	write_btf("1.2.3.btf");
	check_refused(directory, -ENOENT, "has no BTF for this kernel: neither ");
	ck_assert_ptr_nonnull(strstr(logged, release_name()));
}
END_TEST

START_TEST(test_bad_file_in_directory)
{
	write_file(release_name(), "text", 4);
	check_refused(directory, -EBADMSG, release_name());
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_finds_named_file);
	tcase_add_test(tests, test_elf_file);
	tcase_add_test(tests, test_no_file);
	tcase_add_test(tests, test_no_btf);
	tcase_add_test(tests, test_cut_off);
	tcase_add_test(tests, test_other_byte_order);
	tcase_add_test(tests, test_finds_release_in_directory);
	tcase_add_test(tests, test_directory_by_build_id);
	tcase_add_test(tests, test_directory_of_other_kernels);
	tcase_add_test(tests, test_bad_file_in_directory);
}
