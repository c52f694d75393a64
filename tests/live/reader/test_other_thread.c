// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_other_thread.c: another thread reads stats and ledger while this one reads events. */
#include <pthread.h>
#include <stdatomic.h>

#include "channel/channel.h"
#include "support/load/load.h"
#include "support/load/staged_load.h"

/* Reads the counts until the reader's thread is done.  It has no assertions: they end a process. */
struct watcher {
	pthread_t thread;
	atomic_bool is_done, has_failed;
	bool has_ledger;
	atomic_uint readings;
	const char *wrong; /* the check that failed; NULL: none */
};

static void check_order(struct watcher *watcher, const struct peat_ledger *before,
			const struct peat_ledger *ledger, const struct peat_reader_stats *stats)
{
	if (ledger->emitted < before->emitted || ledger->delivered < before->delivered)
		watcher->wrong = "a count went backwards";
	if (stats->events != ledger->delivered)
		watcher->wrong = "stats and ledger are of different rounds";
}

static void *watch(void *arg)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) }, before = ledger;
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	struct watcher *watcher = arg;

	while (!watcher->wrong && !atomic_load(&watcher->is_done)) {
		int err = peat_reader__counts(reader, PEAT_ALL_CPUS, &stats,
					      watcher->has_ledger ? &ledger : NULL);

		if (err)
			watcher->wrong = "reading the counts failed";
		else if (watcher->has_ledger)
			check_order(watcher, &before, &ledger, &stats);
		before = ledger;
		atomic_store(&watcher->has_failed, watcher->wrong != NULL);
		atomic_fetch_add(&watcher->readings, 1);
		usleep(100);
	}
	return NULL;
}

static void start_watcher(struct watcher *watcher, bool has_ledger)
{
	*watcher = (struct watcher){ .has_ledger = has_ledger };
	ck_assert_int_eq(pthread_create(&watcher->thread, NULL, watch, watcher), 0);
}

static void end_watcher(struct watcher *watcher)
{
	while (!atomic_load(&watcher->readings))
		usleep(1000);
	atomic_store(&watcher->is_done, true);
	ck_assert_int_eq(pthread_join(watcher->thread, NULL), 0);
	ck_assert_msg(!watcher->wrong, "%s", watcher->wrong);
}

/* When all was read, the counts are what the reader's own functions return. */
static void check_final(void)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) }, same = ledger;
	struct peat_reader_stats stats = { .sz = sizeof(stats) }, same_stats = stats;

	ck_assert_int_eq(peat_reader__counts(reader, PEAT_ALL_CPUS, &stats, &ledger), 0);
	ck_assert_int_eq(peat_reader__ledger(reader, PEAT_ALL_CPUS, &same), 0);
	ck_assert_int_eq(peat_reader__stats(reader, &same_stats), 0);
	ck_assert_mem_eq(&ledger, &same, sizeof(ledger));
	ck_assert_mem_eq(&stats, &same_stats, sizeof(stats));
	ck_assert_uint_eq(ledger.in_ring, 0);
	ck_assert_uint_gt(ledger.delivered, 0);
}

static uint64_t read_round(void)
{
	const struct peat_event *event;
	uint64_t events = 0;

	while (peat_reader__next(reader, &event) > 0)
		events += event->kind == PEAT_EVENT_DATA;
	return events;
}

static void watch_channel(void)
{
	pthread_t emitter;
	struct watcher watcher;
	uint64_t events = 0;

	ended = 0;
	start_watcher(&watcher, true);
	ck_assert_int_eq(pthread_create(&emitter, NULL, call_getpgid, NULL), 0);
	while (!__atomic_load_n(&ended, __ATOMIC_RELAXED)) {
		ck_assert_int_ge(peat_reader__wait(reader, 10), 0);
		events += read_round();
	}
	ck_assert_int_eq(pthread_join(emitter, NULL), 0);
	peat_reader__flush(reader);
	events += read_round();
	end_watcher(&watcher);
	ck_assert_uint_gt(events, 0);
	check_final();
}

START_TEST(test_counts_of_channel)
{
	struct bpf_link *link;

	open_attached(&link);
	watch_channel();
	bpf_link__destroy(link);
	close_all();
}
END_TEST

START_TEST(test_counts_of_ordered_reader)
{
	struct bpf_link *link;

	open_attached(&link);
	close_reader();
	open_ordered_reader(1);
	watch_channel();
	bpf_link__destroy(link);
	close_all();
}
END_TEST

START_TEST(test_one_cpu)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct bpf_link *link;

	open_attached(&link);
	ck_assert_int_eq(peat_reader__counts(reader, 0, NULL, &ledger), 0);
	ck_assert_uint_eq(ledger.delivered, 0);
	ck_assert_int_eq(peat_reader__counts(reader, 100000, NULL, &ledger), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(peat_reader__counts(reader, 100000, NULL, NULL), 0);
	ledger.sz = 0;
	ck_assert_int_eq(peat_reader__counts(reader, 0, NULL, &ledger), -EINVAL);
	bpf_link__destroy(link);
	close_all();
}
END_TEST

/* The losses of raw mode are the kernel's, of file descriptors. */
START_TEST(test_counts_of_raw_reader)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct load *load = load__open();
	struct watcher watcher;

	load__attach(load);
	reader = peat_reader__new_raw(load__map_fd(load), NULL);
	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(peat_reader__counts(reader, PEAT_ALL_CPUS, NULL, &ledger), -ENOTSUP);
	start_watcher(&watcher, false);
	while (atomic_load(&watcher.readings) < 100 && !atomic_load(&watcher.has_failed)) {
		syscall(SYS_getpgid, 0);
		ck_assert_int_ge(peat_reader__wait(reader, 0), 0);
		read_round();
	}
	end_watcher(&watcher);
	close_reader();
	load__free(load);
}
END_TEST

static Suite *other_thread_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("other_thread", 120, &tests);

	tcase_add_test(tests, test_counts_of_channel);
	tcase_add_test(tests, test_counts_of_ordered_reader);
	tcase_add_test(tests, test_one_cpu);
	tcase_add_test(tests, test_counts_of_raw_reader);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { other_thread_suite };

	return harness__main(argc, argv, suites, 1);
}
