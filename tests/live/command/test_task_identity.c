// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_task_identity.c: `container`, `pod` and `unit` of an event's task.  The cgroups have the
 * names that runtimes give them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

/* Runs a line, which may use $PEAT and the functions of a shell below. */
#define shell stock_perf__shellf

#define ID    "b4d6d161c62525d726fa394b27df30e14f8ea5646313ada576b390de70cfc8cc"
#define OTHER "00d6d161c62525d726fa394b27df30e14f8ea5646313ada576b390de70cfc800"
#define THIRD "11d6d161c62525d726fa394b27df30e14f8ea5646313ada576b390de70cfc811"
#define POD   "f6f2d169-f2ae-4afa-95ed-06ff2ed6b288"

/* Runs commands in a cgroup that is there for no longer than they run. */
#define INSIDE                                                                                     \
	"inside() { d=$TOP/$1; shift; mkdir -p $d; sh -c 'echo $$ > $0/cgroup.procs; exec \"$@\"'" \
	" $d \"$@\"; rmdir $d; }; "

static char top[300];

static void setup(void)
{
	recorded_run__setup();
	snprintf(top, sizeof(top), "%s/peat-identity-%d", mounts__perf_cgroup2(), (int)getpid());
	ck_assert_int_eq(mkdir(top, 0755), 0);
	setenv("TOP", top, 1);
}

static void teardown(void)
{
	free(shell("find $TOP -depth -type d -exec rmdir {} +"));
	stock_perf__teardown();
}

static char *trace(const char *options, const char *script)
{
	char *output;

	free(shell("cat > run.sh <<'END'\n" INSIDE "%s\nEND", script));
	output = shell("$PEAT trace -q exec %s -- sh run.sh 2>&1", options);
	return output;
}

static const char *const orders[] = { "", "--ordered", "--latency 0" };

#define ORDERS (int)(sizeof(orders) / sizeof(*orders))

/* The cgroups are removed before the events are read. */
START_TEST(test_selects_by_identity)
{
	static const char script[] = "inside kubepods/pod" POD "/" ID " /bin/true a\n"
				     "inside lxc.payload.first/x.service /bin/true b\n"
				     "inside x.service /bin/true c\n"
				     "/bin/true d";
	static const struct {
		const char *expression, *has;
	} cases[] = {
		{ "container ~ \"b4d6d161*\"", "[\"/bin/true\",\"a\"]" },
		{ "pod == \"" POD "\"", "[\"/bin/true\",\"a\"]" },
		{ "container == \"first\"", "[\"/bin/true\",\"b\"]" },
		{ "unit == \"x.service\"", "[\"/bin/true\",\"c\"]" },
	};
	char options[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *output;

		snprintf(options, sizeof(options),
			 "-j %s --where '%s && filename == \"/bin/true\"'", orders[_i],
			 cases[i].expression);
		output = trace(options, script);
		ck_assert_uint_eq(recorded_run__count(output, "\"filename\":\"/bin/true\""), 1);
		recorded_run__check_has(output, cases[i].has);
		free(output);
	}
}
END_TEST

START_TEST(test_json_has_identity)
{
	char *output = trace("-j --where 'container != \"\"'",
			     "inside kubepods/pod" POD "/" ID " /bin/true");

	recorded_run__check_has(output,
				"\"container\":\"" ID "\",\"pod\":\"" POD "\",\"unit\":\"\",");
	free(output);
	output = trace("-j --identity", "inside lxc/first /bin/true");
	recorded_run__check_has(output, "\"container\":\"first\",\"pod\":\"\",\"unit\":\"\",");
	recorded_run__check_has(output, "\"container\":\"\",\"pod\":\"\",\"unit\":\"");
	free(output);
	output = trace("-j", "inside lxc/first /bin/true");
	ck_assert_ptr_null(strstr(output, "\"container\""));
	free(output);
}
END_TEST

