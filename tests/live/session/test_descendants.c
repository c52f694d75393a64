// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_descendants.c: peat_session_opts.ancestor: events of a child and its descendants. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/peat.h>

#include "support/load/renames.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(mixed)
EMBED_OBJECT(older)
EMBED_OBJECT(renames)

static char logged[4096];
static int ends[2]; /* the child begins when the write end is closed */

/* Emits events 1 to 3: by the child, by its child, and by the orphan that that one leaves. */
static int emit_events(void *arg)
{
	char byte;
	int status;

	(void)arg;
	close(ends[1]);
	if (read(ends[0], &byte, 1))
		return 1;
	renames__emit(1, 1);
	if (!fork()) {
		renames__emit(2, 1);
		if (!fork())
			renames__emit(3, 1);
		_exit(0);
	}
	return wait(&status) < 0;
}

static struct peat_session *new_session(pid_t ancestor, const struct object_file *object)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .ancestor = (uint32_t)ancestor };
	struct peat_session *session = peat_session__new(&opts);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, object->name, object->bytes, *object->count),
			 0);
	return session;
}

/* The numbers of the events that were read so far, a bit each. */
static unsigned read_numbers(struct peat_session *session, unsigned numbers)
{
	const struct peat_event *event;

	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		if (event->kind == PEAT_EVENT_DATA)
			numbers |= 1u << renames__number(event->data, event->size);
	return numbers;
}

START_TEST(test_events_of_descendants)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	struct peat_session *session;
	unsigned numbers = 0;
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = process__start(emit_events, NULL);
	close(ends[0]);
	session = new_session(child, &renames_object);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert(peat_session__descends(session, (uint32_t)child));
	ck_assert(!peat_session__descends(session, (uint32_t)getpid()));
	ck_assert(!peat_session__descends(session, UINT32_MAX));
	renames__emit(4, 1);
	close(ends[1]);
	ck_assert_int_eq(process__wait(child), 0);
	while (!(numbers >> 3 & 1)) {
		ck_assert_int_ge(peat_session__wait(session, 1000), 0);
		numbers = read_numbers(session, numbers);
	}
	peat_session__stop(session);
	numbers = read_numbers(session, numbers);
	ck_assert_uint_eq(numbers, 1 << 1 | 1 << 2 | 1 << 3);
	ck_assert_int_eq(peat_reader__stats(peat_session__reader(session), &stats), 0);
	ck_assert_uint_ge(stats.filtered, 1);
	ck_assert_uint_eq(stats.events, 3);
	peat_session__free(session);
}
END_TEST

/* Other processes may have children already. */
START_TEST(test_ancestor_is_a_child)
{
	struct peat_session *session = new_session(getpid(), &renames_object);

	ck_assert_int_eq(peat_session__start(session, NULL), -ECHILD);
	peat_session__free(session);
}
END_TEST

START_TEST(test_older_object_is_not_filtered)
{
	struct peat_session *session = new_session(getpid(), &older_object);

	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert(peat_session__descends(session, 1));
	peat_session__free(session);
}
END_TEST

static void note(enum peat_log_level level, const char *text)
{
	size_t used = strlen(logged);

	if (level <= PEAT_LOG_WARN)
		snprintf(logged + used, sizeof(logged) - used, "%s\n", text);
}

static int wait_for_end(void *arg)
{
	char byte;

	(void)arg;
	close(ends[1]);
	return read(ends[0], &byte, 1) != 0;
}

static pid_t start_child(void)
{
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = process__start(wait_for_end, NULL);
	close(ends[0]);
	return child;
}

static void end_child(pid_t child)
{
	close(ends[1]);
	ck_assert_int_eq(process__wait(child), 0);
}

/* The programs for packets are left out at last in both: no interface or cgroup is named. */
START_TEST(test_packets_beside_tasks)
{
	static const char warning[] = "mixed: the events of all tasks are returned: its program "
				      "of_tc is for packets";
	pid_t child = start_child();
	struct peat_session_opts opts = { .sz = sizeof(opts),
					  .ancestor = (uint32_t)child,
					  .best_effort = true };

	peat_set_print(note);
	for (int left_out = 0; left_out <= 1; left_out++) {
		struct peat_session *session = peat_session__new(&opts);

		logged[0] = '\0';
		ck_assert_ptr_nonnull(session);
		ck_assert_int_eq(peat_session__add(session, "mixed", mixed_object.bytes,
						   *mixed_object.count),
				 0);
		if (left_out) {
			ck_assert_int_eq(peat_session__leave_out(session, "of_tc"), 0);
			ck_assert_int_eq(peat_session__leave_out(session, "of_egress"), 0);
		}
		ck_assert_msg(!peat_session__start(session, NULL), "%s", logged);
		ck_assert_msg(left_out != (strstr(logged, warning) != NULL), "%s", logged);
		ck_assert_int_eq(peat_session__descends(session, (uint32_t)getpid()), !left_out);
		peat_session__free(session);
	}
	end_child(child);
}
END_TEST

/* BTF without the types of the kernel that the watch reads. */
static void write_btf(const char *path)
{
	struct btf *btf = btf__new_empty();
	const void *bytes;
	uint32_t count;
	FILE *file;

	ck_assert_int_gt(btf__add_int(btf, "int", 4, BTF_INT_SIGNED), 0);
	bytes = btf__raw_data(btf, &count);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	fclose(file);
	btf__free(btf);
}

START_TEST(test_missing_types_are_named)
{
	pid_t child = start_child();
	char path[64];
	struct peat_session_opts opts = { .sz = sizeof(opts),
					  .ancestor = (uint32_t)child,
					  .btf = path };
	struct peat_session *session;

	snprintf(path, sizeof(path), "/tmp/peat-descendants-%d.btf", (int)getpid());
	write_btf(path);
	peat_set_print(note);
	logged[0] = '\0';
	session = peat_session__new(&opts);
	ck_assert_msg(session, "%s", logged);
	ck_assert_int_eq(peat_session__add(session, renames_object.name, renames_object.bytes,
					   *renames_object.count),
			 0);
	ck_assert_int_lt(peat_session__start(session, NULL), 0);
	ck_assert_msg(strstr(logged, "cannot follow the descendants of process "), "%s", logged);
	ck_assert_msg(strstr(logged, ": it needs struct "), "%s", logged);
	ck_assert_msg(strstr(logged, path), "%s", logged);
	peat_session__free(session);
	unlink(path);
	end_child(child);
}
END_TEST

static Suite *descendants_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("descendants", 60, &tests);

	tcase_add_test(tests, test_events_of_descendants);
	tcase_add_test(tests, test_ancestor_is_a_child);
	tcase_add_test(tests, test_packets_beside_tasks);
	tcase_add_test(tests, test_missing_types_are_named);
	tcase_add_test(tests, test_older_object_is_not_filtered);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { descendants_suite };

	return harness__main(argc, argv, suites, 1);
}
