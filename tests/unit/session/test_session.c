// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_session.c: sessions before they are started: no object is loaded. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/channel.h>
#include <peat/log.h>
#include <peat/object_file.h>
#include <peat/session.h>
#include <peat/sink.h>

#include "event/source.h"
#include "session/parts/session.h"
#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(variables)
EMBED_OBJECT(options)
EMBED_OBJECT(second)

static char logged[2048];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static long blocks;

static void setup(void)
{
	peat_set_print(note);
	logged[0] = '\0';
	blocks = fail_alloc__blocks();
}

/* Each test frees its sessions. */
static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

static struct peat_session *new_session(const struct peat_session_opts *opts)
{
	struct peat_session *session = peat_session__new(opts);

	ck_assert_ptr_nonnull(session);
	return session;
}

static int add(struct peat_session *session, const struct object_file *object)
{
	return peat_session__add(session, object->name, object->bytes, *object->count);
}

static void check_refused(int result, int err, const char *words)
{
	ck_assert_int_eq(result, err);
	ck_assert_int_eq(errno, -err);
	errno = 0;
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
	logged[0] = '\0';
}

/* ---- options --------------------------------------------------------------------------------- */

START_TEST(test_invalid_options)
{
	struct peat_session_opts opts = { .sz = 2 };
	struct peat_channel_opts channel = { .sz = 1 };

	ck_assert_ptr_null(peat_session__new(&opts));
	check_refused(-errno, -EINVAL, "peat_session_opts: .sz is 2");
	opts.sz = sizeof(opts);
	opts.channel = &channel;
	ck_assert_ptr_null(peat_session__new(&opts));
	check_refused(-errno, -EINVAL, "peat_channel_opts: .sz is 1");
	channel = (struct peat_channel_opts)PEAT_CHANNEL_OPTS_INIT;
	channel.slot_bytes = 1;
	ck_assert_ptr_null(peat_session__new(&opts));
	check_refused(-errno, -EINVAL, "peat_channel_opts: slot_bytes is 1");
	channel = (struct peat_channel_opts)PEAT_CHANNEL_OPTS_INIT;
	channel.stacks.depth = 5;
	ck_assert_ptr_null(peat_session__new(&opts));
	check_refused(-errno, -EINVAL, "peat_channel_opts: where, table and stacks of a session");
	opts.channel = NULL;
	opts.comm = "longer than 15 bytes";
	ck_assert_ptr_null(peat_session__new(&opts));
	check_refused(-errno, -EINVAL, "cannot be the name of a task");
	opts.comm = NULL;
	opts.cpus = "9999";
	ck_assert_ptr_null(peat_session__new(&opts));
	check_refused(-errno, -ENODEV, "this machine has no CPU 9999");
}
END_TEST

/* Objects are added after the caller's strings and options are gone. */
START_TEST(test_options_are_copied)
{
	struct peat_channel_opts channel = PEAT_CHANNEL_OPTS_INIT;
	char comm[] = "name", cpus[] = "0", cgroup[] = "/below", interfaces[] = "eth0";
	struct peat_session_opts opts = { .sz = sizeof(opts),
					  .pid = (uint32_t)getpid(),
					  .comm = comm,
					  .cpus = cpus,
					  .cgroup = cgroup,
					  .channel = &channel,
					  .interfaces = interfaces };
	struct peat_session *session;

	channel.max_rate = 77;
	session = new_session(&opts);
	comm[0] = cpus[0] = cgroup[0] = interfaces[0] = 'x';
	channel.max_rate = 1;
	ck_assert_uint_eq(session->opts.pid, (uint32_t)getpid());
	ck_assert_str_eq(session->opts.comm, "name");
	ck_assert_str_eq(session->opts.cpus, "0");
	ck_assert_str_eq(session->opts.cgroup, "/below");
	ck_assert_str_eq(session->opts.interfaces, "eth0");
	ck_assert_ptr_null(session->opts.channel);
	ck_assert_uint_eq(session->channel_opts.max_rate, 77);
	peat_session__free(session);
	session = new_session(NULL);
	ck_assert_ptr_null(session->opts.comm);
	ck_assert_uint_eq(session->channel_opts.batch_bytes, 0);
	ck_assert_int_eq(session->measure_fd, -1);
	peat_session__free(session);
	peat_session__free(NULL);
}
END_TEST

