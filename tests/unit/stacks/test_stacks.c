// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stacks.c: the sink that counts the stacks of events. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/stacks.h>

#include "support/machine/harness.h"
#include "unit/suite.h"

/* A sample of two kernel addresses and one of a program. */
static const uint64_t chain[] = { PEAT_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020,
				  PEAT_CONTEXT_USER, 0x400010 };

static struct peat_record sample = { .type = PEAT_RECORD_SAMPLE,
				     .misc = PEAT_MISC_KERNEL,
				     .has = PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_PERIOD,
				     .sample.period = 7,
				     .sample.callchain = { (const uint8_t *)chain, 5, false } };

static struct peat_event event_of(const char *comm)
{
	return (struct peat_event){ .kind = PEAT_EVENT_DATA,
				    .pid = 42,
				    .tid = 43,
				    .time_ns = 1000,
				    .comm = comm,
				    .record = &sample };
}

static void check_output(int fd, const char *wanted)
{
	char text[4096];
	ssize_t bytes = pread(fd, text, sizeof(text) - 1, 0);

	ck_assert_int_ge(bytes, 0);
	text[bytes] = 0;
	ck_assert_str_eq(text, wanted);
}

static void write_samples(struct peat_sink *sink)
{
	struct peat_event one = event_of("one"), other = event_of(NULL), lost = event_of("x");
	struct peat_record plain = { .type = PEAT_RECORD_SAMPLE };

	lost.kind = PEAT_EVENT_LOST;
	ck_assert_int_eq(peat_sink__write(sink, &one), 0);
	ck_assert_int_eq(peat_sink__write(sink, &other), 0);
	ck_assert_int_eq(peat_sink__write(sink, &one), 0);
	ck_assert_int_eq(peat_sink__write(sink, &lost), 0);
	other.record = &plain; /* no stack */
	ck_assert_int_eq(peat_sink__write(sink, &other), 0);
	other.record = NULL;
	ck_assert_int_eq(peat_sink__write(sink, &other), 0);
}

#define FRAMES "0x400010;0xffffffff81000020;0xffffffff81000010"

START_TEST(test_addresses_are_folded)
{
	int fd = memfd_create("out", MFD_CLOEXEC);
	struct peat_sink *sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, NULL);

	ck_assert_ptr_nonnull(sink);
	write_samples(sink);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	check_output(fd, ""); /* not before the end */
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	check_output(fd, ":43;" FRAMES " 1\none;" FRAMES " 2\n");
	ck_assert_int_eq(peat_sink__finish(sink), 0); /* once */
	check_output(fd, ":43;" FRAMES " 1\none;" FRAMES " 2\n");
	peat_sink__free(sink);
	close(fd);
}
END_TEST

START_TEST(test_weights_are_summed)
{
	struct peat_stacks_opts opts = { .sz = sizeof(opts), .weight = "period" };
	int fd = memfd_create("out", MFD_CLOEXEC);
	struct peat_sink *sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, &opts);
	struct peat_event event = event_of("one");

	write_samples(sink);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	check_output(fd, ":43;" FRAMES " 7\none;" FRAMES " 14\n");
	peat_sink__free(sink);
	opts.weight = "duration";
	sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, &opts);
	ck_assert_int_eq(peat_sink__write(sink, &event), -EINVAL);
	peat_sink__free(sink);
	close(fd);
}
END_TEST

/* Samples of several events do not add up. */
START_TEST(test_several_events_are_refused)
{
	const char *const chosen[] = { "@fo*", NULL }, *const none[] = { "bar", NULL };
	struct peat_stacks_opts opts = { .sz = sizeof(opts) };
	int fd = memfd_create("out", MFD_CLOEXEC);
	struct peat_event one = event_of("one"), fork = event_of("fork");
	struct peat_sink *sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, &opts);

	fork.schema = peat_side_band__schema(PEAT_SIDE_BAND_TASK, 0);
	ck_assert_str_eq(peat_schema__name(fork.schema), "@fork");
	ck_assert_int_eq(peat_sink__write(sink, &one), 0);
	ck_assert_int_eq(peat_sink__write(sink, &fork), 0);
	ck_assert_int_eq(peat_sink__finish(sink), -EINVAL);
	check_output(fd, "");
	peat_sink__free(sink);
	opts.events = chosen;
	sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, &opts);
	ck_assert_int_eq(peat_sink__write(sink, &one), 0);
	ck_assert_int_eq(peat_sink__write(sink, &fork), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	check_output(fd, "fork;" FRAMES " 1\n");
	peat_sink__free(sink);
	opts.events = none;
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, &opts);
	ck_assert_int_eq(peat_sink__write(sink, &fork), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	check_output(fd, "");
	peat_sink__free(sink);
	close(fd);
}
END_TEST

START_TEST(test_wrong_options_are_refused)
{
	struct peat_stacks_opts opts = { .sz = sizeof(opts), .reserved = { 1 } };

	ck_assert_ptr_null(peat_sink__new_stacks(-1, PEAT_STACKS_FOLDED, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_sink__new_stacks(1, (enum peat_stacks_format)9, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_sink__new_stacks(1, PEAT_STACKS_FOLDED, &opts));
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(test_full_disk_fails)
{
	for (int format = 0; peat_stacks__name((enum peat_stacks_format)format); format++) {
		int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
		struct peat_sink *sink =
			peat_sink__new_stacks(fd, (enum peat_stacks_format)format, NULL);

		write_samples(sink);
		ck_assert_int_eq(peat_sink__finish(sink), -ENOSPC);
		peat_sink__free(sink);
		close(fd);
	}
}
END_TEST

static char logged[256];

static void keep_message(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(logged, sizeof(logged), "%s", text);
}

static void check_warning(const struct peat_event *event, const char *wanted)
{
	int fd = memfd_create("stacks", MFD_CLOEXEC);
	struct peat_sink *sink = peat_sink__new_stacks(fd, PEAT_STACKS_FOLDED, NULL);

	*logged = '\0';
	if (event)
		ck_assert_int_eq(peat_sink__write(sink, event), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_msg(!strncmp(logged, wanted, strlen(wanted)), "%s", logged);
	peat_sink__free(sink);
	close(fd);
}

/* No event at all is not the fault of whoever recorded them. */
START_TEST(test_nothing_is_warned_about)
{
	struct peat_event plain = event_of("one");

	plain.record = NULL;
	peat_set_print(keep_message);
	check_warning(NULL, "no events: ");
	check_warning(&plain, "no event has a stack: ");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_nothing_is_warned_about);
	tcase_add_test(tests, test_addresses_are_folded);
	tcase_add_test(tests, test_weights_are_summed);
	tcase_add_test(tests, test_several_events_are_refused);
	tcase_add_test(tests, test_wrong_options_are_refused);
	tcase_add_test(tests, test_full_disk_fails);
}
