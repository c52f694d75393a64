// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_symbols.c: names of addresses of this process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/symbols.h>

#include "support/machine/harness.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

__attribute__((noinline)) static int function_of_the_test(int number)
{
	return number * 3 + getpid();
}

static const struct peat_stack_frame *name(struct peat_symbols *symbols, uintptr_t address)
{
	const struct peat_stack_frame *frames;

	ck_assert_int_eq(peat_symbols__address(symbols, PEAT_SPACE_USER, (uint32_t)getpid(), 0,
					       address, &frames),
			 1);
	ck_assert_uint_eq(frames->address, address);
	return frames;
}

START_TEST(test_own_function)
{
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	const struct peat_stack_frame *frame;
	struct peat_symbols_stats stats = { .sz = sizeof(stats) };

	ck_assert_ptr_nonnull(symbols);
	frame = name(symbols, (uintptr_t)function_of_the_test + 3);
	ck_assert_str_eq(frame->symbol, "function_of_the_test");
	ck_assert_str_eq(frame->raw_symbol, "function_of_the_test");
	ck_assert_uint_eq(frame->offset, 3);
	ck_assert_ptr_nonnull(strstr(frame->module, "unit"));
	ck_assert_uint_eq(frame->build_id_bytes, 20);
	ck_assert_int_eq(peat_symbols__stats(symbols, &stats), 0);
	ck_assert_uint_eq(stats.tables, 1);
	ck_assert_uint_eq(stats.named, 1);
	ck_assert_uint_gt(stats.memory_bytes, 0);
	peat_symbols__free(symbols);
}
END_TEST

START_TEST(test_names_function_of_library)
{
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	const struct peat_stack_frame *frame = name(symbols, (uintptr_t)strtoull);

	ck_assert_ptr_nonnull(strstr(frame->symbol, "strto"));
	ck_assert_ptr_nonnull(strstr(frame->module, "libc.so"));
	peat_symbols__free(symbols);
}
END_TEST

START_TEST(test_unknown_address_has_no_name)
{
	struct peat_symbols *symbols = peat_symbols__new(NULL);
	const struct peat_stack_frame *frame = name(symbols, 1);

	ck_assert_ptr_null(frame->symbol);
	ck_assert_ptr_null(frame->module);
	ck_assert_uint_eq(frame->build_id_bytes, 0);
	peat_symbols__free(symbols);
}
END_TEST

START_TEST(test_wrong_options)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;

	opts.sz = 3;
	ck_assert_ptr_null(peat_symbols__new(&opts));
	ck_assert_int_eq(errno, EINVAL);
	peat_symbols__free(NULL);
}
END_TEST

/* Without memory, an address has no name, or the call fails; nothing is leaked. */
START_TEST(test_no_memory)
{
	const struct peat_stack_frame *frames;
	struct peat_symbols *symbols;
	bool failed = true;
	int count;

	for (unsigned nth = 1; failed; nth++) {
		long blocks = fail_alloc__blocks();

		fail_alloc__begin(nth);
		symbols = peat_symbols__new(NULL);
		count = symbols ? peat_symbols__address(symbols, PEAT_SPACE_USER,
							(uint32_t)getpid(), 0,
							(uintptr_t)function_of_the_test, &frames)
				: -errno;
		failed = fail_alloc__end();
		ck_assert_msg(count == 1 || count == -ENOMEM, "%d", count);
		if (count == 1 && frames->symbol)
			ck_assert_str_eq(frames->symbol, "function_of_the_test");
		ck_assert(failed || (count == 1 && frames->symbol));
		peat_symbols__free(symbols);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_own_function);
	tcase_add_test(tests, test_names_function_of_library);
	tcase_add_test(tests, test_unknown_address_has_no_name);
	tcase_add_test(tests, test_wrong_options);
	tcase_add_test(tests, test_no_memory);
}
