// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_waiting.c: recordings that come out of pipes, and whoever waits for them. */
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <time.h>

#include "unit/perf_data/read/perf_tally.h"
#include "replay_run.h"
#include "unit/suite.h"

static struct maker made;
static int fds[2]; /* of a pipe */

static void setup(void)
{
	begin_replays();
	made = (struct maker){ 0 };
	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	ck_assert_int_gt(fcntl(fds[1], F_SETPIPE_SZ, 1 << 20), 0);
}

static void close_writer(void)
{
	if (fds[1] >= 0)
		close(fds[1]);
	fds[1] = -1;
}

static void teardown(void)
{
	close(fds[0]);
	close_writer();
	free(made.at);
}

/* Into the pipe, and a new one is made. */
static void send_bytes(size_t from, size_t to)
{
	ck_assert_int_eq(write(fds[1], made.at + from, to - from), (ssize_t)(to - from));
}

static void send_all(void)
{
	send_bytes(0, made.len);
	made.len = 0;
}

static void add(uint64_t time, uint64_t number)
{
	make_event(&made, 100, (struct made_at){ time, 0, 43 }, number);
}

/* ---- sources --------------------------------------------------------------------------------- */

START_TEST(test_source_would_wait)
{
	struct perf_source source;

	ck_assert_int_eq(perf_source__open(&source, fds[0], false), 0);
	ck_assert(perf_source__would_wait(&source, 1));
	ck_assert_int_eq(write(fds[1], "abcd", 4), 4);
	ck_assert(!perf_source__would_wait(&source, 8)); /* some may be read */
	ck_assert_uint_eq(perf_source__peek(&source, 4), 4);
	ck_assert(!perf_source__would_wait(&source, 4));
	ck_assert(perf_source__would_wait(&source, 5));
	perf_source__consume(&source, 3);
	ck_assert(!perf_source__would_wait(&source, 1));
	ck_assert(perf_source__would_wait(&source, 2));
	close_writer();
	ck_assert(!perf_source__would_wait(&source, 2)); /* the end has come */
	perf_source__close(&source);
}
END_TEST

