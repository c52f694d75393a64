// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_runtimes.c: containers of runc, in the cgroups that docker, containerd, CRI-O, podman and
 * Kubernetes give them, and of podman, by their names.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

#define shell stock_perf__shellf

/* The id of the i-th container ends with i. */
#define ID    "b4d6d161c62525d726fa394b27df30e14f8ea5646313ada576b390de70cfc80"
#define POD   "f6f2d169-f2ae-4afa-95ed-06ff2ed6b288"
#define POD_  "f6f2d169_f2ae_4afa_95ed_06ff2ed6b288"
#define OUTER "aaaabbbbccccddddeeeeffff0000111122223333444455556666777788889999"
#define SLICE "kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" POD_ ".slice"

/* %d is the last digit of the id. */
static const struct {
	const char *path, *pod, *unit;
} forms[] = {
	{ "docker/" ID "%d", "", "" },
	{ "system.slice/docker-" ID "%d.scope", "", "" },
	{ "default/" ID "%d", "", "" },
	{ "kubepods/besteffort/pod" POD "/" ID "%d", POD, "" },
	{ "kubepods/pod" POD "/crio-" ID "%d", POD, "" },
	{ SLICE "/cri-containerd-" ID "%d.scope", POD, "" },
	{ SLICE "/crio-" ID "%d.scope/container", POD, "" },
	{ "system.slice/k3s.service/kubepods-besteffort-pod" POD_ ".slice:cri-containerd:" ID "%d",
	  POD, "k3s.service" },
	{ "libpod_parent/" OUTER "/libpod-" ID "%d", OUTER, "" },
	{ "system.slice/web.service/libpod-payload-" ID "%d", "", "web.service" },
};

#define FORMS (int)(sizeof(forms) / sizeof(*forms))

/* runc needs cgroups of one version. */
static void prepare(void)
{
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	ck_assert_int_eq(mount("none", "/sys/fs/cgroup", "cgroup2", 0, NULL), 0);
	free(shell("for dir in proc dev sys etc run tmp; do mkdir -p rootfs/$dir; done\n"
		   "for file in /bin/true /bin/sleep $(ldd /bin/sleep | grep -o '/[^ ]*'); do\n"
		   "	mkdir -p rootfs${file%%/*}; cp -L $file rootfs$file\n"
		   "done\n"
		   "cat > run.sh <<'END'\n"
		   "cat > config.json <<EOF\n"
		   "{ \"ociVersion\": \"1.0.2\", \"root\": { \"path\": \"rootfs\" },\n"
		   "\"process\": { \"user\": { \"uid\": 0, \"gid\": 0 }, \"cwd\": \"/\",\n"
		   "\"args\": [ \"/bin/true\", \"$2\" ] },\n"
		   "\"mounts\": [ { \"destination\": \"/proc\", \"type\": \"proc\","
		   " \"source\": \"proc\" } ],\n"
		   "\"linux\": { \"cgroupsPath\": \"$2\",\n"
		   "\"namespaces\": [ { \"type\": \"pid\" }, { \"type\": \"mount\" } ] } }\n"
		   "EOF\n"
		   "runc --root state run $1\n"
		   "END\n"));
}

/* Removes the cgroups that runc leaves; conmon, of podman, ends a moment after its container. */
static void teardown(void)
{
	free(shell("top=/sys/fs/cgroup/peat-runc-%d; [ -d $top ] || exit 0\n"
		   "for i in $(seq 50); do\n"
		   "	find $top -depth -type d -exec rmdir {} + 2>/dev/null && break\n"
		   "	sleep 0.1\n"
		   "done",
		   (int)getpid()));
	stock_perf__teardown();
}

static void form_path(int i, char *path, size_t room)
{
	char form[512];

	snprintf(form, sizeof(form), "/peat-runc-%d/%s", (int)getpid(), forms[i].path);
	snprintf(path, room, "%.*s%d%s", (int)(strstr(form, "%d") - form), form, i,
		 strstr(form, "%d") + strlen("%d"));
}

static void check_container(const char *output, int i)
{
	char path[512], line[1024];

	form_path(i, path, sizeof(path));
	snprintf(line, sizeof(line),
		 "\"nspid\":1,\"container\":\"" ID "%d\",\"pod\":\"%s\",\"unit\":\"%s\","
		 "\"args\":[\"/bin/true\",\"%s\"]}",
		 i, forms[i].pod, forms[i].unit, path);
	recorded_run__check_has(output, line);
}