START_TEST(test_chosen_fields_have_identity)
{
	static const char script[] = "inside lxc/first /bin/true; inside x.service /bin/true";
	char *output = trace("-j --fields container,filename", script);

	recorded_run__check_has(output, "\"container\":\"first\",\"filename\":\"/bin/true\"");
	recorded_run__check_has(output, "\"container\":\"\",\"filename\":\"/bin/true\"");
	free(output);
	output = trace("--fields unit,container,filename", script);
	recorded_run__check_has(output, "x.service     -             /bin/true");
	free(output);
	output = shell("! $PEAT trace -e page-faults --identity -- true 2>&1");
	recorded_run__check_has(output, "--identity: events of these sources have no cgroup");
	free(output);
	output = shell("! $PEAT trace -e page-faults --fields container -- true 2>&1");
	recorded_run__check_has(output, "no event has a field 'container'");
	free(output);
}
END_TEST

START_TEST(test_table_by_identity)
{
	char *output;

	free(shell("cat > run.sh <<'END'\n" INSIDE
		   "inside lxc/a /bin/true; inside lxc/b /bin/true; inside lxc/a /bin/true\nEND"));
	output = shell("$PEAT count -q -j exec --by container --where 'filename == \"/bin/true\"'"
		       " -- sh run.sh");
	recorded_run__check_has(output, "{\"container\":\"a\",\"count\":2}");
	recorded_run__check_has(output, "{\"container\":\"b\",\"count\":1}");
	free(output);
}
END_TEST

/*
 * A container that existed before, and 500 that live for 20 ms, 20 at a time.  Every event has its
 * container; Linux 7.2 skips a few runs of the program.
 */
START_TEST(test_containers_that_come_and_go)
{
	unsigned named;
	char *output;

	free(shell("mkdir -p $TOP/lxc/before"));
	output = trace("-j --fields container --where 'filename == \"/bin/true\"'",
		       "sh -c 'echo $$ > $TOP/lxc/before/cgroup.procs; exec /bin/true'\n"
		       "for i in $(seq 25); do for k in $(seq 20); do\n"
		       "inside lxc/n$i.$k sh -c '/bin/true; sleep 0.02' & done; wait; done");
	named = recorded_run__count(output, "\"container\":\"n");
	ck_assert_uint_ge(named, 480);
	ck_assert_uint_le(named, 500);
	ck_assert_uint_eq(recorded_run__count(output, "\"container\":\"before\""), 1);
	ck_assert_uint_eq(recorded_run__count(output, "\"container\""), named + 1);
	free(output);
}
END_TEST

/* Runs the script under peat, with everything that it prints. */
static char *run(const char *command, const char *script)
{
	free(shell("cat > run.sh <<'END'\n" INSIDE "%s\nEND", script));
	return shell("$PEAT %s -- sh run.sh 2>&1", command);
}

/* Containers of one name that come back, beside others. */
START_TEST(test_filters_by_options)
{
	static const char script[] = "for i in 1 2 3; do\n"
				     "inside lxc/web /bin/true; inside lxc/web2 /bin/false\n"
				     "inside kubepods/pod" POD "/" ID " /bin/false\n"
				     "inside x.service /bin/false; done";
	static const struct {
		const char *options, *wanted, *other;
		unsigned events;
	} cases[] = {
		{ "--container web", "\"container\":\"web\",", "\"web2\"", 3 },
		{ "--container 'web*'", "\"container\":\"web2\"", "\"unit\":\"x", 6 },
		{ "--container b4d6", "\"container\":\"" ID "\"", "\"web\"", 3 },
		{ "--container b4d6 --where 'filename ~ \"/bin/t*\"'", "", ID, 0 },
		{ "--pod " POD, "\"pod\":\"" POD "\"", "\"web\"", 3 },
		{ "--unit x", "\"unit\":\"x.service\"", "\"web\"", 3 },
		{ "--unit x.service", "\"unit\":\"x.service\"", "\"web\"", 3 },
	};
	char command[256], *output;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(command, sizeof(command), "trace -q -j exec --identity %s",
			 cases[i].options);
		output = run(command, script);
		ck_assert_uint_eq(recorded_run__count(output, "\"type\":\"exec\""),
				  cases[i].events);
		recorded_run__check_has(output, cases[i].wanted);
		if (!i)
			recorded_run__check_has(output, "no container, pod or unit of this machine "
							"matches: waiting for one that does");
		ck_assert_ptr_null(strstr(output, cases[i].other));
		free(output);
	}
}
END_TEST

