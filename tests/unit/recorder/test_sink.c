// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink.c: writes events to a recording and reads them back. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/log.h>

#include "perf_data/note.h"
#include "perf_data/read/file.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "perf_data/tool_record.h"
#include "recording_sink.h"

static int put_loss(uint64_t time_ns, uint64_t lost)
{
	struct peat_event event = {
		.kind = PEAT_EVENT_LOST, .time_ns = time_ns, .cpu = 1, .lost = lost
	};

	return peat_sink__write(sink, &event);
}

static unsigned messages;

static void count_message(enum peat_log_level level, const char *text)
{
	messages += level == PEAT_LOG_ERROR && strstr(text, "writing the recording failed");
}

/* ---- values ---------------------------------------------------------------------------------- */

static void field_text(const struct peat_event *event, uint32_t i, char text[512])
{
	uint32_t count;
	const struct peat_field *fields = peat_schema__fields(event->schema, &count);

	ck_assert_uint_lt(i, count);
	peat_field__text(&fields[i], event->data, event->size, text, 512);
}

static const char *name_of_field(const struct peat_event *event, uint32_t i, uint32_t *count)
{
	const struct peat_field *fields = peat_schema__fields(event->schema, count);

	return i < *count ? fields[i].name : "";
}

static void check_same(const struct peat_event *a, const struct peat_event *b)
{
	char text_a[512], text_b[512];
	uint32_t of_a, of_b;

	ck_assert(a && b);
	ck_assert_int_eq(b->kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(a->time_ns, b->time_ns);
	ck_assert(a->cpu == b->cpu && a->pid == b->pid && a->tid == b->tid);
	ck_assert_uint_eq(a->type, b->type);
	ck_assert_str_eq(a->comm, b->comm);
	name_of_field(a, 0, &of_a);
	name_of_field(b, 0, &of_b);
	ck_assert_uint_eq(of_a, of_b);
	for (uint32_t i = 0; i < of_a; i++) {
		ck_assert_str_eq(name_of_field(a, i, &of_a), name_of_field(b, i, &of_b));
		field_text(a, i, text_a);
		field_text(b, i, text_b);
		ck_assert_str_eq(text_a, text_b);
	}
}

static void check_values(int level)
{
	struct peat_record comm = { .type = PEAT_RECORD_COMM,
				    .comm = { .pid = 100, .tid = 100, .comm = "proc-a" } };
	struct peat_reader *again;
	const struct peat_event *event;
	unsigned count = 0;
	int file = new_file();

	open_sink(file, level, 0);
	ck_assert_int_eq(put_record(&comm, 1), 0);
	for (; (event = next(source)); count++) {
		ck_assert_int_eq(peat_sink__write(sink, event), 0);
		if (count % 100 == 99)
			ck_assert_int_eq(peat_sink__flush(sink), 0);
	}
	ck_assert_uint_eq(count, SAMPLES + EXECS);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().events, SAMPLES + EXECS);
	ck_assert_uint_eq(stats().records, 1);
	ck_assert_uint_eq(stats().bytes, (uint64_t)lseek(file, 0, SEEK_END));
	ck_assert(!stats().lost && !stats().skipped && !stats().cut);

	again = open_reader(file);
	peat_reader__free(source);
	open_source();
	while ((event = next(source)))
		check_same(event, next(again));
	ck_assert_ptr_null(next(again));
	peat_reader__free(again);
	close_sink();
}

START_TEST(test_values_at_each_level)
{
	check_values(0);
	check_values(1);
	check_values(22);
}
END_TEST

/* Too large events are cut, unsupported ones skipped; others are still written. */
START_TEST(test_too_large)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA, .time_ns = 1, .size = 65516 };
	struct peat_record poke = { .type = PEAT_RECORD_TEXT_POKE };
	struct peat_reader *again;

	open_sink(new_file(), 0, 0);
	event.data = calloc(2, 65536);
	poke.text_poke = (struct peat_text_poke){ 1, 65535, 65535, event.data, event.data };
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(put_record(&poke, 2), 0);
	ck_assert_int_eq(put_raw(3), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().events, 2);
	ck_assert_uint_eq(stats().cut, 1);
	ck_assert_uint_eq(stats().skipped, 1);
	again = open_reader(fd);
	ck_assert_uint_ge(next(again)->size, 30000);
	ck_assert_uint_eq(next(again)->time_ns, 3);
	ck_assert_ptr_null(next(again));
	peat_reader__free(again);
	free((void *)event.data);
	close_sink();
}
END_TEST

