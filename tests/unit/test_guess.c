// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_guess.c: the type of a map's events, found out or named, and damaged objects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include <peat/log.h>
#include <peat/schema.h>

#include "object/infer/event_type.h"
#include "harness.h"
#include "foreign_objects.h"
#include "suites.h"

#ifdef HAVE_LIBDW
#define need_libdw()
#else
#define need_libdw() skip("built without libdw")
#endif

static char message[1024];
static struct bpf_object *object;
static struct guesser *guesser;

static void keep_error(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		strncpy(message, text, sizeof(message) - 1);
}

static void open_guesser(const struct object_file *file)
{
	peat_set_print(keep_error);
	object = object__open(file);
	guesser = guesser__open_mem(object, file->bytes, *file->count);
	ck_assert_msg(guesser, "%s", strerror(errno));
}

static void close_guesser(void)
{
	guesser__free(guesser);
	bpf_object__close(object);
}

/* `type` NULL: it is not known. */
static void check(const char *map, const char *name, const char *type, const char *why)
{
	struct guess guess;

	ck_assert_int_eq(guess__map(guesser, map, name, &guess), 0);
	ck_assert_str_eq(guess.why, why);
	if (type)
		ck_assert_str_eq(peat_schema__name(guess.schema), type);
	else
		ck_assert_ptr_null(guess.schema);
	guess__free(&guess);
}

START_TEST(test_the_only_one)
{
	need_libdw();
	open_guesser(foreign);
	check("plain", NULL, "local", "the only struct of 24 bytes that the object defines");
	check("mapped", NULL, "kept", "the only struct of 224 bytes that the object defines");
	check("unnamed", NULL, "unnamed_t", "the only struct of 12 bytes that the object defines");
	check("called", NULL, "wrapped", "the only struct of 56 bytes that the object defines");
	close_guesser();
	open_guesser(lone);
	check("lines", NULL, "lone", "the only struct that the object defines");
	close_guesser();
}
END_TEST

/* Of a type that both know, BTF knows more; and this one needs no debug information. */
START_TEST(test_btf_comes_first)
{
	struct guess guess;

	open_guesser(foreign);
	ck_assert_int_eq(guess__map(guesser, "mapped", NULL, &guess), 0);
	ck_assert_str_eq(peat_schema__doc(guess.schema), "kept in a map");
	guess__free(&guess);
	close_guesser();
}
END_TEST

START_TEST(test_none_or_several)
{
	need_libdw();
	open_guesser(foreign);
	check("twins", NULL, NULL, "2 structs of 40 bytes: twin_one, twin_two");
	check("mixed", NULL, NULL, "events of different sizes, from 12 to 24 bytes");
	check("computed", NULL, NULL, "8 structs: inner, kept, local, spot, twin_one and 3 more");
	check("odd", NULL, NULL, "no struct of 3 bytes that the object defines");
	close_guesser();
}
END_TEST

START_TEST(test_named)
{
	need_libdw();
	open_guesser(foreign);
	check("twins", "twin_two", "twin_two", "named");
	check("twins", "struct twin_two", "twin_two", "named");
	check("untouched", "unnamed_t", "unnamed_t", "named");
	check("untouched", "inner_t", "inner_t", "named");
	check("untouched", "kept", "kept", "named");
	close_guesser();
}
END_TEST

START_TEST(test_named_what_is_not_there)
{
	struct guess guess;

	need_libdw();
	open_guesser(lone);
	ck_assert_int_eq(guess__map(guesser, "lines", "event", &guess), -ENOENT);
	ck_assert_ptr_null(guess.schema);
	ck_assert_ptr_null(guess.why);
	ck_assert_str_eq(message, "lines: the object has no struct 'event'; it has lone");
	close_guesser();
}
END_TEST

/* ---- damaged --------------------------------------------------------------------------------- */

static void try_everything(const void *bytes, size_t count)
{
	struct guess guess;

	guesser = guesser__open_mem(object, bytes, count);
	if (!guesser)
		return;
	if (!guess__map(guesser, "plain", NULL, &guess))
		ck_assert_ptr_nonnull(guess.why);
	guess__free(&guess);
	guess__map(guesser, "twins", "twin_two", &guess);
	guess__free(&guess);
	guess__map(guesser, "twins", "none", &guess);
	guess__free(&guess);
	guesser__free(guesser);
}

START_TEST(test_cut_short)
{
	object = object__open(foreign);
	for (size_t count = 0; count < *foreign->count; count += 509) {
		void *bytes = malloc(count + 1);

		ck_assert_ptr_nonnull(bytes);
		memcpy(bytes, foreign->bytes, count);
		try_everything(bytes, count);
		free(bytes);
	}
	bpf_object__close(object);
}
END_TEST

START_TEST(test_no_object)
{
	object = object__open(foreign);
	ck_assert_ptr_null(guesser__open(object, "/nonexistent"));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_null(guesser__open_mem(object, "nothing", 7));
	ck_assert_int_eq(errno, EBADMSG);
	guesser__free(NULL);
	bpf_object__close(object);
}
END_TEST

Suite *guess_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("guess", 60, &tests);

	tcase_add_test(tests, test_the_only_one);
	tcase_add_test(tests, test_btf_comes_first);
	tcase_add_test(tests, test_none_or_several);
	tcase_add_test(tests, test_named);
	tcase_add_test(tests, test_named_what_is_not_there);
	tcase_add_test(tests, test_cut_short);
	tcase_add_test(tests, test_no_object);
	return suite;
}
