// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_private_file.c: files with credentials, and who may read them. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/private_file.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static char why[PRIVATE_FILE_WHY];

static int read_path(const char *name)
{
	struct strbuf text = { 0 };
	int err;

	*why = 0;
	err = private_file__read(scratch__path(name), &text, why);
	if (!err)
		ck_assert_str_eq(text.bytes, "secret\n");
	strbuf__free(&text);
	return err;
}

static int read_mode(mode_t mode)
{
	ck_assert_int_eq(chmod(scratch__path("file"), mode), 0);
	return read_path("file");
}

START_TEST(test_modes_of_files)
{
	static const mode_t refused[] = { 0644, 0604, 0602, 0620, 0660, 0650 };

	close(scratch__file("file", "secret\n"));
	ck_assert_int_eq(read_mode(0600), 0);
	ck_assert_int_eq(read_mode(0640), 0);
	ck_assert_int_eq(read_mode(0400), 0);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		ck_assert_int_eq(read_mode(refused[i]), -EINVAL);
		ck_assert_str_eq(why, "other users can read or change it: chmod 600");
	}
}
END_TEST

START_TEST(test_owners_of_files)
{
	const uid_t user = geteuid();

	close(scratch__file("file", "secret\n"));
	ck_assert_int_eq(chmod(scratch__path("file"), 0600), 0);
	if (user || chown(scratch__path("file"), 1, (gid_t)-1))
		return; /* only root gives files away */
	ck_assert_int_eq(read_path("file"), -EINVAL);
	ck_assert_str_eq(why, "it belongs to another user: chown");
	ck_assert_int_eq(chown(scratch__path("file"), user, (gid_t)-1), 0);
	ck_assert_int_eq(read_path("file"), 0);
}
END_TEST

START_TEST(test_other_files)
{
	ck_assert_int_eq(read_path("none"), -ENOENT);
	ck_assert_str_eq(why, "cannot be opened: No such file or directory");
	ck_assert_int_eq(read_path("."), -EINVAL);
	ck_assert_int_eq(mkfifo(scratch__path("fifo"), 0600), 0);
	ck_assert_int_eq(read_path("fifo"), -EINVAL);
	ck_assert_str_eq(why, "it is not a regular file");
	close(scratch__file("large", ""));
	ck_assert_int_eq(chmod(scratch__path("large"), 0600), 0);
	ck_assert_int_eq(truncate(scratch__path("large"), 65537), 0);
	ck_assert_int_eq(read_path("large"), -EINVAL);
	ck_assert_str_eq(why, "it has more than 64 KiB");
	ck_assert_int_eq(truncate(scratch__path("large"), 10), 0);
	ck_assert_int_eq(read_path("large"), -EINVAL);
	ck_assert_str_eq(why, "it has a NUL");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_modes_of_files);
	tcase_add_test(tests, test_owners_of_files);
	tcase_add_test(tests, test_other_files);
}
