// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_settings.c: settings of an output: values, and errors that name their place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/log.h>

#include "output/settings.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

struct choice {
	char *path;
	uint64_t max_bytes, age_ms, keep;
	bool is_public;
};

static const struct setting_row rows[] = {
	{ "file", SETTING_TEXT, offsetof(struct choice, path), 0, 0 },
	{ "max-size", SETTING_BYTES, offsetof(struct choice, max_bytes), 4096, UINT64_MAX },
	{ "max-age", SETTING_MS, offsetof(struct choice, age_ms), 1, 86400000 },
	{ "keep", SETTING_NUMBER, offsetof(struct choice, keep), 0, 100 },
	{ "public", SETTING_BOOL, offsetof(struct choice, is_public), 0, 0 },
};

static char message[512];

static void note(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static int read_settings(const char *file, const struct peat_setting *settings, uint32_t count,
			 struct choice *choice)
{
	const struct peat_output_opts opts = { .sz = sizeof(opts),
					       .name = "disk",
					       .file = file,
					       .settings = settings,
					       .setting_count = count };

	peat_set_print(note);
	message[0] = '\0';
	errno = 0;
	return settings__read(&opts, rows, sizeof(rows) / sizeof(*rows), choice);
}

START_TEST(test_settings_are_stored)
{
	const struct peat_setting settings[] = { { "keep", "7", 0, 0 },
						 { "file", "/tmp/x", 0, 0 },
						 { "max-size", "64K", 0, 0 },
						 { "public", "yes", 0, 0 },
						 { "max-age", "1.5s", 0, 0 } };
	struct choice choice = { 0 };

	ck_assert_int_eq(read_settings(NULL, settings, 5, &choice), 0);
	ck_assert_str_eq(choice.path, "/tmp/x");
	ck_assert_ptr_ne(choice.path, settings[1].value);
	ck_assert_uint_eq(choice.max_bytes, 64 << 10);
	ck_assert_uint_eq(choice.age_ms, 1500);
	ck_assert_uint_eq(choice.keep, 7);
	ck_assert(choice.is_public);
	free(choice.path);
}
END_TEST

START_TEST(test_missing_settings_keep_their_defaults)
{
	const struct peat_setting off = { "public", "off", 0, 0 };
	struct choice choice = { NULL, 1, 2, 3, true };

	ck_assert_int_eq(read_settings(NULL, NULL, 0, &choice), 0);
	ck_assert_ptr_null(choice.path);
	ck_assert_uint_eq(choice.max_bytes, 1);
	ck_assert_uint_eq(choice.age_ms, 2);
	ck_assert_uint_eq(choice.keep, 3);
	ck_assert(choice.is_public);
	ck_assert_int_eq(read_settings(NULL, &off, 1, &choice), 0);
	ck_assert(!choice.is_public);
}
END_TEST

START_TEST(test_limits_belong_to_the_range)
{
	const struct peat_setting settings[] = { { "max-size", "4096", 0, 0 },
						 { "max-age", "24h", 0, 0 },
						 { "keep", "0", 0, 0 } };
	struct choice choice = { .keep = 5 };

	ck_assert_int_eq(read_settings(NULL, settings, 3, &choice), 0);
	ck_assert_uint_eq(choice.max_bytes, 4096);
	ck_assert_uint_eq(choice.age_ms, 86400000);
	ck_assert_uint_eq(choice.keep, 0);
}
END_TEST

static const struct {
	struct peat_setting setting;
	const char *message;
} refused[] = {
	{ { "flie", "x", 3, 9 },
	  "agent.yaml:3:9: output disk: flie: no such setting: did you mean \"file\"? "
	  "the settings are file, max-size, max-age, keep, public" },
	{ { "shape", "x", 0, 0 },
	  "output disk: shape: no such setting: "
	  "the settings are file, max-size, max-age, keep, public" },
	{ { "max-size", "4095", 3, 9 },
	  "agent.yaml:3:9: output disk: max-size: expected a size such as 64K, at least 4096" },
	{ { "max-size", "large", 0, 0 },
	  "output disk: max-size: expected a size such as 64K, at least 4096" },
	{ { "max-age", "0", 0, 0 },
	  "output disk: max-age: expected a duration such as 10s, from 1 to 86400000 ms" },
	{ { "max-age", "25h", 0, 0 },
	  "output disk: max-age: expected a duration such as 10s, from 1 to 86400000 ms" },
	{ { "max-age", "500us", 0, 0 },
	  "output disk: max-age: expected a duration such as 10s, from 1 to 86400000 ms" },
	{ { "keep", "101", 0, 0 }, "output disk: keep: expected a number from 0 to 100" },
	{ { "keep", "-1", 0, 0 }, "output disk: keep: expected a number from 0 to 100" },
	{ { "keep", "18446744073709551616", 0, 0 },
	  "output disk: keep: expected a number from 0 to 100" },
	{ { "keep", "", 0, 0 }, "output disk: keep: expected a number from 0 to 100" },
	{ { "public", "2", 0, 0 }, "output disk: public: expected true or false" },
	{ { "public", "maybe", 0, 0 }, "output disk: public: expected true or false" },
};

START_TEST(test_refused_settings)
{
	struct choice choice = { NULL, 1, 2, 3, true };

	ck_assert_int_eq(read_settings("agent.yaml", &refused[_i].setting, 1, &choice), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, refused[_i].message);
	ck_assert_ptr_null(choice.path);
	ck_assert_uint_eq(choice.max_bytes, 1);
	ck_assert_uint_eq(choice.age_ms, 2);
	ck_assert_uint_eq(choice.keep, 3);
	ck_assert(choice.is_public);
}
END_TEST

START_TEST(test_setting_is_given_once)
{
	const struct peat_setting settings[] = { { "file", "a", 1, 7 }, { "file", "b", 2, 7 } };
	struct choice choice = { 0 };

	ck_assert_int_eq(read_settings("agent.yaml", settings, 2, &choice), -EINVAL);
	ck_assert_str_eq(message, "agent.yaml:2:7: output disk: file: it is set twice");
	ck_assert_str_eq(choice.path, "a");
	free(choice.path);
}
END_TEST

START_TEST(test_refused_setting_names_its_place)
{
	const struct peat_output_opts opts = { .sz = sizeof(opts), .name = "disk" };
	const struct peat_setting setting = { "file", "x", 4, 5 };

	peat_set_print(note);
	errno = 0;
	ck_assert_int_eq(peat_output__refuse_setting(&opts, &setting, "it is a directory"),
			 -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, "configuration:4:5: output disk: file: it is a directory");
}
END_TEST

START_TEST(test_text_without_memory)
{
	const struct peat_setting setting = { "file", "/tmp/x", 0, 0 };
	struct choice choice = { 0 };
	int err;

	fail_alloc__begin(1);
	err = read_settings(NULL, &setting, 1, &choice);
	if (fail_alloc__end()) {
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_int_eq(errno, ENOMEM);
		ck_assert_ptr_null(choice.path);
	}
	free(choice.path);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_settings_are_stored);
	tcase_add_test(tests, test_missing_settings_keep_their_defaults);
	tcase_add_test(tests, test_limits_belong_to_the_range);
	tcase_add_loop_test(tests, test_refused_settings, 0, sizeof(refused) / sizeof(*refused));
	tcase_add_test(tests, test_setting_is_given_once);
	tcase_add_test(tests, test_refused_setting_names_its_place);
	tcase_add_test(tests, test_text_without_memory);
}
