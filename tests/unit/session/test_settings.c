// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_settings.c: variables of a compiled object, set by text. */
#include <errno.h>
#include <string.h>

#include <peat/log.h>
#include <peat/object_file.h>
#include <peat/session.h>

#include "object/globals.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "session/parts/session.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(variables)
EMBED_OBJECT(options)
EMBED_OBJECT(second)

static char said[2048];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(said, sizeof(said), "%s", text);
}

static struct peat_session *new_session(void)
{
	struct peat_session *session = peat_session__new(NULL);

	peat_set_print(note);
	said[0] = '\0';
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "variables", variables_object.bytes,
					   *variables_object.count),
			 0);
	return session;
}

/* Two objects; options are those of the last. */
static struct peat_session *new_options(void)
{
	struct peat_session *session = peat_session__new(NULL);

	peat_set_print(note);
	said[0] = '\0';
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "second", second_object.bytes, *second_object.count), 0);
	ck_assert_int_eq(
		peat_session__add(session, "options", options_object.bytes, *options_object.count),
		0);
	return session;
}

static void *memory_of(const struct peat_session *session, const char *name, size_t bytes)
{
	return object__variable(session->parts[0].object, name, bytes);
}

static void set(struct peat_session *session, const char *name, const char *text)
{
	int err = peat_session__set_variable(session, name, text);

	ck_assert_msg(!err, "%s=%s: %s: %s", name, text, strerror(-err), said);
}

/* It fails this way, with these words. */
static void check_refused(struct peat_session *session, const char *name, const char *text, int err,
			  const char *words)
{
	int answer = peat_session__set_variable(session, name, text);

	ck_assert_msg(answer == err, "%s=%s: %d", name, text, answer);
	ck_assert_int_eq(errno, -err);
	ck_assert_msg(strstr(said, words), "%s=%s: '%s' does not say '%s'", name, text, said,
		      words);
}

/* The variable is written as one of this type, and holds the value. */
#define expect(session, type, name, text, value)                                                   \
	do {                                                                                       \
		set(session, name, text);                                                          \
		ck_assert(*(type *)memory_of(session, name, sizeof(type)) == (type)(value));       \
	} while (0)

START_TEST(test_sets_integers)
{
	struct peat_session *session = new_session();

	expect(session, uint8_t, "byte", "255", 255);
	expect(session, uint8_t, "byte", "0x10", 16);
	expect(session, uint8_t, "byte", "010", 10);
	expect(session, int8_t, "tiny", "-128", -128);
	expect(session, int8_t, "tiny", "+127", 127);
	expect(session, int16_t, "offset", "-0x8000", -32768);
	expect(session, uint32_t, "number", "4294967295", UINT32_MAX);
	expect(session, uint64_t, "huge", "18446744073709551615", UINT64_MAX);
	expect(session, int64_t, "negative", "-9223372036854775808", INT64_MIN);
	expect(session, int64_t, "negative", "9223372036854775807", INT64_MAX);
	expect(session, int, "split", "-9", -9);
	expect(session, int, "hidden", "12", 12);
	peat_session__free(session);
}
END_TEST

START_TEST(test_ranges_are_checked)
{
	struct peat_session *session = new_session();

	check_refused(session, "byte", "256", -ERANGE, "range is 0 to 255");
	check_refused(session, "byte", "-1", -ERANGE, "range is 0 to 255");
	check_refused(session, "tiny", "128", -ERANGE, "range is -128 to 127");
	check_refused(session, "tiny", "-129", -ERANGE, "range is -128 to 127");
	check_refused(session, "huge", "18446744073709551616", -ERANGE, "does not fit");
	check_refused(session, "negative", "9223372036854775808", -ERANGE,
		      "range is -9223372036854775808 to 9223372036854775807");
	check_refused(session, "negative", "-9223372036854775809", -ERANGE, "does not fit");
	check_refused(session, "args.small", "8", -ERANGE, "range is 0 to 7");
	check_refused(session, "args.slope", "-9", -ERANGE, "range is -8 to 7");
	check_refused(session, "prefix", "12345678", -ERANGE, "7 bytes");
	check_refused(session, "delay", "6000000h", -ERANGE, "does not fit");
	ck_assert_int_eq(*(uint8_t *)memory_of(session, "byte", 1), 200);
	peat_session__free(session);
}
END_TEST

