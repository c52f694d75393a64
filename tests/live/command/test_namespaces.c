// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_namespaces.c: sessions and doctor in other namespaces than the initial ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

#define shell stock_perf__shellf

/* The warnings of a session, and the same in doctor. */
static void check_line(const char *enter, const char *name, const char *text)
{
	char *output = shell("%s $PEAT trace -q -d 10ms exec 2>&1", enter), whole[256];

	snprintf(whole, sizeof(whole), "not in the initial %s namespace: %s", name, text);
	recorded_run__check_has(output, whole);
	ck_assert_uint_eq(recorded_run__count(output, "not in the initial"), 1);
	free(output);
	output = shell("%s $PEAT doctor 2>&1 | grep '%s namespace '", enter, name);
	snprintf(whole, sizeof(whole), "not the initial one: %s", text);
	recorded_run__check_has(output, whole);
	free(output);
}

/* In a cgroup below the root, whose namespace shows no other cgroups. */
#define OWN_CGROUPS                                                                                \
	"cat > own-cgroups.sh <<'END'\n"                                                           \
	"top=%s cgroup=$top/peat-own-$$\n"                                                         \
	"mkdir $cgroup || exit\n"                                                                  \
	"(sh -c 'echo $PPID' > $cgroup/cgroup.procs\n"                                             \
	"exec unshare --cgroup --mount sh -c \"umount -l $top && mount -t cgroup2 none $top && "   \
	"\"'"                                                                                      \
	"exec \"$0\" \"$@\"' \"$@\")\n"                                                            \
	"status=$?; rmdir $cgroup; exit $status\nEND\n"

START_TEST(test_each_namespace)
{
	static const struct {
		const char *enter, *name, *text;
	} cases[] = {
		{ "unshare --pid --fork --mount-proc", "pid", "events and filters have the pids" },
		{ "sh own-cgroups.sh", "cgroup", "its own cgroup, and those outside" },
		{ "unshare --time --fork", "time", "events have the times of the initial one" },
	};
	const char *name = cases[_i].name;
	char *possible =
		shell(OWN_CGROUPS "%s true 2>/dev/null && echo yes || :", mounts__perf_cgroup2(),
		      cases[_i].enter);
	bool is_possible = *possible;

	free(possible);
	if (!is_possible)
		skip("unshare cannot make a %s namespace here", name);
	check_line(cases[_i].enter, name, cases[_i].text);
}
END_TEST

/* Own tasks may be sampled in a user namespace, if kernel.perf_event_paranoid allows it. */
START_TEST(test_user_namespace)
{
	char *output = shell("unshare --user --map-root-user $PEAT trace -q -e cpu-clock:u --"
			     " true 2>&1 || :");

	if (strstr(output, "unshare:"))
		skip("no user namespaces on this machine");
	ck_assert_msg(strstr(output, "not in the initial user namespace: its capabilities") ||
			      strstr(output, "perf_event_paranoid") ||
			      strstr(output, "this is a user namespace"),
		      "no reason: %s", output);
	free(output);
	output = shell("! unshare --user --map-root-user $PEAT trace -q exec -- true 2>&1");
	recorded_run__check_has(output, "this is a user namespace");
	free(output);
}
END_TEST

START_TEST(test_initial_namespaces)
{
	char *output = shell("$PEAT trace -q -d 10ms exec 2>&1; $PEAT doctor 2>&1");

	ck_assert_ptr_null(strstr(output, "not in the initial"));
	ck_assert_ptr_null(strstr(output, "not the initial one"));
	free(output);
}
END_TEST

/* Runs /bin/true in a cgroup, with the cgroup as argument. */
#define INSIDE                                                                                     \
	"inside() { mkdir -p $1; sh -c 'echo $$ > $0/cgroup.procs; exec /bin/true $0' $1; }\n"

/*
 * The cgroup of the namespace's root, and one outside, are unknown; one below, and one that begins
 * outside later, are known.
 */
START_TEST(test_cgroups_of_namespace)
{
	static const struct {
		const char *name, *has;
	} cases[] = {
		{ "root", "\"container\":\"\"" },
		{ "lxc/before", "\"container\":\"\"" },
		{ "lxc/later", "\"container\":\"later\"" },
		{ "root/lxc/below", "\"container\":\"below\"" },
	};
	char top[300], line[600], *output;

	snprintf(top, sizeof(top), "%s/peat-namespaces-%d", mounts__perf_cgroup2(), (int)getpid());
	setenv("TOP", top, 1);
	output = shell("unshare --cgroup true 2>/dev/null || exit 0\n"
		       "mkdir -p $TOP/root/lxc/below $TOP/lxc/before\n"
		       "cat > run.sh <<'END'\n" INSIDE
		       "for name in root lxc/before lxc/later root/lxc/below\n"
		       "do inside $TOP/$name; done\nEND\n"
		       "cat > in.sh <<'END'\n"
		       "mkdir cgroup && mount -t cgroup2 none cgroup && umount -l %s && "
		       "mount --move cgroup %s\n"
		       "$PEAT trace -q -j exec --fields container,args -a --where 'filename == "
		       "\"/bin/true\"' -- sh -c 'echo > go; read x < done'\nEND\n"
		       "mkfifo go done\n"
		       "sh -c 'echo $$ > $TOP/root/cgroup.procs; exec unshare --mount --cgroup sh "
		       "in.sh' &\n"
		       "read x < go; sh run.sh; echo > done; wait\n"
		       "find $TOP -depth -type d -exec rmdir {} +",
		       mounts__perf_cgroup2(), mounts__perf_cgroup2());
	if (!*output)
		skip("unshare cannot make a cgroup namespace here");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(line, sizeof(line), "%s,\"args\":[\"/bin/true\",\"%s/%s\"]", cases[i].has,
			 top, cases[i].name);
		recorded_run__check_has(output, line);
	}
	free(output);
}
END_TEST

/* A container may have a mount that was made outside. */
START_TEST(test_shared_cgroups)
{
	char *output;

	output = shell("top=%s/peat-shared-%d\n"
		       "unshare --cgroup true 2>/dev/null || exit 0\n"
		       "mkdir -p $top/lxc/before\n"
		       "cat > run.sh <<'END'\n" INSIDE "inside $1\nEND\n"
		       "unshare --cgroup $PEAT trace -j exec --fields container,args -a --where "
		       "'filename == \"/bin/true\"' -- sh run.sh $top/lxc/before 2>&1\n"
		       "unshare --cgroup $PEAT doctor\n"
		       "find $top -depth -type d -exec rmdir {} +",
		       mounts__perf_cgroup2(), (int)getpid());
	if (!*output)
		skip("unshare cannot make a cgroup namespace here");
	recorded_run__check_has(output, "\"container\":\"before\"");
	recorded_run__check_has(output, "but the root of all cgroups is mounted");
	ck_assert_ptr_null(strstr(output, "not in the initial"));
	free(output);
}
END_TEST

static Suite *namespaces_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("namespaces", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_loop_test(tests, test_each_namespace, 0, 3);
	tcase_add_test(tests, test_user_namespace);
	tcase_add_test(tests, test_initial_namespaces);
	tcase_add_test(tests, test_cgroups_of_namespace);
	tcase_add_test(tests, test_shared_cgroups);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { namespaces_suite };

	return harness__main(argc, argv, suites, 1);
}
