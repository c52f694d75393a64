// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_batch.c: events of a batch: order, bytes, names, size, references. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <peat/batch.h>
#include <peat/log.h>

#include "batch/batch.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static struct peat_batch *new_batch(uint64_t bytes)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "exec", .bytes = bytes };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

/* An event whose bytes all are `pid`. */
static int add(struct peat_batch *batch, uint32_t pid, uint32_t size, const char *comm)
{
	char bytes[4096];
	struct peat_event event = { .pid = pid, .size = size, .data = bytes, .comm = comm };

	ck_assert_uint_le(size, sizeof(bytes));
	memset(bytes, (int)pid, size);
	return peat_batch__add(batch, &event);
}

static void check_event(const struct peat_event *event, uint32_t pid, uint32_t size,
			const char *comm)
{
	ck_assert_uint_eq(event->pid, pid);
	ck_assert_uint_eq(event->size, size);
	ck_assert_uint_eq((uintptr_t)event->data % 8, 0);
	for (uint32_t i = 0; i < size; i++)
		ck_assert_uint_eq(((const uint8_t *)event->data)[i], pid);
	if (comm)
		ck_assert_str_eq(event->comm, comm);
	else
		ck_assert_ptr_null(event->comm);
}

/* Events fit into the room without another allocation; room that there is no memory for is none. */
START_TEST(test_reserves_room)
{
	struct peat_batch *batch = new_batch(0);
	uint64_t bytes;

	batch__reserve(batch, 10000);
	bytes = peat_batch__bytes(batch);
	ck_assert_uint_ge(bytes, 10000);
	for (uint32_t i = 1; batch__event_bytes(batch) < 9000; i++)
		ck_assert_int_eq(add(batch, i, 100, "sh"), 0);
	ck_assert_uint_eq(peat_batch__bytes(batch), bytes);
	peat_batch__unref(batch);

	batch = new_batch(0);
	fail_alloc__begin(1);
	batch__reserve(batch, 10000);
	fail_alloc__end();
	ck_assert_int_eq(add(batch, 1, 100, "sh"), 0);
	ck_assert_uint_eq(peat_batch__events(batch), 1);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_events_come_in_order)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch(0);
	char comm[] = "first";
	struct peat_event event;

	ck_assert(!peat_batch__next(batch, &at, &event));
	ck_assert_int_eq(add(batch, 1, 13, comm), 0);
	strcpy(comm, "other");
	ck_assert_int_eq(add(batch, 2, 0, NULL), 0);
	ck_assert_int_eq(add(batch, 3, 8, ""), 0);
	ck_assert(peat_batch__next(batch, &at, &event));
	check_event(&event, 1, 13, "first");
	ck_assert(peat_batch__next(batch, &at, &event));
	check_event(&event, 2, 0, NULL);
	ck_assert(peat_batch__next(batch, &at, &event));
	check_event(&event, 3, 8, "");
	ck_assert(!peat_batch__next(batch, &at, &event));
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_members_are_kept)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch(0);
	struct peat_schema *schema = (void *)batch; /* not read */
	struct peat_event event = { .kind = PEAT_EVENT_LOST, .cpu = 3, .time_ns = 4, .tid = 5 };

	event.lost = 6;
	event.record = (void *)batch;
	event.schema = schema;
	event.has_owner = true;
	event.uid = 7;
	event.cgroup = 8;
	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	memset(&event, 0, sizeof(event));
	ck_assert(peat_batch__next(batch, &at, &event));
	ck_assert_int_eq(event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(event.cpu, 3);
	ck_assert_uint_eq(event.time_ns, 4);
	ck_assert_uint_eq(event.tid, 5);
	ck_assert_uint_eq(event.lost, 6);
	ck_assert_ptr_null(event.record);
	ck_assert_ptr_eq(event.schema, schema);
	ck_assert(event.has_owner);
	ck_assert_uint_eq(event.uid, 7);
	ck_assert_uint_eq(event.cgroup, 8);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_losses_are_not_counted_as_events)
{
	struct peat_batch *batch = new_batch(0);
	const enum peat_event_kind kinds[] = { PEAT_EVENT_DATA, PEAT_EVENT_LOST, PEAT_EVENT_RECORD,
					       PEAT_EVENT_TOOL };

	for (uint32_t i = 0; i < 4; i++)
		ck_assert_int_eq(peat_batch__add(batch, &(struct peat_event){ .kind = kinds[i] }),
				 0);
	ck_assert_uint_eq(peat_batch__events(batch), 2);
	ck_assert_uint_eq(peat_batch__points(batch), 0);
	peat_batch__unref(batch);
}
END_TEST

static uint32_t count(const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	uint32_t pid = 0;

	while (peat_batch__next(batch, &at, &event))
		check_event(&event, ++pid, 1000, "comm");
	return pid;
}