START_TEST(test_skipped_events_are_counted)
{
	struct peat_event tool = { .kind = PEAT_EVENT_TOOL, .type = TOOL_ID_INDEX },
			  unknown = { .kind = PEAT_EVENT_DATA, .type = 99, .data = "", .size = 1 },
			  bare = { .kind = PEAT_EVENT_RECORD };
	struct peat_record record = { .type = PEAT_RECORD_READ };

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(peat_sink__write(sink, &tool), 0);
	ck_assert_int_eq(peat_sink__write(sink, &unknown), 0);
	ck_assert_int_eq(peat_sink__write(sink, &bare), 0);
	ck_assert_int_eq(put_record(&record, 1), 0);
	ck_assert_int_eq(put_raw(2), 0);
	record.type = PEAT_RECORD_SWITCH;
	ck_assert_int_eq(put_record(&record, 3), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().skipped, 4);
	ck_assert(stats().events == 1 && stats().records == 1);
	close_sink();
}
END_TEST

/* ---- losses ---------------------------------------------------------------------------------- */

static uint64_t count_lost(struct peat_reader *reader, uint64_t *events)
{
	const struct peat_event *event;
	uint64_t lost = 0;

	*events = 0;
	while ((event = next(reader))) {
		*events += event->kind == PEAT_EVENT_DATA;
		lost += event->kind == PEAT_EVENT_LOST ? event->lost : 0;
	}
	return lost;
}

START_TEST(test_lost_by_reader)
{
	struct peat_reader *again;
	const struct peat_event *event;

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_raw(10), 0);
	ck_assert_int_eq(put_loss(20, 5), 0);
	ck_assert_int_eq(put_raw(30), 0);
	ck_assert_int_eq(put_loss(40, 7), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert(!stats().lost && !stats().skipped);
	again = open_reader(fd);
	ck_assert_uint_eq(next(again)->time_ns, 10);
	event = next(again);
	ck_assert(event->kind == PEAT_EVENT_LOST && event->time_ns == 20 && event->cpu == 1);
	ck_assert_uint_eq(event->lost, 5);
	ck_assert_uint_eq(next(again)->time_ns, 30);
	ck_assert_uint_eq(next(again)->lost, 7);
	ck_assert_ptr_null(next(again));
	peat_reader__free(again);
	close_sink();
}
END_TEST

/* Copies a pipe to a file. */
struct taker {
	pthread_t thread;
	int from, to;
};

static void *take(void *arg)
{
	const struct taker *taker = arg;
	char bytes[65536];
	ssize_t count;

	while ((count = read(taker->from, bytes, sizeof(bytes))) > 0)
		if (write(taker->to, bytes, (size_t)count) != count)
			return (void *)1;
	return NULL;
}

static int new_pipe(int *from)
{
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	/* The names of all tasks fill it before it is read. */
	ck_assert_int_gt(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20), 0);
	*from = ends[0];
	return ends[1];
}

/* Writes events until the sink is full; returns their number. */
static uint64_t fill(uint64_t count, uint64_t lost)
{
	uint64_t before = stats().lost;

	while (stats().lost < before + lost) {
		ck_assert_int_eq(put_raw(++count), 0);
		if (count % 5000 == 0)
			ck_assert_int_eq(peat_sink__flush(sink), 0);
	}
	return count;
}

#define FULL (2 << 20)

/* The sink never waits for a slow reader; losses are counted and recorded when possible. */
START_TEST(test_full_queue)
{
	struct taker taker = { .to = new_file() };
	struct peat_reader *again;
	uint64_t count, events, read, lost, step = 0;

	open_sink(new_pipe(&taker.from), 0, FULL);
	count = fill(0, 10000);
	ck_assert_uint_le(stats().raw_bytes, FULL + (1 << 20) + (512 << 10));
	ck_assert_uint_ge(stats().raw_bytes, FULL / 2);
	count += put_loss(count, 1000) ? 0 : 1000;
	ck_assert_int_eq(pthread_create(&taker.thread, NULL, take, &taker), 0);
	events = stats().events;
	while (stats().events < events + 20000) {
		ck_assert_int_eq(put_raw(++count), 0);
		if (++step % 1000 == 0)
			usleep(1000);
	}
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	events = stats().events;
	lost = stats().lost;
	ck_assert_uint_eq(events + lost + 1000, count);
	close_sink();
	ck_assert_int_eq(pthread_join(taker.thread, NULL), 0);
	again = open_reader(taker.to);
	ck_assert_uint_eq(count_lost(again, &read), lost + 1000);
	ck_assert_uint_eq(read, events);
	peat_reader__free(again);
	close(taker.from);
	close(taker.to);
}
END_TEST