START_TEST(test_sets_by_words)
{
	struct peat_session *session = new_session();

	expect(session, bool, "loud", "true", true);
	expect(session, bool, "loud", "no", false);
	expect(session, bool, "loud", "1", true);
	expect(session, int32_t, "color", "RED", 1);
	expect(session, int32_t, "color", "BLUE", -7);
	expect(session, int32_t, "color", "-3", -3);
	expect(session, uint32_t, "access", "ACCESS_WRITE|ACCESS_EXECUTE", 6);
	expect(session, uint32_t, "access", "0x8", 8);
	expect(session, uint64_t, "delay", "5ms", 5000000);
	expect(session, uint64_t, "delay", "1.5us", 1500);
	expect(session, uint64_t, "delay", "0.123456789s", 123456789);
	expect(session, uint64_t, "delay", "0", 0);
	expect(session, uint64_t, "room", "64K", 65536);
	expect(session, uint64_t, "room", "1.5MiB", 1572864);
	set(session, "port", "443");
	ck_assert_mem_eq(memory_of(session, "port", 2), "\x01\xbb", 2);
	set(session, "address", "192.0.2.1");
	ck_assert_mem_eq(memory_of(session, "address", 4), "\xc0\x00\x02\x01", 4);
	set(session, "long_address", "2001:db8::1");
	ck_assert_mem_eq(memory_of(session, "long_address", 16),
			 "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16);
	set(session, "card", "02:00:00:00:00:09");
	ck_assert_mem_eq(memory_of(session, "card", 6), "\x02\0\0\0\0\x09", 6);
	set(session, "peer", "192.0.2.1:443");
	ck_assert_mem_eq(memory_of(session, "peer", 18),
			 "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\x02\x01\x01\xbb", 18);
	set(session, "peer.port", "80");
	ck_assert_mem_eq((char *)memory_of(session, "peer", 18) + 16, "\0P", 2);
	set(session, "prefix", "x=y");
	ck_assert_mem_eq(memory_of(session, "prefix", 8), "x=y\0\0\0\0\0", 8);
	set(session, "prefix", "");
	ck_assert_mem_eq(memory_of(session, "prefix", 8), "\0\0\0\0\0\0\0\0", 8);
	peat_session__free(session);
}
END_TEST

struct args {
	int pid;
	bool all;
	uint32_t small : 3, large : 13;
	int32_t slope : 4;
	struct {
		uint16_t low, high;
	} limits[3];
	char name[8];
};

START_TEST(test_sets_parts)
{
	struct peat_session *session = new_session();
	const struct args *args = memory_of(session, "args", sizeof(*args));
	const int(*counters)[3] = memory_of(session, "counters", 24);

	set(session, "args.all", "yes");
	set(session, "args.large", "8191");
	set(session, "args.slope", "-8");
	set(session, "args.limits[1].high", "77");
	set(session, "args.name", "nobody");
	ck_assert_int_eq(args->pid, 5);
	ck_assert(args->all);
	ck_assert_uint_eq(args->small, 5);
	ck_assert_uint_eq(args->large, 8191);
	ck_assert_int_eq(args->slope, -8);
	ck_assert_uint_eq(args->limits[1].high, 77);
	ck_assert_uint_eq(args->limits[1].low, 0);
	ck_assert_uint_eq(args->limits[2].low, 0);
	ck_assert_str_eq(args->name, "nobody");
	set(session, "counters[1][2]", "-6");
	ck_assert_int_eq(counters[1][2], -6);
	ck_assert_int_eq(counters[1][1], 0);
	set(session, "key[3]", "255");
	ck_assert_mem_eq(memory_of(session, "key", 4), "\1\2\3\xff", 4);
	peat_session__free(session);
}
END_TEST

START_TEST(test_names_that_are_none)
{
	struct peat_session *session = new_session();

	check_refused(session, "nothing", "1", -ENOENT, "the objects have ");
	ck_assert_ptr_nonnull(strstr(said, "huge"));
	ck_assert_ptr_nonnull(strstr(said, "counters"));
	ck_assert_ptr_null(strstr(said, "peat_own"));
	ck_assert_ptr_null(strstr(said, "inside"));
	check_refused(session, "numbe", "1", -ENOENT, "no variable 'numbe'");
	check_refused(session, "", "1", -ENOENT, "no variable");
	check_refused(session, "peat_own", "1", -ENOENT, "no variable 'peat_own'");
	check_refused(session, "args.gid", "1", -ENOENT,
		      "no member 'gid': the members are pid, all");
	check_refused(session, "args.limits.low", "1", -ENOENT, "'limits' is not a struct");
	check_refused(session, "number.low", "1", -ENOENT, "'number' is not a struct");
	check_refused(session, "number[0]", "1", -ENOENT, "'number' is not an array");
	check_refused(session, "counters[2][0]", "1", -ENOENT, "it has 2 elements");
	check_refused(session, "key[4]", "1", -ENOENT, "it has 4 elements");
	check_refused(session, "key[-1]", "1", -ENOENT, "not a member such as");
	check_refused(session, "key[1", "1", -ENOENT, "not a member such as");
	check_refused(session, "key[1]x", "1", -ENOENT, "not a member such as");
	peat_session__free(session);
}
END_TEST

START_TEST(test_texts_that_are_none)
{
	static const char *const no_numbers[] = { "",	" 1",  "1 ",  "x",  "1x",
						  "0x", "--1", "1e3", "1.5" };
	struct peat_session *session = new_session();

	for (size_t i = 0; i < sizeof(no_numbers) / sizeof(*no_numbers); i++)
		check_refused(session, "number", no_numbers[i], -EINVAL,
			      "the value is not a number");
	check_refused(session, "loud", "2", -EINVAL, "true or false");
	check_refused(session, "color", "PINK", -EINVAL, "RED, GREEN");
	check_refused(session, "color", "RED|GREEN", -EINVAL, "one of");
	check_refused(session, "access", "ACCESS_READ|", -EINVAL, "ACCESS_EXECUTE");
	check_refused(session, "delay", "5", -EINVAL, "a time with its unit");
	check_refused(session, "delay", "5.ms", -EINVAL, "a time with its unit");
	check_refused(session, "delay", "-5ms", -EINVAL, "a time with its unit");
	check_refused(session, "room", "5X", -EINVAL, "an amount");
	check_refused(session, "address", "1.2.3", -EINVAL, "IPv4");
	check_refused(session, "address", "192.0.2.0/24", -EINVAL, "IPv4");
	check_refused(session, "address", "0xc00002", -EINVAL, "IPv4");
	check_refused(session, "long_address", "1:2", -EINVAL, "IPv6");
	check_refused(session, "card", "02:00", -EINVAL, "Ethernet");
	check_refused(session, "peer", "192.0.2.1", -EINVAL, "an address with its port");
	check_refused(session, "ratio", "0.5", -EINVAL, "floating-point");
	check_refused(session, "args", "1", -EINVAL, "set its members");
	check_refused(session, "counters", "1", -EINVAL, "set its elements");
	check_refused(session, "counters[1]", "1", -EINVAL, "set its elements");
	peat_session__free(session);
}
END_TEST

START_TEST(test_several_objects)
{
	struct peat_session *session = new_session();

	ck_assert_int_eq(peat_session__leave_out(session, "variables"), 0);
	ck_assert_int_eq(peat_session__leave_out(session, "nothing"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(said, "no program 'nothing': the objects have variables"));
	peat_session__free(session);
	session = peat_session__new(NULL);
	check_refused(session, "number", "1", -ENOENT, "the objects have none");
	ck_assert_int_eq(peat_session__leave_out(session, "nothing"), -ENOENT);
	peat_session__free(session);
}
END_TEST

static struct peat_option variable_called(const struct peat_object *object, const char *name)
{
	struct peat_option variable = { .sz = sizeof(variable) };

	for (uint32_t i = 0; peat_object__variable(object, i, &variable) == 1; i++)
		if (!strcmp(variable.name, name))
			return variable;
	ck_abort_msg("no variable %s", name);
}

START_TEST(test_variables_are_described)
{
	struct peat_object *object =
		peat_object__open(variables_object.bytes, *variables_object.count, "variables");
	struct peat_option variable;

	ck_assert_ptr_nonnull(object);
	ck_assert_uint_eq(variable_called(object, "byte").value, 200);
	ck_assert_int_eq((int64_t)variable_called(object, "offset").value, -1000);
	ck_assert_int_eq(variable_called(object, "color").kind, PEAT_FIELD_ENUM);
	ck_assert_str_eq(variable_called(object, "prefix").text, "usr");
	variable = variable_called(object, "args");
	ck_assert_int_eq(variable.kind, PEAT_FIELD_STRUCT);
	ck_assert_str_eq(variable.field[1].name, "pid");
	ck_assert_uint_eq(variable.bytes, sizeof(struct args));
	for (uint32_t i = 0; peat_object__variable(object, i, &variable) == 1; i++)
		ck_assert_str_ne(variable.name, "peat_own");
	ck_assert_int_eq(peat_object__option(object, 0, &variable), 0);
	peat_object__free(object);
}
END_TEST

/* Options are those of the object that was added last; numbers have to fit, with or without a sign.
 */
START_TEST(test_number_options)
{
	static const struct {
		const char *option;
		uint64_t value;
		int result;
	} cases[] = {
		{ "small", 0, 0 },
		{ "small", 1, 0 },
		{ "small", 127, 0 },
		{ "small", 128, 0 },
		{ "small", 255, 0 },
		{ "small", 256, -ERANGE },
		{ "small", (uint64_t)-1, 0 },
		{ "small", (uint64_t)-128, 0 },
		{ "small", (uint64_t)-129, -ERANGE },
		{ "small", (uint64_t)-255, -ERANGE },
		{ "small", 1ULL << 63, -ERANGE },
		{ "middle", 0x8000, 0 },
		{ "middle", 0xffff, 0 },
		{ "middle", 0x10000, -ERANGE },
		{ "middle", (uint64_t)-0x8000, 0 },
		{ "middle", (uint64_t)-0x8001, -ERANGE },
		{ "large", UINT64_MAX, 0 },
		{ "large", 1ULL << 63, 0 },
		{ "other", 1, -ENOENT },
		{ "byte", 1, -ENOENT },
		{ "nothing", 1, -ENOENT },
	};
	struct peat_session *session = new_options();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int result;

		said[0] = '\0';
		result = peat_session__set_number(session, cases[i].option, cases[i].value);
		ck_assert_msg(result == cases[i].result, "case %zu: %d", i, result);
		if (result) {
			ck_assert_int_eq(errno, -result);
			ck_assert_ptr_nonnull(strstr(said, result == -ENOENT
								   ? "options has no option"
								   : "does not fit"));
		}
	}
	ck_assert_int_eq(peat_session__set_number(session, "small", 77), 0);
	ck_assert_uint_eq(*(uint8_t *)object__variable(session->parts[1].object, "small", 1), 77);
	ck_assert_int_eq(peat_session__set_number(session, "middle", 0x1234), 0);
	ck_assert_uint_eq(*(uint16_t *)object__variable(session->parts[1].object, "middle", 2),
			  0x1234);
	ck_assert_int_eq(peat_session__set_number(session, "large", 0x123456789abcdef0), 0);
	ck_assert_uint_eq(*(uint64_t *)object__variable(session->parts[1].object, "large", 8),
			  0x123456789abcdef0);
	ck_assert_int_eq(peat_session__set_number(session, "text", 1), 0);
	peat_session__free(session);
}
END_TEST

START_TEST(test_text_options)
{
	struct peat_session *session = new_options();
	const char *text = object__variable(session->parts[1].object, "text", 8);

	ck_assert_int_eq(peat_session__set_text(session, "text", "1234567"), 0);
	ck_assert_mem_eq(text, "1234567", 8);
	ck_assert_int_eq(peat_session__set_text(session, "text", "ab"), 0);
	ck_assert_mem_eq(text, "ab\0\0\0\0\0", 8);
	ck_assert_int_eq(peat_session__set_text(session, "text", "12345678"), -ERANGE);
	ck_assert_int_eq(errno, ERANGE);
	ck_assert_ptr_nonnull(strstr(said, "at most 7 bytes"));
	ck_assert_mem_eq(text, "ab\0\0\0\0\0", 8);
	ck_assert_int_eq(peat_session__set_text(session, "other", "a"), -ENOENT);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(peat_session__set_text(session, "byte", "1"), -ENOENT);
	peat_session__free(session);
	session = peat_session__new(NULL);
	ck_assert_int_eq(peat_session__set_text(session, "text", "a"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(said, "the session has no option 'text'"));
	ck_assert_int_eq(peat_session__set_number(session, "small", 1), -ENOENT);
	ck_assert_int_eq(errno, ENOENT);
	peat_session__free(session);
}
END_TEST

/* Text for an option that is a number means the same as for any variable. */
START_TEST(test_numbers_as_text)
{
	struct peat_session *session = new_options();
	struct bpf_object *object = session->parts[1].object;

	ck_assert_int_eq(peat_session__set_text(session, "small", "010"), 0);
	ck_assert_uint_eq(*(uint8_t *)object__variable(object, "small", 1), 10);
	ck_assert_int_eq(peat_session__set_text(session, "middle", "-0x10"), 0);
	ck_assert_int_eq(*(int16_t *)object__variable(object, "middle", 2), -16);
	ck_assert_int_eq(peat_session__set_text(session, "large", "18446744073709551615"), 0);
	ck_assert_uint_eq(*(uint64_t *)object__variable(object, "large", 8), UINT64_MAX);
	ck_assert_int_eq(peat_session__set_text(session, "small", "-1"), -ERANGE);
	ck_assert_int_eq(errno, ERANGE);
	ck_assert_ptr_nonnull(strstr(said, "small=-1 does not fit: its range is 0 to 255"));
	ck_assert_int_eq(peat_session__set_text(session, "small", "x"), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(said, "small=x: the value is not a number"));
	ck_assert_uint_eq(*(uint8_t *)object__variable(object, "small", 1), 10);
	peat_session__free(session);
}
END_TEST

/* One of two objects has it: that one is set.  Both have it: refused. */
START_TEST(test_variables_of_two_objects)
{
	struct peat_session *session = new_options();

	set(session, "other", "12");
	ck_assert_uint_eq(*(uint8_t *)object__variable(session->parts[1].object, "other", 1), 12);
	set(session, "byte", "13");
	ck_assert_uint_eq(*(uint8_t *)memory_of(session, "byte", 1), 13);
	check_refused(session, "nothing", "1", -ENOENT, "other");
	ck_assert_ptr_nonnull(strstr(said, "byte"));
	ck_assert_int_eq(
		peat_session__add(session, "again", options_object.bytes, *options_object.count),
		0);
	check_refused(session, "other", "1", -EINVAL,
		      "'other' is a variable of both options and again");
	peat_session__free(session);
}
END_TEST

START_TEST(test_left_out)
{
	struct peat_session *session = new_options();
	struct bpf_program *second, *options;

	second = bpf_object__find_program_by_name(session->parts[0].object, "second");
	options = bpf_object__find_program_by_name(session->parts[1].object, "options");
	ck_assert(!session->chosen);
	ck_assert_int_eq(peat_session__leave_out(session, "nothing"), -ENOENT);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(said, "the objects have second, options"));
	ck_assert(!session->chosen);
	ck_assert_int_eq(peat_session__leave_out(session, "options"), 0);
	ck_assert(session->chosen);
	ck_assert(bpf_program__autoload(second));
	ck_assert(!bpf_program__autoload(options));
	peat_session__free(session);
}
END_TEST

START_TEST(test_no_memory_for_a_variable)
{
	struct peat_session *session = new_session();

	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = peat_session__set_variable(session, "access", "ACCESS_WRITE");
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_uint_eq(*(uint32_t *)memory_of(session, "access", 4), 1);
	}
	ck_assert_uint_eq(*(uint32_t *)memory_of(session, "access", 4), 2);
	peat_session__free(session);
}
END_TEST

