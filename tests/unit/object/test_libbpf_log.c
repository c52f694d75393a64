// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_libbpf_log.c: libbpf's messages: forwarded as a whole, and parsed for the reason. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include <peat/log.h>

#include "elf_image.h"
#include "object/libbpf_log.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(own_or)

enum { LONG = 100000 };

static char received[LONG + 1024];
static enum peat_log_level received_level;
static libbpf_print_fn_t forward;

static void receive(enum peat_log_level level, const char *text)
{
	ck_assert_uint_lt(strlen(text), sizeof(received));
	strcpy(received, text);
	received_level = level;
}

/* Finds the function that libbpf calls. */
static void setup(void)
{
	peat_set_print(receive);
	received[0] = '\0';
	libbpf_log__forward_all();
	forward = libbpf_set_print(NULL);
}

static void teardown(void)
{
	libbpf_log__watch(NULL);
	peat_set_print(NULL);
}

__attribute__((format(printf, 2, 3))) static void print(enum libbpf_print_level level,
							const char *format, ...)
{
	va_list args;

	va_start(args, format);
	forward(level, format, args);
	va_end(args);
}

START_TEST(test_messages_are_whole)
{
	static const int bytes[] = { 10, 1024, 4094, 4095, 4096, LONG };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		print(LIBBPF_WARN, "libbpf: %0*d.\n", bytes[i], 7);
		ck_assert_uint_eq(strlen(received), strlen("libbpf: .") + (size_t)bytes[i]);
		ck_assert_str_eq(received + strlen(received) - 3, "07.");
	}
}
END_TEST

START_TEST(test_level_of_message)
{
	print(LIBBPF_WARN, "libbpf: one\n");
	ck_assert_int_eq(received_level, PEAT_LOG_INFO);
	libbpf_log__expect_failures(true);
	print(LIBBPF_WARN, "libbpf: expected\n");
	ck_assert_int_eq(received_level, PEAT_LOG_DEBUG);
	libbpf_log__expect_failures(false);
	print(LIBBPF_WARN, "libbpf: unexpected\n");
	ck_assert_int_eq(received_level, PEAT_LOG_INFO);
	print(LIBBPF_INFO, "libbpf: two\n");
	ck_assert_int_eq(received_level, PEAT_LOG_DEBUG);
	print(LIBBPF_DEBUG, "libbpf: three");
	ck_assert_str_eq(received, "libbpf: three");
}
END_TEST

START_TEST(test_reason_is_after_a_long_log)
{
	struct load_failure failure;

	libbpf_log__watch(&failure);
	print(LIBBPF_WARN, "libbpf: prog 'on_exit': BPF program load failed: -EACCES\n");
	print(LIBBPF_WARN,
	      "libbpf: prog 'on_exit': -- BEGIN PROG LOAD LOG --\n"
	      "%0*d\ninvalid access to map value\nprocessed 7 insns\n-- END PROG LOAD LOG --\n",
	      LONG, 7);
	ck_assert_str_eq(failure.program, "on_exit");
	ck_assert_str_eq(failure.reason, "invalid access to map value");
	ck_assert(failure.is_refused);
	ck_assert_ptr_nonnull(strstr(received, "-- END PROG LOAD LOG --"));
}
END_TEST

static void check_reason(const char *log, const char *reason)
{
	struct load_failure failure;

	libbpf_log__watch(&failure);
	print(LIBBPF_WARN, "libbpf: prog 'on_exit': -- BEGIN PROG LOAD LOG --\n%s", log);
	ck_assert_str_eq(failure.reason, reason);
}

START_TEST(test_reason_is_no_source_line)
{
	check_reason("R1 is invalid\n; return *at; @ exit.bpf.c:7\n\nprocessed 7 insns\n",
		     "R1 is invalid");
	check_reason("; return *at;\nR1 is invalid\n-- END PROG LOAD LOG --\n", "R1 is invalid");
}
END_TEST

START_TEST(test_reason_is_no_statistic)
{
	check_reason("R1 is invalid\nverification time 132683 usec\nstack depth 48 max 0\n"
		     "insns processed 696\nprocessed 696 insns (limit 1000000)\n",
		     "R1 is invalid");
}
END_TEST

START_TEST(test_map_that_cannot_be_created)
{
	struct load_failure failure;

	libbpf_log__watch(&failure);
	print(LIBBPF_WARN, "libbpf: map 'events': failed to create: -EPERM\n");
	print(LIBBPF_WARN, "libbpf: failed to load object 'many'\n");
	ck_assert_str_eq(failure.map, "events");
	ck_assert_str_eq(failure.program, "");
	ck_assert_str_eq(failure.last, "map 'events': failed to create: -EPERM");
}
END_TEST

/* Remedies for what libbpf refuses. */
static void check_unusable(unsigned char info, uint16_t section, const char *words)
{
	char *image = malloc(*own_or_object.count);
	Elf64_Sym *symbol;

	ck_assert_ptr_nonnull(image);
	memcpy(image, own_or_object.bytes, *own_or_object.count);
	symbol = elf_image__symbol(image, "own_or");
	symbol->st_info = info;
	if (section != SHN_ABS)
		symbol->st_shndx = section;
	libbpf_log__forward_all();
	ck_assert_ptr_null(libbpf_log__open_mem("the object", image, *own_or_object.count, NULL));
	ck_assert_msg(strstr(received, words), "%s", received);
	free(image);
}

START_TEST(test_unusable_objects)
{
	check_unusable(ELF64_ST_INFO(STB_LOCAL, STT_FUNC), SHN_ABS, "compile it without `static`");
	check_unusable(ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), SHN_UNDEF, "bpftool gen object");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_messages_are_whole);
	tcase_add_test(tests, test_level_of_message);
	tcase_add_test(tests, test_reason_is_after_a_long_log);
	tcase_add_test(tests, test_reason_is_no_source_line);
	tcase_add_test(tests, test_reason_is_no_statistic);
	tcase_add_test(tests, test_map_that_cannot_be_created);
	tcase_add_test(tests, test_unusable_objects);
}