START_TEST(test_sources_that_never_wait)
{
	struct perf_source source;

	perf_source__open_memory(&source, "abc", 3, false);
	ck_assert(!perf_source__would_wait(&source, 100));
	perf_source__close(&source);
	ck_assert_int_eq(perf_source__open(&source, open("/dev/null", O_RDONLY), true), 0);
	ck_assert(!perf_source__would_wait(&source, 100));
	perf_source__close(&source);
	ck_assert_int_eq(perf_source__open(&source, memfd_create("x", 0), true), 0);
	ck_assert(!perf_source__would_wait(&source, 100));
	perf_source__close(&source);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

static struct perf_file *open_pipe(void)
{
	struct perf_file *file;
	const char *why;

	ck_assert_int_eq(perf_file__open_fd(&file, fds[0], &why), 0);
	return file;
}

static void check_next(struct perf_file *file, uint32_t type)
{
	struct perf_entry entry;

	ck_assert(!perf_file__would_wait(file));
	ck_assert_int_eq(perf_file__next(file, &entry), 1);
	ck_assert_uint_eq(entry.type, type);
}

/* A header that has begun is waited for, as what it heads will follow. */
START_TEST(test_record_would_wait)
{
	struct perf_file *file;
	size_t half;

	make_pipe_header(&made);
	make_pipe_attr(&made, &made_points[0], 100);
	send_all();
	file = open_pipe();
	ck_assert_int_eq(perf_file__fd(file), fds[0]);
	check_next(file, TOOL_HEADER_ATTR);
	ck_assert(perf_file__would_wait(file));
	ck_assert(perf_file__would_wait(file));
	add(1, 1);
	add(2, 2);
	half = 56 + 4;
	send_bytes(0, half);
	check_next(file, PEAT_RECORD_SAMPLE);
	ck_assert(perf_file__would_wait(file)); /* four bytes of a header are at hand */
	send_bytes(half, made.len);
	check_next(file, PEAT_RECORD_SAMPLE);
	ck_assert(perf_file__would_wait(file));
	close_writer();
	ck_assert(!perf_file__would_wait(file));
	ck_assert_int_eq(perf_file__next(file, &(struct perf_entry){ 0 }), 0);
	ck_assert_int_eq(perf_file__end(file)->how, PERF_END_WHOLE);
	ck_assert(!perf_file__would_wait(file));
	perf_file__close(file);
}
END_TEST

/* Out of one compressed record come several, and none of them is waited for. */
START_TEST(test_inflated_records)
{
	struct maker plain = { 0 };
	ZSTD_CStream *stream = ZSTD_createCStream();
	struct perf_file *file;
	uint8_t piece[1000];
	size_t start, bytes;

	ZSTD_initCStream(stream, 1);
	make_samples(&plain, 3);
	make_pipe_header(&made);
	make_pipe_attr(&made, &two[0], 100);
	start = make_header(&made, TOOL_COMPRESSED, 0, 0);
	/* Two records and the head of the third. */
	bytes = zstd_piece(stream, plain.at, 2 * 32 + 12, piece, sizeof(piece));
	make_bytes(&made, piece, bytes);
	end_made(&made, start);
	send_all();
	file = open_pipe();
	check_next(file, TOOL_HEADER_ATTR);
	check_next(file, TOOL_COMPRESSED);
	check_next(file, PEAT_RECORD_SAMPLE);
	check_next(file, PEAT_RECORD_SAMPLE);
	start = make_header(&made, TOOL_COMPRESSED, 0, 0);
	bytes = zstd_piece(stream, plain.at + 2 * 32 + 12, 20, piece, sizeof(piece));
	make_bytes(&made, piece, bytes);
	end_made(&made, start);
	send_all();
	check_next(file, TOOL_COMPRESSED);
	check_next(file, PEAT_RECORD_SAMPLE);
	ck_assert(perf_file__would_wait(file));
	close_writer();
	ck_assert_int_eq(perf_file__next(file, &(struct perf_entry){ 0 }), 0);
	perf_file__close(file);
	ZSTD_freeCStream(stream);
	free(plain.at);
}
END_TEST

START_TEST(test_files_never_wait)
{
	struct perf_file *file;

	make_usual(&made);
	file = open_made(&made);
	ck_assert_int_eq(perf_file__fd(file), -1);
	ck_assert(!perf_file__would_wait(file));
	perf_file__close(file);
}
END_TEST

/* ---- readers --------------------------------------------------------------------------------- */

static struct peat_reader *open_piped(void)
{
	struct peat_reader *reader;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	reader = peat_reader__open(path, &replay_opts);
	ck_assert_msg(reader, "%s", replay_log);
	return reader;
}

/* An epoll of the caller's that watches the reader. */
static int watch(const struct peat_reader *reader)
{
	struct epoll_event wanted = { .events = EPOLLIN };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	ck_assert_int_eq(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, peat_reader__fd(reader), &wanted), 0);
	return epoll_fd;
}

static bool is_readable(int epoll_fd)
{
	struct epoll_event ready;

	return epoll_wait(epoll_fd, &ready, 1, 0) == 1;
}

START_TEST(test_fd_of_a_pipe)
{
	struct peat_reader *reader;
	int epoll_fd;

	replay_opts.ordered = false;
	begin_made_pipe(&made);
	send_all();
	reader = open_piped();
	epoll_fd = watch(reader);
	memset(&replayed, 0, sizeof(replayed));
	ck_assert_int_eq(see_round(reader), 0);
	ck_assert(!is_readable(epoll_fd));
	ck_assert_int_eq(peat_reader__wait(reader, 0), 0);
	ck_assert_int_eq(peat_reader__wait(reader, 10), 0);
	add(1, 1);
	add(2, 2);
	send_all();
	ck_assert(is_readable(epoll_fd));
	ck_assert_int_eq(peat_reader__wait(reader, -1), 1);
	ck_assert_int_eq(see_round(reader), 0);
	CHECK_NUMBERS(1, 2);
	ck_assert(!is_readable(epoll_fd));
	close_writer();
	ck_assert(is_readable(epoll_fd));
	ck_assert_int_eq(peat_reader__wait(reader, -1), 1);
	ck_assert_int_eq(see_round(reader), 0);
	ck_assert_int_eq(peat_reader__wait(reader, -1), -ENODATA);
	ck_assert(is_readable(epoll_fd)); /* as a closed pipe is */
	close(epoll_fd);
	peat_reader__free(reader);
}
END_TEST