/* After the start nothing is set: the objects are loaded. */
START_TEST(test_started_session_refuses_settings)
{
	struct peat_session *session = new_options();

	session->reader = (struct peat_reader *)session;
	ck_assert_int_eq(peat_session__set_number(session, "small", 1), -EBUSY);
	ck_assert_int_eq(peat_session__set_text(session, "text", "a"), -EBUSY);
	check_refused(session, "byte", "1", -EBUSY, "the session was started already");
	ck_assert_int_eq(peat_session__leave_out(session, "options"), -EBUSY);
	ck_assert_int_eq(errno, EBUSY);
	session->reader = NULL;
	peat_session__free(session);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_number_options);
	tcase_add_test(tests, test_text_options);
	tcase_add_test(tests, test_numbers_as_text);
	tcase_add_test(tests, test_variables_of_two_objects);
	tcase_add_test(tests, test_left_out);
	tcase_add_test(tests, test_started_session_refuses_settings);
	tcase_add_test(tests, test_no_memory_for_a_variable);
	tcase_add_test(tests, test_sets_integers);
	tcase_add_test(tests, test_ranges_are_checked);
	tcase_add_test(tests, test_sets_by_words);
	tcase_add_test(tests, test_sets_parts);
	tcase_add_test(tests, test_names_that_are_none);
	tcase_add_test(tests, test_texts_that_are_none);
	tcase_add_test(tests, test_several_objects);
	tcase_add_test(tests, test_variables_are_described);
}