START_TEST(test_no_memory_for_a_session)
{
	struct peat_session_opts opts = {
		.sz = sizeof(opts), .comm = "a", .cpus = "0", .cgroup = "/", .interfaces = "lo"
	};
	unsigned nth;

	for (nth = 1; nth; nth++) {
		struct peat_session *session;
		int err;

		fail_alloc__begin(nth);
		session = peat_session__new(&opts);
		err = errno;
		if (!fail_alloc__end()) {
			peat_session__free(session);
			break;
		}
		ck_assert_ptr_null(session);
		ck_assert_int_eq(err, ENOMEM);
	}
}
END_TEST

/* ---- objects --------------------------------------------------------------------------------- */

START_TEST(test_objects_share_a_channel)
{
	struct peat_session *session = new_session(NULL);

	ck_assert_ptr_null(peat_session__channel(session));
	ck_assert_int_eq(add(session, &options_object), 0);
	ck_assert_ptr_nonnull(peat_session__channel(session));
	ck_assert_int_eq(add(session, &second_object), 0);
	ck_assert_uint_eq(session->part_count, 2);
	ck_assert_uint_eq(session->array_count, 0);
	ck_assert_str_eq(session->parts[0].name, "options");
	ck_assert_str_eq(session->parts[1].name, "second");
	ck_assert_str_eq(peat_schema__name(peat_session__type(session, 0)), "event");
	ck_assert_str_eq(peat_schema__name(peat_session__type(session, 1)), "second_event");
	ck_assert_ptr_null(peat_session__type(session, 2));
	peat_session__free(session);
}
END_TEST

/* An object is added whole, or not at all. */
START_TEST(test_no_memory_for_an_object)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = true };
	bool failed = true;

	for (unsigned nth = 1; failed && nth < 3000; nth++) {
		struct peat_session *session = new_session(&opts);
		int err;

		fail_alloc__begin(nth);
		err = add(session, &options_object);
		failed = fail_alloc__end();
		ck_assert(err < 0 ? failed && !session->part_count
				  : !err && session->part_count == 1 && session->parts[0].bytes);
		peat_session__free(session);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	ck_assert(!failed);
}
END_TEST

static unsigned skipped;

static void count_skipped(enum peat_log_level level, const char *text)
{
	(void)level;
	skipped += strstr(text, "skipping") != NULL;
}

/* libbpf prints a message for each section that it does not know. */
START_TEST(test_sections_known_to_libbpf)
{
	struct peat_session *session = new_session(NULL);

	skipped = 0;
	peat_set_print(count_skipped);
	ck_assert_int_eq(add(session, &options_object), 0);
	ck_assert_uint_eq(skipped, 0);
	peat_session__free(session);
}
END_TEST

START_TEST(test_one_kind_of_objects)
{
	struct peat_session *session = new_session(NULL);

	ck_assert_int_eq(add(session, &options_object), 0);
	check_refused(add(session, &variables_object), -EINVAL,
		      "variables does not use peat.bpf.h");
	ck_assert_uint_eq(session->part_count, 1);
	peat_session__free(session);
	session = new_session(NULL);
	ck_assert_int_eq(add(session, &variables_object), 0);
	check_refused(add(session, &options_object), -EINVAL, "variables does not use peat.bpf.h");
	ck_assert_uint_eq(session->part_count, 1);
	ck_assert_ptr_null(peat_session__channel(session));
	peat_session__free(session);
}
END_TEST

/* The ELF file is kept if the object may be opened again. */
START_TEST(test_kept_bytes)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = true };
	struct peat_session *session = new_session(NULL);

	ck_assert_int_eq(add(session, &options_object), 0);
	ck_assert_ptr_null(session->parts[0].bytes);
	peat_session__free(session);
	session = new_session(&opts);
	ck_assert_int_eq(add(session, &options_object), 0);
	ck_assert_uint_eq(session->parts[0].byte_count, *options_object.count);
	ck_assert_mem_eq(session->parts[0].bytes, options_object.bytes, *options_object.count);
	peat_session__free(session);
	session = new_session(NULL);
	ck_assert_int_eq(add(session, &variables_object), 0);
	ck_assert_mem_eq(session->parts[0].bytes, variables_object.bytes, *variables_object.count);
	peat_session__free(session);
}
END_TEST

