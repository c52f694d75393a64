// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_type.c: the type of a map's events, inferred or named; damaged objects. */
#include <elf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include <peat/log.h>
#include <peat/schema.h>

#include "object/infer/event_type.h"
#include "field/fields.h"
#include "support/machine/harness.h"
#include "foreign_objects.h"
#include "unit/suite.h"

#ifdef HAVE_LIBDW
#define need_libdw()
#else
#define need_libdw() skip("built without libdw")
#endif

static char message[1024];
static struct bpf_object *object;
static struct infer *guesser;

static void keep_error(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		strncpy(message, text, sizeof(message) - 1);
}

static void open_guesser(const struct object_file *file)
{
	peat_set_print(keep_error);
	object = object__open(file);
	guesser = infer__open_mem(object, file->bytes, *file->count);
	ck_assert_msg(guesser, "%s", strerror(errno));
}

static void close_guesser(void)
{
	infer__free(guesser);
	bpf_object__close(object);
}

/* `type` NULL: unknown. */
static void check(const char *map, const char *name, const char *type, const char *why)
{
	struct inferred_type guess;

	ck_assert_int_eq(infer__map_type(guesser, map, name, &guess), 0);
	ck_assert_str_eq(guess.why, why);
	if (type)
		ck_assert_str_eq(peat_schema__name(guess.schema), type);
	else
		ck_assert_ptr_null(guess.schema);
	inferred_type__free(&guess);
}

START_TEST(test_only_candidate)
{
	need_libdw();
	open_guesser(foreign);
	check("plain", NULL, "local", "the only struct of 24 bytes that the object defines");
	check("mapped", NULL, "kept", "the only struct of 224 bytes that the object defines");
	check("unnamed", NULL, "unnamed_t", "the only struct of 12 bytes that the object defines");
	check("called", NULL, "wrapped", "the only struct of 56 bytes that the object defines");
	close_guesser();
}
END_TEST

/* An object's vmlinux.h has types that this kernel lacks. */
START_TEST(test_types_of_other_kernels)
{
	need_libdw();
	open_guesser(borrowed);
	check("events", NULL, "own", "the only struct of 24 bytes that the object defines");
	check("events", "of_an_old_kernel", "of_an_old_kernel", "named");
	close_guesser();
}
END_TEST

/* A size that differs from the type's makes the events bytes. */
START_TEST(test_fixed_and_computed_size)
{
	open_guesser(lone);
	check("lines", NULL, NULL,
	      "events of different sizes, from 64 bytes to a size that is computed");
	close_guesser();
}
END_TEST

/* ---- guesses --------------------------------------------------------------------------------- */

static void check_guess(const char *map, bool is_guess, const char *type, const char *why)
{
	struct inferred_type guess;

	ck_assert_int_eq(infer__map_type(guesser, map, NULL, &guess), 0);
	ck_assert_msg(strstr(guess.why, why), "%s: %s", map, guess.why);
	ck_assert_msg(guess.is_guess == is_guess, "%s: %s", map, guess.why);
	ck_assert_str_eq(guess.schema ? peat_schema__name(guess.schema) : "", type);
	inferred_type__free(&guess);
}

START_TEST(test_computed_size_is_a_guess)
{
	need_libdw();
	open_guesser(single);
	check_guess("lines", true, "single", "; but the size of the events is computed");
	check_guess("unused", true, "single", "; but no code writes to the map");
	close_guesser();
}
END_TEST

/* An output through a pointer does not hide the size of the others. */
START_TEST(test_unknown_map_is_a_guess)
{
	need_libdw();
	open_guesser(several);
	check_guess("small", true, "of_small", "; but events of other sizes are written to a map");
	check_guess("large", false, "of_large", "the only struct of 24 bytes");
	check_guess("elsewhere", false, "of_large", "the only struct of 24 bytes");
	close_guesser();
}
END_TEST

/* Renames the sections with the DWARF. */
static void strip(unsigned char *bytes, size_t count)
{
	static const char start[] = { '.', 'd', 'e', 'b', 'u', 'g', '_' };

	for (size_t i = 0; i + sizeof(start) < count; i++)
		if (!memcmp(bytes + i, start, sizeof(start)))
			bytes[i + 1] = 'x';
}