/*
 * Programs drop the events of other cgroups, so the reader has only those of new ones to reject:
 * fewer than 100.
 */
START_TEST(test_programs_filter)
{
	char *output, *filtered;

	free(shell("mkdir -p $TOP/lxc/before"));
	output = run("count exec --by container,filename --container before",
		     "for i in $(seq 200); do /bin/true; done\n"
		     "sh -c 'echo $$ > $TOP/lxc/before/cgroup.procs; exec /bin/true'\n"
		     "inside lxc/new /bin/true");
	recorded_run__check_has(output, "before     /bin/true      1\n");
	ck_assert_ptr_null(strstr(output, "waiting"));
	filtered = strstr(output, " filtered");
	ck_assert(!filtered || !isdigit((unsigned char)filtered[-3]));
	free(output);
}
END_TEST

/* The files of runtimes, in a /var of this test's own. */
static void write_runtime_files(void)
{
	free(shell("mkdir -p /var/lib /var/log && mount -t tmpfs none /var/lib\n"
		   "mount -t tmpfs none /var/log\n"
		   "mkdir -p /var/lib/docker/containers/" ID
		   " /var/lib/containers/storage/vfs-containers /var/log/pods/default_web-0_" POD
		   " /var/log/pods/a_b_5\n"
		   "echo '{\"ID\":\"" ID "\",\"HostConfig\":{\"Name\":\"no\"},\"Name\":\"/front\"}'"
		   " > /var/lib/docker/containers/" ID "/config.v2.json\n"
		   "mount -t tmpfs none /run\n"
		   "mkdir -p /run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID
		   " /var/log/containers\n"
		   "echo '{\"root\":{},\"annotations\":{"
		   "\"io.kubernetes.cri.container-name\":\"proxy\","
		   "\"io.kubernetes.cri.sandbox-name\":\"edge-1\","
		   "\"io.kubernetes.cri.sandbox-namespace\":\"net\"}}' > "
		   "/run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID "/config.json\n"
		   "ln -s ../nothing /var/log/containers/old-0_default_old-" OTHER ".log\n"
		   "echo '[{\"id\":\"a\",\"names\":[\"x\"]},{\"id\":\"" ID
		   "\",\"names\":[\"back\",\"y\"]},' > "
		   "/var/lib/containers/storage/vfs-containers/containers.json"));
}

/* podman's file is cut, as while it is written. */
START_TEST(test_names_of_runtimes)
{
	static const char script[] =
		"inside docker/" ID " /bin/true d\n"
		"inside libpod_parent/libpod-" ID " /bin/true p\n"
		"inside kubepods/pod" POD "/" OTHER " /bin/true k\n"
		"inside kubepods/pod" POD "/cri-containerd-" ID " /bin/true c\n"
		"inside kubepods/pod" POD "/" THIRD " /bin/true w\n"
		"inside lxc/front2 /bin/true l";
	static const struct {
		const char *options, *name, *argument;
	} cases[] = {
#ifdef HAVE_YAJL
		{ "--container front", "\"container_name\":\"front\",\"pod_name\":\"\"", "\"d\"" },
		{ "--container 'ba*'", "\"container_name\":\"back\",\"pod_name\":\"\"", "\"p\"" },
		{ "--container proxy", "\"container_name\":\"proxy\",\"pod_name\":\"net/edge-1\"",
		  "\"c\"" },
#endif
		{ "--container old", "\"container_name\":\"old\",\"pod_name\":\"default/old-0\"",
		  "\"k\"" },
		{ "--pod old-0", "\"pod_name\":\"default/old-0\"", "\"k\"" },
		{ "--pod default/old-0", "\"pod_name\":\"default/old-0\"", "\"k\"" },
		{ "--where 'pod_name ~ \"*/old-0\"' -a", "\"default/old-0\"", "\"k\"" },
		{ "--pod web-0", "\"container_name\":\"\",\"pod_name\":\"default/web-0\"",
		  "\"w\"" },
	};
	char command[256], *output;

	write_runtime_files();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(command, sizeof(command),
			 "trace -q -j exec --fields container_name,pod_name,args %s",
			 cases[i].options);
		output = run(command, script);
		recorded_run__check_has(output, cases[i].name);
		recorded_run__check_has(output, cases[i].argument);
		ck_assert_uint_eq(recorded_run__count(output, "\"args\""), 1);
		free(output);
	}
	free(shell("umount /var/lib /var/log /run"));
}
END_TEST

