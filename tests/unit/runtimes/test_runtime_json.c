// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_runtime_json.c: texts in JSON of container runtimes, of files that anybody may have written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtimes/runtime_json.h"
#include "unit/suite.h"

static char found[512];
static unsigned texts;

static bool note(void *stop, const struct runtime_text *text)
{
	size_t used = strlen(found);

	texts++;
	snprintf(found + used, sizeof(found) - used, "%u %s=%s\n", text->depth, text->key,
		 text->text);
	return !stop || strcmp(text->text, stop) != 0;
}

/* Reads `count` copies of the text. */
static bool read_json(const char *text, size_t count, const char *stop)
{
	char path[] = "/tmp/peat-json-XXXXXX";
	int fd = mkstemp(path);
	bool is_read;

	ck_assert_int_ge(fd, 0);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	*found = '\0';
	texts = 0;
	is_read = runtime_json__read(path, note, (void *)stop);
	unlink(path);
	return is_read;
}

START_TEST(test_finds_texts)
{
	ck_assert(read_json(
		"[{\"id\":\"4f\",\"n\":1,\"names\":[\"a\",\"b\"],\"long_key\":{\"x\":\"y\"}}]", 1,
		NULL));
	ck_assert_str_eq(found, "2 id=4f\n3 names=a\n3 names=b\n3 x=y\n");
	ck_assert(read_json("{\"Name\":\"/web\",\"ID\":\"4f\"}", 1, "/web"));
	ck_assert_str_eq(found, "1 Name=/web\n");
	ck_assert(read_json("\"alone\"", 1, NULL));
	ck_assert_str_eq(found, "");
}
END_TEST

START_TEST(test_cuts_long_texts)
{
	char json[1024];

	snprintf(json, sizeof(json), "{\"%050d\":\"%0300d\"}", 0, 0);
	ck_assert(read_json(json, 1, NULL));
	ck_assert_uint_eq(strlen(found),
			  strlen("1 =\n") + RUNTIME_KEY_BYTES - 1 + RUNTIME_TEXT_BYTES - 1);
}
END_TEST

/* The texts before the damage are used. */
START_TEST(test_ends_at_malformed_json)
{
	ck_assert(read_json("{\"a\":\"b\",\"c\":\"d", 1, NULL));
	ck_assert_str_eq(found, "1 a=b\n");
	ck_assert(read_json("{\"a\":\"b\"]\"c\":\"d\"}", 1, NULL));
	ck_assert_str_eq(found, "1 a=b\n");
	ck_assert(read_json("", 1, NULL));
	ck_assert(read_json("{\"a\":", 100000, NULL));
	ck_assert(read_json("[", 100000, NULL));
	ck_assert(read_json("]", 10, NULL));
	ck_assert_uint_eq(texts, 0);
}
END_TEST

/* 17 MiB: the last text is beyond 16 MiB. */
START_TEST(test_limits_bytes)
{
	const size_t bytes = 17u << 20;
	char *json = malloc(bytes + 1);

	memset(json, ' ', bytes);
	json[bytes] = '\0';
	memcpy(json, "{\"a\":\"b\",", strlen("{\"a\":\"b\","));
	memcpy(json + bytes - 8, "\"c\":\"d\"", 7);
	ck_assert(read_json(json, 1, NULL));
	ck_assert_str_eq(found, "1 a=b\n");
	free(json);
}
END_TEST

START_TEST(test_reads_regular_files_only)
{
	char directory[] = "/tmp/peat-json-XXXXXX", path[64];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/fifo", directory);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert(!runtime_json__read(path, note, NULL));
	ck_assert(!runtime_json__read(directory, note, NULL));
	ck_assert(!runtime_json__read("/dev/zero", note, NULL));
	unlink(path);
	rmdir(directory);
	ck_assert(!runtime_json__read(path, note, NULL));
}
END_TEST

SUITE(20)
{
#ifdef HAVE_YAJL
	tcase_add_test(tests, test_finds_texts);
	tcase_add_test(tests, test_cuts_long_texts);
	tcase_add_test(tests, test_ends_at_malformed_json);
	tcase_add_test(tests, test_limits_bytes);
#endif
	tcase_add_test(tests, test_reads_regular_files_only);
}