START_TEST(test_stripped_object)
{
	size_t count = *foreign->count;
	unsigned char *bytes = malloc(count);

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, foreign->bytes, count);
	strip(bytes, count);
	peat_set_print(keep_error);
	object = object__open(foreign);
	guesser = infer__open_mem(object, bytes, count);
	ck_assert_ptr_nonnull(guesser);
	check_guess("mapped", true, "kept",
		    "the only struct of 224 bytes in the object's BTF; but the object has no "
		    "debug information");
	check_guess("plain", false, "", "no struct of 24 bytes in the object's BTF");
	check_guess("valued", false, "twin_two", "the map's value type");
	close_guesser();
	free(bytes);
}
END_TEST

/* The only array has the outputs whose map is not a constant, too. */
START_TEST(test_unknown_map_is_the_only_one)
{
	need_libdw();
	open_guesser(alone_equal);
	check_guess("events", false, "event", "the only struct of 24 bytes");
	close_guesser();
	open_guesser(alone_mixed);
	check_guess("events", false, "", "events of different sizes, from 16 to 40 bytes");
	close_guesser();
	open_guesser(alone_computed);
	check_guess("events", false, "",
		    "events of different sizes, from 24 bytes to a size that is computed");
	close_guesser();
}
END_TEST

/* BTF has priority over DWARF; this object needs no DWARF. */
START_TEST(test_btf_comes_first)
{
	struct inferred_type guess;

	open_guesser(foreign);
	ck_assert_int_eq(infer__map_type(guesser, "mapped", NULL, &guess), 0);
	ck_assert_str_eq(peat_schema__doc(guess.schema), "kept in a map");
	inferred_type__free(&guess);
	close_guesser();
}
END_TEST

/* The object's author has named the type, and no size in the code contradicts it. */
START_TEST(test_value_of_the_map)
{
	open_guesser(foreign);
	check("valued", NULL, "twin_two", "the map's value type");
	close_guesser();
	open_guesser(declared);
	check_guess("small", false, "event", "the map's value type");
	check_guess("equal", false, "message", "the map's value type");
	check_guess("equal_typedef", false, "message_t", "the map's value type");
	check_guess("equal_or_computed", false, "message", "the map's value type");
	check_guess("computed", false, "message", "the map's value type");
	check_guess("unused", false, "message", "the map's value type");
	close_guesser();
}
END_TEST

START_TEST(test_value_of_another_size)
{
	open_guesser(declared);
	check_guess("shorter", true, "message",
		    "the map's value type; but the code sends events of 8 bytes");
	check_guess("longer", true, "message",
		    "the map's value type; but the code sends events of 40 bytes");
	check_guess("mixed", true, "message",
		    "the map's value type; but the code sends events of different sizes, from 16 "
		    "to 32 bytes");
	close_guesser();
}
END_TEST