/* Losses at the end are recorded when the file is closed.  Lost kernel records are not events. */
START_TEST(test_full_at_the_end)
{
	struct taker taker = { .to = new_file() };
	struct peat_reader *again;
	uint64_t count, read, records = 0;

	open_sink(new_pipe(&taker.from), 0, 1);
	count = fill(0, 777);
	for (; records < 100000 && stats().lost_records < 500; records++)
		ck_assert_int_eq(put_task(PEAT_RECORD_FORK, (uint32_t)records + 1, count), 0);
	ck_assert_int_eq(pthread_create(&taker.thread, NULL, take, &taker), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().lost, 777);
	ck_assert_uint_ge(stats().lost_records, 500);
	ck_assert_uint_eq(stats().records + stats().lost_records, records);
	ck_assert_uint_eq(stats().events + 777, count);
	ck_assert_uint_eq(stats().unwritten + stats().unwritten_records, 0);
	close_sink();
	ck_assert_int_eq(pthread_join(taker.thread, NULL), 0);
	again = open_reader(taker.to);
	ck_assert_uint_eq(count_lost(again, &read), 777);
	ck_assert_uint_eq(read + 777, count);
	peat_reader__free(again);
	close(taker.from);
	close(taker.to);
}
END_TEST

#define LEDGER "recorded 2\nlost_in_queue 0\nrecords_lost_in_queue 0\n"

/* The last ledger counts, and accounts for all events. */
START_TEST(test_last_ledger_is_recorded)
{
	struct perf_entry entry;
	struct perf_file *file;
	struct tool_record rec;
	struct note note;
	const char *why;
	bool found = false;

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_raw(1), 0);
	ck_assert_int_eq(put_raw(2), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		if (entry.type != TOOL_EVENT_TYPE ||
		    tool_record__parse(entry.bytes, entry.size, false, &rec) ||
		    !note__read(&rec, &note) || note.kind != NOTE_LEDGER)
			continue;
		found = true;
		ck_assert_uint_eq(note.count, strlen(LEDGER));
		ck_assert_mem_eq(note.bytes, LEDGER, note.count);
	}
	ck_assert(found);
	perf_file__close(file);
	close_sink();
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------ */

START_TEST(test_finished_sink_takes_nothing)
{
	struct peat_reader *again;
	uint64_t read;

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_raw(1), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(put_raw(2), -EINVAL);
	ck_assert_uint_eq(stats().events, 1);
	again = open_reader(fd);
	ck_assert_uint_eq(count_lost(again, &read), 0);
	ck_assert_uint_eq(read, 1);
	peat_reader__free(again);
	close_sink();
}
END_TEST

/* The file is a valid recording of everything flushed. */
START_TEST(test_freed_unfinished)
{
	struct peat_reader *again;
	uint64_t read;
	int file = new_file();

	open_sink(dup(file), 0, 0);
	ck_assert_int_eq(put_raw(1), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(put_raw(2), 0);
	close_sink();
	again = open_reader(file);
	ck_assert_uint_eq(count_lost(again, &read), 0);
	ck_assert_uint_eq(read, 2);
	peat_reader__free(again);
	close(file);
}
END_TEST

static int put_until_it_fails(void)
{
	int err = 0;

	for (uint64_t i = 1; !err && i < 10000000; i++) {
		err = put_raw(i);
		if (!err && i % 100 == 0)
			err = peat_sink__flush(sink);
	}
	return err;
}

/* Every later call fails; the error is logged once. */
static void check_stays(int err, unsigned told)
{
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(put_raw(1ULL << 40), err);
		ck_assert_int_eq(peat_sink__flush(sink), err);
	}
	ck_assert_int_eq(peat_sink__finish(sink), err);
	ck_assert_int_eq(peat_sink__finish(sink), err);
	ck_assert_uint_eq(messages, told);
}

