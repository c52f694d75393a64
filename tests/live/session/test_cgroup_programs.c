// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cgroup_programs.c: programs of cgroups are attached to the cgroup of --cgroup. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(cgroups)
EMBED_OBJECT(mixed)

static char cgroup[512];

static void make_cgroup(void)
{
	snprintf(cgroup, sizeof(cgroup), "%s/peat-programs-%d", mounts__cgroup2(), (int)getppid());
	rmdir(cgroup);
	ck_assert_int_eq(mkdir(cgroup, 0755), 0);
}

static void remove_cgroup(void)
{
	rmdir(cgroup);
}

static const char *file_of(const struct object_file *object)
{
	static char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-cgroups-%d.bpf.o", (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(object->bytes, *object->count, 1, file), 1);
	fclose(file);
	return path;
}

/* A connection that is refused, and the opening of a device. */
static int use_network(void *arg)
{
	(void)arg;
	netns__enter();
	close(open("/dev/null", O_RDONLY | O_CLOEXEC));
	netns__be_refused();
	return 0;
}

static int use_cgroup(void *arg)
{
	mounts__enter_cgroup(cgroup);
	return use_network(arg);
}

static unsigned count_kind(const struct tracing *tracing, const char *kind, unsigned *port)
{
	unsigned count = 0;

	for (size_t i = 0; i < tracing->events.count; i++) {
		const char *event = tracing->events.lines[i];

		if (strcmp(json_lines__text(event, "kind"), kind))
			continue;
		*port = (unsigned)json_lines__number(event, "port");
		count++;
	}
	return count;
}

/* Traffic of the cgroup is seen, and none of other tasks. */
START_TEST(test_attached_to_given_cgroup)
{
	static const char *const kinds[] = { "packet", "socket", "sockops", "device" };
	const char *path = file_of(&cgroups_object);
	struct tracing tracing;
	unsigned port;

	tracing__start(&tracing, TRACE("--cgroup", cgroup, "--no-prog", "on_exit", "--as",
				       "calls=call", path));
	process__do(use_network, NULL);
	process__do(use_cgroup, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(count_kind(&tracing, "connect", &port), 1);
	ck_assert_uint_ne(port, 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		ck_assert_msg(count_kind(&tracing, kinds[i], &port) > 0, "no %s", kinds[i]);
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

static void check(const char *const *argv, int status, const char *words)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status && strstr(peat.err_text, words), "%d: %s", peat.status,
		      peat.err_text);
	command__free(&peat);
}

START_TEST(test_cgroup_is_needed)
{
	const char *path = file_of(&cgroups_object), *peat = command__peat();

	check(ARGV(peat, "trace", path), 1,
	      "are attached to a cgroup: name it (--cgroup), / is the root\n");
	check(ARGV(peat, "trace", "--cgroup", "/no/such", path), 1, "/no/such");
	check(ARGV(peat, "trace", "-d", "10ms", "--best-effort", path), 0,
	      "left out: program on_connect of ");
	unlink(path);
}
END_TEST

/* Programs of other kinds see all tasks. */
START_TEST(test_other_programs_are_named)
{
	const char *path = file_of(&cgroups_object);

	check(ARGV(command__peat(), "trace", "-d", "10ms", "--cgroup", cgroup, path), 0,
	      "others, such as on_exit, see all tasks\n");
	unlink(path);
}
END_TEST

static int rename_task(void *arg)
{
	(void)arg;
	return prctl(PR_SET_NAME, "renamed") != 0;
}

static int rename_in_cgroup(void *arg)
{
	mounts__enter_cgroup(cgroup);
	return rename_task(arg) || rename_task(arg);
}

/* Then the other programs are filtered. */
START_TEST(test_cgroup_programs_left_out)
{
	const char *path = file_of(&mixed_object);
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--cgroup", cgroup, "--no-prog", "of_tc", "--no-prog",
				       "of_egress", path));
	process__do(rename_task, NULL);
	process__do(rename_in_cgroup, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2);
	ck_assert_ptr_null(strstr(tracing.peat.err_text, "its programs of cgroups"));
	tracing__free(&tracing);
	check(ARGV(command__peat(), "trace", "--cgroup", "/sys", "--no-prog", "of_tc", "--no-prog",
		   "of_egress", path),
	      1, "'/sys' is not a cgroup");
	unlink(path);
}
END_TEST

static Suite *cgroup_programs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("cgroup_programs", 60, &tests);

	tcase_add_checked_fixture(tests, make_cgroup, remove_cgroup);
	tcase_add_test(tests, test_attached_to_given_cgroup);
	tcase_add_test(tests, test_cgroup_is_needed);
	tcase_add_test(tests, test_cgroup_programs_left_out);
	tcase_add_test(tests, test_other_programs_are_named);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { cgroup_programs_suite };

	return harness__main(argc, argv, suites, 1);
}
