// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_access.c: credentials and certificates that exclude or need each other, and their files. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nats/access.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct nats_fault fault;

/* 0: the secret is `secret`; NULL: there is none. */
static int read_access(const struct nats_access *access, const char *secret)
{
	struct strbuf text = { 0 };
	int err;

	fault = (struct nats_fault){ 0 };
	err = nats_access__read(access, &text, &fault);
	if (!err)
		ck_assert_pstr_eq(text.bytes, secret);
	strbuf__free(&text);
	return err;
}

static void check_refused(const struct nats_access *access, int err, const char *name,
			  const char *why)
{
	ck_assert_int_eq(read_access(access, NULL), err);
	ck_assert_str_eq(fault.name, name);
	ck_assert_msg(strstr(fault.why, why), "%s", fault.why);
	ck_assert_msg(!strstr(fault.why, "s3cret"), "%s", fault.why);
}

static const char *make_file(const char *name, const char *text)
{
	const char *path = scratch__path(name);

	unlink(path);
	close(scratch__file(name, text));
	ck_assert_int_eq(chmod(path, 0600), 0);
	return path;
}

START_TEST(test_secrets_of_texts_and_files)
{
	struct nats_access access = { 0 };

	ck_assert_int_eq(read_access(&access, NULL), 0);
	access = (struct nats_access){ .user = "peat", .password = "a b" };
	ck_assert_int_eq(read_access(&access, "a b"), 0);
	access = (struct nats_access){ .token = "1" };
	ck_assert_int_eq(read_access(&access, "1"), 0);
	access = (struct nats_access){ .user = "peat",
				       .password_file = make_file("password", "p:@/ \n") };
	ck_assert_int_eq(read_access(&access, "p:@/ "), 0);
	access = (struct nats_access){ .token_file = make_file("token", "t\r\n\n") };
	ck_assert_int_eq(read_access(&access, "t"), 0);
	access = (struct nats_access){ .credentials_file = make_file("creds", "s\nt\n") };
	ck_assert_int_eq(read_access(&access, NULL), 0);
}
END_TEST

START_TEST(test_settings_that_exclude_each_other)
{
	const char *file = make_file("file", "s3cret\n");
	const struct nats_access refused[] = {
		{ .credentials_file = file, .user = "peat", .password_file = file },
		{ .credentials_file = file, .token_file = file },
		{ .credentials_file = file, .token = "s3cret" },
		{ .user = "peat", .password = "s3cret", .token = "s3cret" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		check_refused(&refused[i], -EINVAL, i < 3 ? "credentials-file" : "user",
			      "exclude each other");
}
END_TEST

START_TEST(test_settings_that_need_each_other)
{
	const char *file = make_file("file", "s3cret\n");
	struct nats_access access = { .user = "peat" };

	check_refused(&access, -EINVAL, "user", "need each other");
	access = (struct nats_access){ .password_file = file };
	check_refused(&access, -EINVAL, "password-file", "need each other");
	access = (struct nats_access){ .key_file = file };
	check_refused(&access, -EINVAL, "key-file", "need each other");
	access = (struct nats_access){ .cert_file = file };
	check_refused(&access, -EINVAL, "cert-file", "need each other");
	access.key_file = file;
	ck_assert_int_eq(read_access(&access, NULL), 0);
}
END_TEST

START_TEST(test_secrets_that_cannot_be_sent)
{
	static const char *const refused[] = { "", "s3cret\\", "s3cret\"", "s3cret\t", "\x7f" };
	struct nats_access access;

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		access = (struct nats_access){ .token = refused[i] };
		check_refused(&access, -EINVAL, "token", i ? "cannot send" : "it is empty");
		access = (struct nats_access){ .user = "peat", .password = refused[i] };
		check_refused(&access, -EINVAL, "password", i ? "cannot send" : "it is empty");
		access = (struct nats_access){ .token_file = make_file("token", refused[i]) };
		check_refused(&access, -EACCES, "token-file", i ? "cannot send" : "it is empty");
	}
	access = (struct nats_access){ .user = "a\"b", .password = "s3cret" };
	check_refused(&access, -EINVAL, "user", "cannot send");
	access = (struct nats_access){ .token_file = make_file("token", "s3cret\ns3cret\n") };
	check_refused(&access, -EACCES, "token-file", "more than one line");
}
END_TEST

START_TEST(test_files_that_others_can_read)
{
	const char *file = make_file("file", "s3cret\n");
	struct nats_access access = { .user = "peat", .password_file = file };

	ck_assert_int_eq(chmod(file, 0644), 0);
	check_refused(&access, -EACCES, "password-file", "other users");
	access = (struct nats_access){ .token_file = file };
	check_refused(&access, -EACCES, "token-file", "other users");
	access = (struct nats_access){ .credentials_file = file };
	check_refused(&access, -EACCES, "credentials-file", "other users");
	access = (struct nats_access){ .key_file = file, .cert_file = file };
	check_refused(&access, -EACCES, "key-file", "other users");
	access = (struct nats_access){ .ca_file = file };
	ck_assert_int_eq(read_access(&access, NULL), 0);
	ck_assert_int_eq(unlink(file), 0);
	check_refused(&access, -EACCES, "ca-file", "cannot be read: No such file");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_secrets_of_texts_and_files);
	tcase_add_test(tests, test_settings_that_exclude_each_other);
	tcase_add_test(tests, test_settings_that_need_each_other);
	tcase_add_test(tests, test_secrets_that_cannot_be_sent);
	tcase_add_test(tests, test_files_that_others_can_read);
}