/* A round that is over although more was read: the fd says so, and until all was handed out. */
START_TEST(test_fd_after_a_long_round)
{
	const struct peat_event *event;
	struct peat_reader *reader;
	unsigned events = 0, rounds = 0;
	int epoll_fd;

	begin_made_pipe(&made);
	for (int i = 0; i < 40000; i++)
		make_round(&made);
	add(1, 1);
	make_round(&made);
	make_round(&made);
	send_all();
	reader = open_piped();
	epoll_fd = watch(reader);
	for (; is_readable(epoll_fd); rounds++)
		while (peat_reader__next(reader, &event) > 0)
			events++;
	ck_assert_uint_eq(events, 1);
	ck_assert_uint_eq(rounds, 3);
	add(2, 2);
	make_round(&made);
	make_round(&made);
	send_all();
	ck_assert(is_readable(epoll_fd));
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	close(epoll_fd);
	peat_reader__free(reader);
}
END_TEST

START_TEST(test_fd_of_a_file)
{
	size_t data = begin_made_file(&made);
	struct peat_reader *reader;
	int epoll_fd;

	add(1, 1);
	end_made_file(&made, data);
	reader = open_replay(&made);
	epoll_fd = watch(reader);
	ck_assert(is_readable(epoll_fd));
	see_all(reader);
	CHECK_NUMBERS(1);
	ck_assert(is_readable(epoll_fd));
	close(epoll_fd);
	peat_reader__free(reader);
}
END_TEST

/* ---- somebody breaks in ---------------------------------------------------------------------- */

static struct peat_reader *broken;

static void break_in(int signal_number)
{
	(void)signal_number;
	peat_reader__break(broken);
}

/* The handler also interrupts the wait: either may be told first, and the break is told once. */
START_TEST(test_break_by_a_signal)
{
	struct sigaction action = { .sa_handler = break_in };
	struct itimerspec soon = { .it_value.tv_nsec = 20000000 };
	struct sigevent by = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	timer_t timer;
	int ret;

	begin_made_pipe(&made);
	send_all();
	broken = open_piped();
	ck_assert_int_eq(see_round(broken), 0);
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &by, &timer), 0);
	ck_assert_int_eq(timer_settime(timer, 0, &soon, NULL), 0);
	ret = peat_reader__wait(broken, -1);
	if (ret == -EINTR)
		ret = peat_reader__wait(broken, -1);
	ck_assert_int_eq(ret, -ECANCELED);
	ck_assert_int_eq(peat_reader__wait(broken, 0), 0);
	timer_delete(timer);
	peat_reader__free(broken);
}
END_TEST

static void *break_soon(void *arg)
{
	usleep(20000);
	peat_reader__break(arg);
	return NULL;
}

START_TEST(test_break_by_a_thread)
{
	struct peat_reader *reader;
	pthread_t thread;

	begin_made_pipe(&made);
	send_all();
	reader = open_piped();
	ck_assert_int_eq(see_round(reader), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, break_soon, reader), 0);
	ck_assert_int_eq(peat_reader__wait(reader, -1), -ECANCELED);
	pthread_join(thread, NULL);
	peat_reader__break(reader);
	peat_reader__break(reader);
	add(1, 1);
	send_all();
	ck_assert_int_eq(peat_reader__wait(reader, -1), -ECANCELED);
	ck_assert_int_eq(peat_reader__wait(reader, -1), 1);
	peat_reader__free(reader);
}
END_TEST

/* A file never waits, and yet listens. */
START_TEST(test_break_of_a_file)
{
	size_t data = begin_made_file(&made);
	struct peat_reader *reader;

	end_made_file(&made, data);
	reader = open_replay(&made);
	ck_assert_int_eq(peat_reader__wait(reader, -1), 1);
	peat_reader__break(reader);
	ck_assert_int_eq(peat_reader__wait(reader, -1), -ECANCELED);
	ck_assert_int_eq(peat_reader__wait(reader, -1), 1);
	see_all(reader);
	peat_reader__break(reader);
	ck_assert_int_eq(peat_reader__wait(reader, -1), -ECANCELED);
	ck_assert_int_eq(peat_reader__wait(reader, -1), -ENODATA);
	peat_reader__free(reader);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_source_would_wait);
	tcase_add_test(tests, test_sources_that_never_wait);
	tcase_add_test(tests, test_record_would_wait);
	tcase_add_test(tests, test_inflated_records);
	tcase_add_test(tests, test_files_never_wait);
	tcase_add_test(tests, test_fd_of_a_pipe);
	tcase_add_test(tests, test_fd_after_a_long_round);
	tcase_add_test(tests, test_fd_of_a_file);
	tcase_add_test(tests, test_break_by_a_signal);
	tcase_add_test(tests, test_break_by_a_thread);
	tcase_add_test(tests, test_break_of_a_file);
}