/* Containers of one name, of which each has a cgroup, and others. */
START_TEST(test_recordings_have_identity)
{
	static const char script[] = "for i in 1 2 3; do inside lxc/web /bin/true\n"
				     "inside kubepods/pod" POD "/" ID " /bin/false; done";
	static const struct {
		const char *command, *has;
	} cases[] = {
		{ "count -q file --by container", "web" },
		{ "count -q file --container b4d6 -j", "{\"count\":3}" },
		{ "count -q file --pod " POD " -j", "{\"count\":3}" },
		{ "replay -q file -j --container web | grep -c '\"container\":\"web\"'", "3" },
		{ "replay -q file --container w --identity | wc -l", "0" },
		{ "replay file --identity", "CONTAINER" },
		{ "replay -q file -j --unordered | grep -c '\"pod\":\"" POD "\"'", "3" },
		{ "replay -q file --fields pod,filename", POD "  /bin/false" },
	};
	char *output;

	free(run("record -q exec --identity -o file", script));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		output = shell("$PEAT %s 2>&1", cases[i].command);
		recorded_run__check_has(output, cases[i].has);
		free(output);
	}
}
END_TEST

START_TEST(test_recordings_without_identity)
{
	static const char *const options[] = { "--container web", "--identity" };

	free(run("record -q exec -o bare", "/bin/true"));
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		char *output = shell("! $PEAT replay -q bare %s 2>&1", options[i]);

		recorded_run__check_has(output,
					"this recording has no cgroups: record with --identity");
		free(output);
	}
}
END_TEST

START_TEST(test_stock_perf_reads_cgroups)
{
	char *output;

	need_perf();
	free(run("record -q exec --container web --stacks user -o file",
		 "inside lxc/web /bin/true; inside lxc/web /bin/true; inside lxc/db /bin/true"));
	output = shell("perf report -i file -s cgroup --stdio 2>/dev/null");
	ck_assert_uint_eq(recorded_run__count(output, "/lxc/web"), 2);
	ck_assert_uint_eq(recorded_run__count(output, "/lxc/"), 2);
	free(output);
	output = shell("perf script -i file 2>/dev/null");
	ck_assert_uint_eq(recorded_run__count(output, "filename=/bin/true args=/bin/true"), 2);
	free(output);
}
END_TEST

START_TEST(test_refuses_sources_without_identity)
{
	static const struct {
		const char *arguments, *message;
	} cases[] = {
		{ "trace @task --pod a -d 1", "cannot be used with @KIND" },
		{ "trace -e page-faults --unit a -d 1", "cannot be used with -e" },
		{ "trace exec -a --unit a -d 1", "-a cannot be used with" },
		{ "trace exec --unit a --unit b -d 1", "--unit 'b': give one, or a pattern" },
		{ "trace exec --unit '' -d 1", "--unit: the name is empty" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *output = shell("! $PEAT %s 2>&1", cases[i].arguments);

		recorded_run__check_has(output, cases[i].message);
		free(output);
	}
}
END_TEST

static Suite *task_identity_suite(void)
{
	Suite *suite = suite_create("task_identity");
	TCase *tests = tcase_create("test");

	tcase_set_timeout(tests, 120);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_selects_by_identity, 0, ORDERS);
	tcase_add_test(tests, test_json_has_identity);
	tcase_add_test(tests, test_chosen_fields_have_identity);
	tcase_add_test(tests, test_table_by_identity);
	tcase_add_test(tests, test_containers_that_come_and_go);
	tcase_add_test(tests, test_filters_by_options);
	tcase_add_test(tests, test_programs_filter);
	tcase_add_test(tests, test_names_of_runtimes);
	tcase_add_test(tests, test_recordings_have_identity);
	tcase_add_test(tests, test_recordings_without_identity);
	tcase_add_test(tests, test_stock_perf_reads_cgroups);
	tcase_add_test(tests, test_refuses_sources_without_identity);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { task_identity_suite };

	return harness__main(argc, argv, suites, 1);
}