START_TEST(test_file_that_cannot_grow)
{
	struct rlimit limit = { 1 << 20, 1 << 20 };
	struct peat_reader *again;
	uint64_t read;

	signal(SIGXFSZ, SIG_IGN);
	peat_set_print(count_message);
	open_sink(new_file(), _i, 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(put_until_it_fails(), -EFBIG);
	check_stays(-EFBIG, 1);
	again = open_reader(fd);
	count_lost(again, &read);
	ck_assert_uint_ge(read, 3000);
	ck_assert_uint_gt(stats().unwritten, 0);
	ck_assert_uint_eq(read, stats().events - stats().unwritten);
	peat_reader__free(again);
	close_sink();
}
END_TEST

/* A closed pipe is no error: no message, no signal. */
START_TEST(test_closed_pipe)
{
	int from;

	peat_set_print(count_message);
	open_sink(new_pipe(&from), 0, 0);
	ck_assert_int_eq(put_raw(1), 0);
	close(from);
	ck_assert_int_eq(put_until_it_fails(), -EPIPE);
	check_stays(-EPIPE, 0);
	close_sink();
}
END_TEST

static char refusal[256];

static void note_refusal(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(refusal, sizeof(refusal), "%s", text);
}

static void check_refused(struct peat_reader *reader, int to, int level, uint32_t reserved, int err,
			  const char *words)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;

	opts.level = level;
	opts.reserved = reserved;
	errno = 0;
	refusal[0] = '\0';
	ck_assert_ptr_null(peat_sink__new_perf(reader, to, &opts));
	ck_assert_int_eq(errno, err);
	ck_assert_msg(words ? strstr(refusal, words) != NULL : !*refusal, "%s", refusal);
}

START_TEST(test_refusals_name_reason)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC), file = new_file();
	int readable = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct peat_perf_stats of_another = { .sz = sizeof(of_another) };
	struct peat_sink another = { 0 };
	int ends[2];
	long blocks;

	open_source();
	peat_set_print(note_refusal);
	check_refused(source, full, 3, 0, ENOSPC, "cannot begin"); /* fills caches */
	blocks = fail_alloc__blocks();
	check_refused(source, file, 23, 0, EINVAL, "level must be 0 to 22");
	check_refused(source, file, -1, 0, EINVAL, "level must be 0 to 22");
	check_refused(source, file, 0, 1, EINVAL, "peat_perf_opts: reserved is not 0");
	check_refused(NULL, file, 0, 0, EINVAL, "the reader of the events is missing");
	check_refused(source, -1, 0, 0, EINVAL, "invalid file descriptor -1");
	check_refused(source, 999, 0, 0, EBADF, "cannot begin the recording");
	check_refused(source, readable, 0, 0, EBADF, "cannot begin the recording");
	check_refused(source, full, 0, 0, ENOSPC, "cannot begin the recording: No space");
	check_refused(source, full, 3, 0, ENOSPC, "cannot begin the recording: No space");
	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	check_refused(source, ends[1], 0, 0, EPIPE, NULL);
	close(ends[1]);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	ck_assert_int_eq(peat_sink__perf_stats(&another, &of_another), -EINVAL);
	ck_assert_int_eq(lseek(file, 0, SEEK_END), 0);
	peat_reader__free(source);
	close(full);
	close(file);
	close(readable);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_test(tests, test_values_at_each_level);
	tcase_add_test(tests, test_too_large);
	tcase_add_test(tests, test_skipped_events_are_counted);
	tcase_add_test(tests, test_lost_by_reader);
	tcase_add_test(tests, test_full_queue);
	tcase_add_test(tests, test_full_at_the_end);
	tcase_add_test(tests, test_last_ledger_is_recorded);
	tcase_add_test(tests, test_finished_sink_takes_nothing);
	tcase_add_test(tests, test_freed_unfinished);
	tcase_add_loop_test(tests, test_file_that_cannot_grow, 0, 2);
	tcase_add_test(tests, test_closed_pipe);
	tcase_add_test(tests, test_refusals_name_reason);
}