/* Arrays need a value of 4 bytes: a struct of this size may not be the events'. */
START_TEST(test_placeholder_of_same_size)
{
	static const char many[] = "3 structs: event, message, tail";

	need_libdw();
	open_guesser(declared);
	check_guess("placeholder", false, "message", "the only struct of 32 bytes");
	check_guess("placeholder_computed", false, "", many);
	check_guess("placeholder_both", false, "",
		    "events of different sizes, from 4 bytes to a size that is computed");
	check_guess("placeholder_unused", false, "", many);
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

START_TEST(test_named_type_is_found)
{
	need_libdw();
	open_guesser(foreign);
	check("twins", "twin_two", "twin_two", "named");
	check("valued", "twin_one", "twin_one", "named");
	check("twins", "struct twin_two", "twin_two", "named");
	check("untouched", "unnamed_t", "unnamed_t", "named");
	check("untouched", "inner_t", "inner_t", "named");
	check("untouched", "kept", "kept", "named");
	close_guesser();
}
END_TEST

START_TEST(test_missing_name)
{
	struct inferred_type guess;

	need_libdw();
	open_guesser(lone);
	ck_assert_int_eq(infer__map_type(guesser, "lines", "event", &guess), -ENOENT);
	ck_assert_ptr_null(guess.schema);
	ck_assert_ptr_null(guess.why);
	ck_assert_str_eq(message, "lines: the object has no struct 'event': it has lone");
	close_guesser();
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(test_number_of_bytes)
{
	need_libdw();
	open_guesser(limits);
	check("single", NULL, NULL, "no struct of 1 byte that the object defines");
	check("pair", NULL, NULL, "no struct of 2 bytes that the object defines");
	close_guesser();
}
END_TEST

/* Events with so many fields stay bytes. */
START_TEST(test_refused_type)
{
	static const char only[] = "the only struct of 19652 bytes that the object defines, but it "
				   "cannot be the type of events";
	struct inferred_type type;

	need_libdw();
	open_guesser(limits);
	check("too_many", NULL, NULL, only);
	check("too_many_typed", NULL, NULL, only);
	ck_assert_int_eq(infer__map_type(guesser, "too_many", "refused", &type), -EINVAL);
	ck_assert_ptr_null(type.schema);
	ck_assert_ptr_null(type.why);
	ck_assert_str_eq(message, "too_many: 'refused' cannot be the type of events");
	close_guesser();
}
END_TEST

static bool expects_appended(const char *map, const char *name)
{
	struct inferred_type type;
	bool expects;

	ck_assert_int_eq(infer__map_type(guesser, map, name, &type), 0);
	ck_assert_msg(type.schema, "%s: %s", map, type.why);
	expects = type.schema->expects_appended;
	inferred_type__free(&type);
	return expects;
}

/* The kernel pads events with up to 7 bytes. */
START_TEST(test_appended_bytes)
{
	need_libdw();
	open_guesser(limits);
	ck_assert(!expects_appended("padded", NULL));
	ck_assert(expects_appended("appended", NULL));
	ck_assert(!expects_appended("padded", "message"));
	close_guesser();
	open_guesser(foreign);
	ck_assert(expects_appended("followed", NULL));
	ck_assert(!expects_appended("plain", NULL));
	close_guesser();
}
END_TEST

/* ---- damaged --------------------------------------------------------------------------------- */

static void try_everything(const void *bytes, size_t count)
{
	struct inferred_type guess;

	guesser = infer__open_mem(object, bytes, count);
	if (!guesser)
		return;
	if (!infer__map_type(guesser, "plain", NULL, &guess))
		ck_assert_ptr_nonnull(guess.why);
	inferred_type__free(&guess);
	infer__map_type(guesser, "twins", "twin_two", &guess);
	inferred_type__free(&guess);
	infer__map_type(guesser, "twins", "none", &guess);
	inferred_type__free(&guess);
	infer__free(guesser);
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

/* Replaces the first instruction of each section with code by a jump out of it. */
static void damage_code(unsigned char *bytes)
{
	const struct bpf_insn jump = { .code = BPF_JMP | BPF_JA, .off = -2 };
	const Elf64_Ehdr *header = (const void *)bytes;
	const Elf64_Shdr *sections = (const void *)(bytes + header->e_shoff);

	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_PROGBITS && sections[i].sh_flags & SHF_EXECINSTR &&
		    sections[i].sh_size)
			memcpy(bytes + sections[i].sh_offset, &jump, sizeof(jump));
}

/* Types that do not depend on the code are left. */
START_TEST(test_invalid_code)
{
	size_t count = *declared->count;
	unsigned char *bytes = malloc(count);

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, declared->bytes, count);
	damage_code(bytes);
	peat_set_print(keep_error);
	object = object__open(declared);
	guesser = infer__open_mem(object, bytes, count);
	ck_assert_ptr_nonnull(guesser);
	check("placeholder", NULL, NULL, "the object's code is invalid");
	check_guess("shorter", false, "message", "the map's value type");
	check("placeholder", "tail", "tail", "named");
	ck_assert(!expects_appended("longer", NULL));
	close_guesser();
	free(bytes);
}
END_TEST

START_TEST(test_no_object)
{
	object = object__open(foreign);
	ck_assert_ptr_null(infer__open_mem(object, "nothing", 7));
	ck_assert_int_eq(errno, EBADMSG);
	infer__free(NULL);
	bpf_object__close(object);
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_only_candidate);
	tcase_add_test(tests, test_types_of_other_kernels);
	tcase_add_test(tests, test_fixed_and_computed_size);
	tcase_add_test(tests, test_computed_size_is_a_guess);
	tcase_add_test(tests, test_unknown_map_is_a_guess);
	tcase_add_test(tests, test_unknown_map_is_the_only_one);
	tcase_add_test(tests, test_stripped_object);
	tcase_add_test(tests, test_btf_comes_first);
	tcase_add_test(tests, test_value_of_the_map);
	tcase_add_test(tests, test_value_of_another_size);
	tcase_add_test(tests, test_placeholder_of_same_size);
	tcase_add_test(tests, test_none_or_several);
	tcase_add_test(tests, test_named_type_is_found);
	tcase_add_test(tests, test_missing_name);
	tcase_add_test(tests, test_number_of_bytes);
	tcase_add_test(tests, test_refused_type);
	tcase_add_test(tests, test_appended_bytes);
	tcase_add_test(tests, test_cut_short);
	tcase_add_test(tests, test_invalid_code);
	tcase_add_test(tests, test_no_object);
}