START_TEST(test_full_batch_keeps_its_events)
{
	struct peat_batch *batch = new_batch(10000);
	uint32_t n = 0;

	peat_set_print(keep);
	errno = 0;
	while (!add(batch, n + 1, 1000, "comm"))
		n++;
	ck_assert_uint_ge(n, 5);
	ck_assert_uint_lt(n, 10);
	ck_assert_int_eq(add(batch, 9, 1000, "comm"), -ENOSPC);
	ck_assert_int_eq(errno, 0);
	ck_assert_str_eq(message, "");
	ck_assert_uint_eq(count(batch), n);
	ck_assert_uint_eq(peat_batch__events(batch), n);
	ck_assert_uint_ge(peat_batch__bytes(batch), n * 1000);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_smaller_event_fits_a_full_batch)
{
	struct peat_batch *batch = new_batch(4000);

	ck_assert_int_eq(add(batch, 1, 2000, NULL), 0);
	ck_assert_int_eq(add(batch, 2, 2000, NULL), -ENOSPC);
	ck_assert_int_eq(add(batch, 2, 8, NULL), 0);
	ck_assert_uint_eq(peat_batch__events(batch), 2);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_large_event_is_alone)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch(100);
	struct peat_event event;

	ck_assert_int_eq(add(batch, 1, 4096, "comm"), 0);
	ck_assert_int_eq(add(batch, 2, 0, NULL), -ENOSPC);
	ck_assert(peat_batch__next(batch, &at, &event));
	check_event(&event, 1, 4096, "comm");
	ck_assert(!peat_batch__next(batch, &at, &event));
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_default_size)
{
	struct peat_batch *batch = new_batch(0);
	uint32_t n = 0;

	while (!add(batch, 1, 4096, NULL))
		n++;
	ck_assert_uint_ge(n, (256 << 10) / 4096 - 3);
	ck_assert_uint_lt(n, (256 << 10) / 4096);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_refused_batch_options)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts) };

	peat_set_print(keep);
	ck_assert_ptr_null(peat_batch__new(&opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, "peat_batch__new(): the name of the source is missing");
	opts.source = "exec";
	opts.sz = 0;
	ck_assert_ptr_null(peat_batch__new(&opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "peat_batch__new()"));
}
END_TEST

START_TEST(test_source_is_copied)
{
	char source[] = "exec";
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = source, .wall_clock_ns = -5 };
	struct peat_batch *batch = peat_batch__new(&opts);

	strcpy(source, "open");
	ck_assert_str_eq(peat_batch__source(batch), "exec");
	ck_assert_int_eq(peat_batch__wall_clock(batch), -5);
	peat_batch__unref(batch);
}
END_TEST

/* ---- references ------------------------------------------------------------------------------ */

#define HOLDERS 4

static unsigned released;

static void release(void *arg)
{
	ck_assert_ptr_eq(arg, &released);
	released++;
}

static struct peat_batch *new_released(void)
{
	struct peat_batch_opts opts = {
		.sz = sizeof(opts), .source = "exec", .release = release, .arg = &released
	};
	struct peat_batch *batch = peat_batch__new(&opts);

	released = 0;
	ck_assert_ptr_nonnull(batch);
	return batch;
}

START_TEST(test_last_reference_releases)
{
	struct peat_batch *batch = new_released();

	ck_assert_ptr_eq(peat_batch__ref(batch), batch);
	peat_batch__unref(batch);
	ck_assert_uint_eq(released, 0);
	ck_assert_str_eq(peat_batch__source(batch), "exec");
	peat_batch__unref(batch);
	ck_assert_uint_eq(released, 1);
	peat_batch__unref(NULL);
}
END_TEST

static void *hold(void *batch)
{
	for (unsigned i = 0; i < 10000; i++)
		peat_batch__unref(peat_batch__ref(batch));
	peat_batch__unref(batch);
	return NULL;
}

START_TEST(test_threads_hold_references)
{
	struct peat_batch *batch = new_released();
	pthread_t threads[HOLDERS];

	for (unsigned i = 0; i < HOLDERS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, hold, peat_batch__ref(batch)),
				 0);
	peat_batch__unref(batch);
	for (unsigned i = 0; i < HOLDERS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(released, 1);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

START_TEST(test_batch_without_memory)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "exec" };
	long before = fail_alloc__blocks();

	for (unsigned nth = 1;; nth++) {
		struct peat_batch *batch;

		fail_alloc__begin(nth);
		errno = 0;
		batch = peat_batch__new(&opts);
		if (!fail_alloc__end()) {
			peat_batch__unref(batch);
			break;
		}
		ck_assert_ptr_null(batch);
		ck_assert_int_eq(errno, ENOMEM);
	}
	ck_assert_int_eq(fail_alloc__blocks(), before);
}
END_TEST

START_TEST(test_event_without_memory_is_left_out)
{
	struct peat_batch *batch = new_batch(64 << 10);
	uint32_t n = 0, failed = 0;
	int err;

	while (n < 50) {
		fail_alloc__begin(1);
		err = add(batch, n + 1, 1000, "comm");
		if (fail_alloc__end()) {
			ck_assert_int_eq(err, -ENOMEM);
			ck_assert_int_eq(errno, ENOMEM);
			ck_assert_uint_eq(count(batch), n);
			failed++;
			err = add(batch, n + 1, 1000, "comm");
		}
		ck_assert_int_eq(err, 0);
		n++;
	}
	ck_assert_uint_eq(count(batch), n);
	ck_assert_uint_eq(peat_batch__events(batch), n);
#ifndef __SANITIZE_ADDRESS__
	ck_assert_uint_gt(failed, 1);
#else
	(void)failed;
#endif
	peat_batch__unref(batch);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_events_come_in_order);
	tcase_add_test(tests, test_reserves_room);
	tcase_add_test(tests, test_members_are_kept);
	tcase_add_test(tests, test_losses_are_not_counted_as_events);
	tcase_add_test(tests, test_full_batch_keeps_its_events);
	tcase_add_test(tests, test_smaller_event_fits_a_full_batch);
	tcase_add_test(tests, test_large_event_is_alone);
	tcase_add_test(tests, test_default_size);
	tcase_add_test(tests, test_refused_batch_options);
	tcase_add_test(tests, test_source_is_copied);
	tcase_add_test(tests, test_last_reference_releases);
	tcase_add_test(tests, test_threads_hold_references);
	tcase_add_test(tests, test_batch_without_memory);
	tcase_add_test(tests, test_event_without_memory_is_left_out);
}
