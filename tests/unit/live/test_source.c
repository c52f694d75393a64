// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_source.c: the options of a live reader, which are checked before anything is opened. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>
#include <peat/sampling.h>

#include "live/source.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(message, sizeof(message), "%s", text);
}

static void setup(void)
{
	*message = '\0';
	peat_set_print(keep);
}

/* Options are refused before the fds of maps are used. */
static void check_refused(const struct peat_reader_opts *opts, const char *why)
{
	*message = '\0';
	errno = 0;
	ck_assert_ptr_null(peat_reader__new_raw(-1, opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(message, why), "'%s' does not say '%s'", message, why);
}

static void check_refused_channel(struct peat_channel *channel, const struct peat_reader_opts *opts,
				  const char *why)
{
	*message = '\0';
	errno = 0;
	ck_assert_ptr_null(peat_reader__new(channel, opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(message, why), "'%s' does not say '%s'", message, why);
}

START_TEST(test_wrong_values_are_refused)
{
	const struct peat_reader_opts initial = PEAT_READER_OPTS_INIT;
	struct peat_reader_opts opts = initial;

	opts.latency_ms = 60 * 60 * 1000 + 1;
	check_refused(&opts, "latency_ms is at most 3600000");
	opts = initial;
	opts.latency_ms = 1;
	opts.immediate = true;
	check_refused(&opts, "0 with immediate");
	opts = initial;
	opts.side_band = PEAT_SIDE_BAND_OTHER;
	check_refused(&opts, "side_band is 0x200");
	opts = initial;
	opts.sample = PEAT_SAMPLE_ADDR;
	check_refused(&opts, "sample is 0x8");
	opts = initial;
	opts.ordered = true;
	opts.immediate = true;
	check_refused(&opts, "ordered and immediate exclude each other");
}
END_TEST

START_TEST(test_wrong_sizes_are_refused)
{
	struct {
		struct peat_reader_opts opts;
		uint64_t unknown;
	} newer = { PEAT_READER_OPTS_INIT, 1 };

	newer.opts.sz = sizeof(newer);
	check_refused(&newer.opts, "peat_reader_opts: an option is set");
	newer.opts.sz = 0;
	check_refused(&newer.opts, "peat_reader_opts: .sz is 0");
}
END_TEST

START_TEST(test_options_of_sources)
{
	struct peat_channel channel = { .opts.no_time = true };
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	errno = 0;
	ck_assert_ptr_null(peat_reader__new_side_band(NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "side_band is 0:"));
	opts.ordered = true;
	ck_assert_ptr_null(peat_reader__new(&channel, &opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "no_time cannot be ordered"));
	opts.ordered = false;
	opts.table = (struct peat_table *)&channel;
	check_refused_channel(&channel, &opts, "set them in the options of the channel");
	opts.table = NULL;
	opts.stacks.kinds = PEAT_STACK_USER;
	check_refused_channel(&channel, &opts, "stacks is for raw and sampled events");
	opts.stacks.kinds = 0;
	opts.sample = PEAT_SAMPLE_IP;
	ck_assert_ptr_null(peat_reader__new(&channel, &opts));
	ck_assert_ptr_nonnull(strstr(message, "raw events only"));
}
END_TEST

/* Each call fixes what the one before was refused for, so the checks are in this order. */
START_TEST(test_order_of_checks)
{
	struct peat_channel channel = { .opts.no_time = true };
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.overwrite = 1ull << 40;
	opts.ordered = opts.immediate = true;
	check_refused_channel(&channel, &opts, "overwrite excludes memory_bytes");
	opts.immediate = false;
	channel.opts.table = (struct peat_table *)&channel;
	check_refused_channel(&channel, &opts, "overwrite excludes memory_bytes");
	channel.opts.table = NULL;
	check_refused_channel(&channel, &opts, "2 GiB at most");
	opts.overwrite = 1;
	check_refused_channel(&channel, &opts, "snapshots sort events by time");
	opts.overwrite = 0;
	opts.immediate = true;
	check_refused_channel(&channel, &opts, "ordered and immediate exclude each other");
	opts.immediate = false;
	check_refused_channel(&channel, &opts, "no_time cannot be ordered");
	channel.has_reader = true;
	*message = '\0';
	ck_assert_ptr_null(peat_reader__new(&channel, &opts));
	ck_assert_int_eq(errno, EBUSY);
	ck_assert_ptr_nonnull(strstr(message, "has a reader already"));
}
END_TEST

START_TEST(test_options_of_samplers)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.overwrite = 1;
	ck_assert_ptr_null(peat_reader__new_events("page-faults", NULL, &opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "not for sampled events"));
	opts.overwrite = 0;
	opts.stacks.memory_bytes = 12;
	ck_assert_ptr_null(peat_reader__new_events("page-faults", NULL, &opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "peat_reader_opts: stacks.memory_bytes is 12"));
}
END_TEST

START_TEST(test_number_of_maps)
{
	int fds[INPUTS_MAPS + 1] = { 0 };

	ck_assert_ptr_null(peat_reader__new_maps(fds, 0, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "0 maps"));
	ck_assert_ptr_null(peat_reader__new_maps(fds, INPUTS_MAPS + 1, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "33 maps"));
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_wrong_values_are_refused);
	tcase_add_test(tests, test_wrong_sizes_are_refused);
	tcase_add_test(tests, test_options_of_sources);
	tcase_add_test(tests, test_order_of_checks);
	tcase_add_test(tests, test_options_of_samplers);
	tcase_add_test(tests, test_number_of_maps);
}