/* Filters are set when an object is added. */
START_TEST(test_refused_objects)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .pid = (uint32_t)getpid() };
	struct peat_session *session = new_session(&opts);

	check_refused(add(session, &variables_object), -ENOENT, "have no filters");
	ck_assert_uint_eq(session->part_count, 0);
	ck_assert_int_eq(add(session, &options_object), 0);
	ck_assert_uint_eq(
		*(uint32_t *)object__variable(session->parts[0].object, "peat_filter_pid", 4),
		(uint32_t)getpid());
	ck_assert_int_lt(peat_session__add(session, "text", "no ELF at all", 13), 0);
	ck_assert_ptr_nonnull(strstr(logged, "text"));
	check_refused(peat_session__add_file(session, "/no/such/file.bpf.o"), -ENOENT,
		      "/no/such/file.bpf.o");
	ck_assert_uint_eq(session->part_count, 1);
	peat_session__free(session);
}
END_TEST

static int add_as_file(struct peat_session *session, const struct object_file *object,
		       char path[32])
{
	int fd, err;

	strcpy(path, "/tmp/peat-session-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, object->bytes, *object->count), (ssize_t)*object->count);
	close(fd);
	err = peat_session__add_file(session, path);
	unlink(path);
	return err;
}

START_TEST(test_file_keeps_its_path)
{
	struct peat_session *session = new_session(NULL);
	char path[32], other[32];

	ck_assert_int_eq(add_as_file(session, &options_object, path), 0);
	ck_assert_str_eq(session->parts[0].name, path);
	ck_assert_ptr_nonnull(session->channel);
	check_refused(add_as_file(session, &variables_object, other), -EINVAL,
		      "does not use peat.bpf.h");
	ck_assert_uint_eq(session->part_count, 1);
	peat_session__free(session);
}
END_TEST

/* Renames the sections .BTF and .BTF.ext, and those of their relocations. */
static void hide_btf(char *bytes, size_t count)
{
	unsigned found = 0;

	for (size_t i = 0; i + 4 < count; i++) {
		if (memcmp(bytes + i, ".BTF", 4))
			continue;
		bytes[i + 1] = 'X';
		found++;
	}
	ck_assert_uint_gt(found, 0);
}

START_TEST(test_object_without_btf)
{
	struct peat_session *session = new_session(NULL);
	size_t count = *options_object.count;
	char *bytes = malloc(count);

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, options_object.bytes, count);
	hide_btf(bytes, count);
	check_refused(peat_session__add(session, "bare", bytes, count), -EINVAL,
		      "bare cannot be used as a BPF object: it has no valid BTF");
	ck_assert_ptr_null(peat_object__open(bytes, count, "bare"));
	check_refused(-errno, -EINVAL, "it has no valid BTF: compile it with clang -g");
	free(bytes);
	peat_session__free(session);
}
END_TEST

/* libbpf's own words are part of the message. */
START_TEST(test_reason_of_libbpf)
{
	struct peat_session *session = new_session(NULL);

	ck_assert_int_lt(peat_session__add(session, "text", "no ELF at all", 13), 0);
	ck_assert_msg(strstr(logged, "elf: "), "%s", logged);
	check_refused(peat_session__add_file(session, "/no/such/file.bpf.o"), -ENOENT,
		      "object: No such file or directory");
	peat_session__free(session);
}
END_TEST

/* ---- before and after the start -------------------------------------------------------------- */

START_TEST(test_before_the_start)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };
	struct peat_session *session = new_session(NULL);

	check_refused(peat_session__wait(session, 0), -EINVAL, "the session is not started");
	check_refused(peat_session__drain(session, NULL), -EINVAL, "the session is not started");
	ck_assert_ptr_null(peat_session__reader(session));
	ck_assert_int_eq(add(session, &options_object), 0);
	ck_assert_int_eq(peat_session__program(session, 0, &stats), 0);
	peat_session__stop(session);
	peat_session__free(session);
}
END_TEST

START_TEST(test_nothing_to_read)
{
	struct peat_session *session = new_session(NULL);

	check_refused(peat_session__start(session, NULL), -EINVAL, "it has no object");
	ck_assert_ptr_null(peat_session__reader(session));
	peat_session__free(session);
}
END_TEST