/* The containers have ended, and their cgroups are removed, when events are read. */
START_TEST(test_paths_of_runtimes)
{
	char commands[8192] = "", path[512], *output;
	size_t bytes = 0;

	need_program("runc");
	prepare();
	for (int i = 0; i < FORMS; i++) {
		form_path(i, path, sizeof(path));
		bytes += (size_t)snprintf(commands + bytes, sizeof(commands) - bytes,
					  "sh run.sh peat-%d-%d '%s'\n", (int)getpid(), i, path);
	}
	output = shell("cat > all.sh <<'END'\n%sEND\n"
		       "$PEAT trace -q -j exec --fields nspid,container,pod,unit,args"
		       " --where 'filename == \"/bin/true\"' -- sh all.sh 2>&1",
		       commands);
	for (int i = 0; i < FORMS; i++)
		check_container(output, i);
	ck_assert_uint_eq(recorded_run__count(output, "\"nspid\""), FORMS);
	free(output);
}
END_TEST

/*
 * Its storage is the usual one, in a /var/lib and /run of the test's own.  No network is made, but
 * podman 5 wants netavark.
 */
#define PODMAN                                                                                     \
	"for dir in /var/lib /run /dev/shm; do mount -t tmpfs none $dir; done\n"                   \
	"bin=$(dirname $(command -v podman))\n"                                                    \
	"ln -s /bin/true netavark\n"                                                               \
	"cat > containers.conf <<END\n"                                                            \
	"[engine]\n"                                                                               \
	"conmon_path = [ \"$bin/conmon\" ]\n"                                                      \
	"runtime = \"runc\"\n"                                                                     \
	"cgroup_manager = \"cgroupfs\"\n"                                                          \
	"events_logger = \"none\"\n"                                                               \
	"helper_binaries_dir = [ \"$PWD\" ]\n"                                                     \
	"END\n"                                                                                    \
	"cat > podman.sh <<END\n"                                                                  \
	"export LD_LIBRARY_PATH=$(echo ${bin%%/usr/bin}/usr/lib/*-linux-gnu "                      \
	"${bin%%/usr/bin}/lib/*-linux-gnu | tr ' ' ':')\n"                                         \
	"export CONTAINERS_CONF=$PWD/containers.conf STORAGE_DRIVER=vfs\n"                         \
	"podman run -d --network none --cgroup-parent $parent --pids-limit=0"                      \
	" --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 \\$1 --rootfs $PWD/rootfs \\$2 "      \
	"\\$3\n"                                                                                   \
	"END\n"                                                                                    \
	"sh podman.sh --rm /bin/true 2>&1 || echo failed\n"

/* Names of --rm are in another file.  They are read when the cgroup begins. */
START_TEST(test_names_of_podman)
{
	static const char run[] = "sh podman.sh '--name web' /bin/sleep 1.5\n"
				  "sh podman.sh '--rm --name db' /bin/sleep 1.5\n"
				  "sleep 2\n";
	char *output, why[300] = "";

	need_program("runc");
	need_program("podman");
	prepare();
	output = shell("parent=/peat-runc-%d\n" PODMAN, (int)getpid());
	if (strstr(output, "failed"))
		snprintf(why, sizeof(why), "%s", output);
	free(output);
	if (*why)
		skip("podman does not run on this machine: %s", why);
	output = shell("cat > all.sh <<'END'\n%sEND\n"
		       "$PEAT trace -q -j exec --fields nspid,container_name,args"
		       " --where 'filename == \"/bin/sleep\"' -- sh all.sh 2>/dev/null",
		       run);
#ifdef HAVE_YAJL
	recorded_run__check_has(output, "\"nspid\":1,\"container_name\":\"web\",");
	recorded_run__check_has(output, "\"nspid\":1,\"container_name\":\"db\",");
#endif
	ck_assert_uint_eq(recorded_run__count(output, "\"nspid\":1,"), 2);
	free(output);
}
END_TEST

static Suite *runtimes_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("runtimes", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, teardown);
	tcase_add_test(tests, test_paths_of_runtimes);
	tcase_add_test(tests, test_names_of_podman);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { runtimes_suite };

	return harness__main(argc, argv, suites, 1);
}