/* Nothing is loaded then, and nothing is tried. */
START_TEST(test_cancelled_start)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = true };
	struct peat_session *session = new_session(&opts);

	ck_assert_int_eq(add(session, &options_object), 0);
	peat_session__cancel(session);
	check_refused(peat_session__start(session, NULL), -ECANCELED, "was cancelled");
	ck_assert_ptr_null(peat_session__reader(session));
	peat_session__free(session);
}
END_TEST

START_TEST(test_started_session_refuses_objects)
{
	struct peat_session *session = new_session(NULL);

	session->reader = (struct peat_reader *)session;
	check_refused(add(session, &options_object), -EBUSY, "started already");
	check_refused(peat_session__add_file(session, "file"), -EBUSY, "started already");
	check_refused(peat_session__start(session, NULL), -EBUSY, "started already");
	ck_assert_uint_eq(session->part_count, 0);
	session->reader = NULL;
	peat_session__free(session);
}
END_TEST

/* ---- draining -------------------------------------------------------------------------------- */

static enum peat_event_kind kinds[] = { PEAT_EVENT_DATA, PEAT_EVENT_LOST, PEAT_EVENT_DATA };
static unsigned events_left, events_written, flushes;
static int end_of_events, write_error, flush_error;

static int next_kind(struct peat_reader *reader)
{
	if (!events_left)
		return end_of_events;
	reader->event.kind = kinds[--events_left];
	return 1;
}

static void add_no_counts(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	(void)reader;
	(void)stats;
}

static int count_event(struct peat_sink *sink, const struct peat_event *event)
{
	(void)sink;
	ck_assert_int_eq(event->kind, kinds[events_left]);
	events_written++;
	return write_error;
}

static int count_flush(struct peat_sink *sink)
{
	(void)sink;
	flushes++;
	return flush_error;
}

/* Drains three events, two of them data. */
static int drain(void)
{
	static const struct source_ops ops = { .next = next_kind, .count = add_no_counts };
	struct peat_sink sink = { .sz = sizeof(sink), .write = count_event, .flush = count_flush };
	struct peat_reader reader = { .ops = &ops };
	struct peat_session *session = new_session(NULL);
	int result;

	reader.row.step = SIZE_MAX;
	events_left = 3;
	events_written = flushes = 0;
	errno = 0;
	session->reader = &reader;
	result = peat_session__drain(session, &sink);
	session->reader = NULL;
	peat_session__free(session);
	return result;
}

START_TEST(test_drain_returns_errors)
{
	ck_assert_int_eq(drain(), 2);
	ck_assert_uint_eq(events_written, 3);
	ck_assert_uint_eq(flushes, 1);
	write_error = -EPIPE;
	ck_assert_int_eq(drain(), -EPIPE);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_uint_eq(events_written, 1);
	ck_assert_uint_eq(flushes, 0);
	write_error = 0;
	flush_error = -ENOSPC;
	ck_assert_int_eq(drain(), -ENOSPC);
	ck_assert_int_eq(errno, ENOSPC);
	end_of_events = -EBADMSG;
	ck_assert_int_eq(drain(), -EBADMSG);
	ck_assert_int_eq(errno, EBADMSG);
	ck_assert_uint_eq(events_written, 3);
	ck_assert_uint_eq(flushes, 0);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_invalid_options);
	tcase_add_test(tests, test_options_are_copied);
	tcase_add_test(tests, test_no_memory_for_a_session);
	tcase_add_test(tests, test_objects_share_a_channel);
	tcase_add_test(tests, test_no_memory_for_an_object);
	tcase_add_test(tests, test_sections_known_to_libbpf);
	tcase_add_test(tests, test_one_kind_of_objects);
	tcase_add_test(tests, test_kept_bytes);
	tcase_add_test(tests, test_refused_objects);
	tcase_add_test(tests, test_file_keeps_its_path);
	tcase_add_test(tests, test_object_without_btf);
	tcase_add_test(tests, test_reason_of_libbpf);
	tcase_add_test(tests, test_before_the_start);
	tcase_add_test(tests, test_nothing_to_read);
	tcase_add_test(tests, test_cancelled_start);
	tcase_add_test(tests, test_started_session_refuses_objects);
	tcase_add_test(tests, test_drain_returns_errors);
}
