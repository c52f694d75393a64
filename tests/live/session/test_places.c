// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_places.c: attach points of programs that are attached without a link. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/if_link.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "session/attach/clsact.h"
#include "session/attach/uprobe_multi.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/multi_links.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"
#include "elf/function_offset.h"

EMBED_OBJECT(places)

#define LO 1 /* index of the loopback interface, in every namespace */

static struct bpf_object *object;
static char cgroup[512];

static void setup(void)
{
	netns__enter();
	object = object__open(&places_object);
	ck_assert_int_eq(bpf_program__set_expected_attach_type(
				 bpf_object__find_program_by_name(object, "of_function"),
				 (enum bpf_attach_type)UPROBE_MULTI_ATTACH_TYPE),
			 0);
	object__load(object);
}

static void remove_cgroups(void)
{
	char below[600];

	snprintf(below, sizeof(below), "%s/below", cgroup);
	rmdir(below);
	rmdir(cgroup);
}

/* Removes cgroups of a failed test first: names have the pid of the process that runs all tests. */
static void make_cgroups(void)
{
	char below[600];

	snprintf(cgroup, sizeof(cgroup), "%s/peat-%d", mounts__cgroup2(), (int)getppid());
	snprintf(below, sizeof(below), "%s/below", cgroup);
	remove_cgroups();
	ck_assert_int_eq(mkdir(cgroup, 0755), 0);
	ck_assert_int_eq(mkdir(below, 0755), 0);
}

static uint32_t map_id(void)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(object__map_fd(object, "places"), &info, &bytes),
			 0);
	return info.id;
}

static const char *find(const struct peat_map *map, const char *program)
{
	for (uint32_t i = 0; i < map->program_count; i++)
		if (!strcmp(map->programs[i].name, program))
			return map->programs[i].attached;
	return NULL;
}

static void check(const char *program, const char *wanted)
{
	struct peat_maps *maps = peat_maps__new();
	const char *found = NULL;
	const struct peat_map *map;

	ck_assert_ptr_nonnull(maps);
	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++)
		if (map->id == map_id())
			found = find(map, program);
	ck_assert_msg(found && !strcmp(found, wanted), "%s is at '%s', not at '%s'", program, found,
		      wanted);
	peat_maps__free(maps);
}

/* ---- tc -------------------------------------------------------------------------------------- */

static void attach_tc(struct clsact_filter *filter, enum clsact_direction direction)
{
	int err = clsact__attach(filter, LO, direction, object__program_fd(object, "of_tc"));

	ck_assert_msg(!err, "clsact__attach: %s", strerror(-err));
}

#define need_clsact()                                                                              \
	do {                                                                                       \
		if (clsact__add(LO) == -ENOENT)                                                    \
			skip("this kernel has no clsact");                                         \
	} while (0)

/* A program that is attached twice is listed once. */
START_TEST(test_finds_clsact)
{
	struct clsact_filter in, again, out;

	need_clsact();
	check("of_tc", "");
	attach_tc(&in, CLSACT_INGRESS);
	check("of_tc", "tc ingress of lo");
	attach_tc(&again, CLSACT_INGRESS);
	attach_tc(&out, CLSACT_EGRESS);
	check("of_tc", "tc ingress of lo, tc egress of lo");
	check("of_xdp", "");
	clsact__detach(&in);
	clsact__detach(&again);
	check("of_tc", "tc egress of lo");
	clsact__detach(&out);
	check("of_tc", "");
}
END_TEST

START_TEST(test_finds_ingress)
{
	struct clsact_filter in;

	need_clsact();
	clsact__remove(LO);
	netns__add_ingress();
	attach_tc(&in, CLSACT_INGRESS);
	check("of_tc", "tc ingress of lo");
}
END_TEST

START_TEST(test_finds_qdisc)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = LO, .attach_point = BPF_TC_CUSTOM,
		    .parent = 0x10000);
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = object__program_fd(object, "of_tc"));
	int err;

	if (!netns__add_htb())
		skip("this kernel has no htb");
	err = bpf_tc_attach(&hook, &opts);
	ck_assert_msg(!err, "bpf_tc_attach: %s", strerror(-err));
	check("of_tc", "tc qdisc 1: of lo");
}
END_TEST

/* More filters than fit into one datagram of the kernel. */
START_TEST(test_many_filters)
{
	struct clsact_filter filter;

	need_clsact();
	for (int i = 0; i < 500; i++) {
		LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = LO, .attach_point = BPF_TC_INGRESS);
		LIBBPF_OPTS(bpf_tc_opts, opts, .handle = 1, .priority = 1000 + (uint32_t)i);

		opts.prog_fd = object__program_fd(object, "of_tc");
		ck_assert_int_eq(bpf_tc_attach(&hook, &opts), 0);
	}
	check("of_tc", "tc ingress of lo");
	attach_tc(&filter, CLSACT_EGRESS);
	check("of_tc", "tc ingress of lo, tc egress of lo");
}
END_TEST

/* The probe's filters outlive a peat that is killed: no process has the array open any more. */
START_TEST(test_killed_probe)
{
	struct command peat, list;
	const char *map, *end;

	need_clsact();
	command__start(&peat, ALL_CAPS, TRACE("packet", "--if", "lo"));
	command__expect(peat.err, " attached");
	kill(peat.pid, SIGKILL);
	command__finish(&peat);
	command__free(&peat);
	command__run(&list, ALL_CAPS, ARGV(command__peat(), "list", "--attached"));
	ck_assert_int_eq(list.status, 0);
	map = strstr(list.out_text, " on_ingress, sched_cls: tc ingress of lo\n");
	ck_assert_msg(map && strstr(map, " on_egress, sched_cls: tc egress of lo\n"), "%s",
		      list.out_text);
	while (map > list.out_text && strncmp(map, "\nid=", 4))
		map--;
	end = strstr(map + 1, " on_ingress");
	ck_assert_msg(!memmem(map, (size_t)(end - map), "held by", 7), "%s", map);
	command__free(&list);
}
END_TEST

/* ---- XDP ------------------------------------------------------------------------------------- */

START_TEST(test_finds_xdp)
{
	int program = object__program_fd(object, "of_xdp");

	check("of_xdp", "");
	ck_assert_int_eq(bpf_xdp_attach(LO, program, XDP_FLAGS_SKB_MODE, NULL), 0);
	check("of_xdp", "XDP of lo");
	netns__enter();
	check("of_xdp", "");
}
END_TEST

/*
 * The interface and the link both have the program, which is listed once.  In another namespace,
 * only the link is found.
 */
START_TEST(test_xdp_link)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, "of_xdp");
	struct bpf_link *link = bpf_program__attach_xdp(program, LO);
	int first = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC); /* keeps the namespace alive */

	ck_assert_ptr_nonnull(link);
	ck_assert_int_ge(first, 0);
	check("of_xdp", "XDP of lo");
	netns__enter();
	check("of_xdp", "XDP of interface 1 of another network namespace");
	close(first);
	bpf_link__destroy(link);
	check("of_xdp", "");
}
END_TEST

/* ---- cgroups --------------------------------------------------------------------------------- */

static int open_cgroup(const char *below)
{
	char path[600];
	int fd;

	snprintf(path, sizeof(path), "%s%s", cgroup, below);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	return fd;
}

static const char *place(const char *below, const char *hook)
{
	static char text[2][700];
	static unsigned next;
	char *chosen = text[next++ % 2];

	snprintf(chosen, sizeof(text[0]), "cgroup %s%s %s", strrchr(cgroup, '/'), below, hook);
	return chosen;
}

START_TEST(test_finds_cgroup)
{
	int program = object__program_fd(object, "of_cgroup"), below;

	make_cgroups();
	below = open_cgroup("/below");
	check("of_cgroup", "");
	ck_assert_int_eq(bpf_prog_attach(program, below, BPF_CGROUP_INET_EGRESS, 0), 0);
	check("of_cgroup", place("/below", "egress"));
	ck_assert_int_eq(bpf_prog_detach2(program, below, BPF_CGROUP_INET_EGRESS), 0);
	check("of_cgroup", "");
	close(below);
	remove_cgroups();
}
END_TEST

/*
 * The cgroup and the link both have the program, which is listed once.  A cgroup below runs the
 * programs of those above, but does not have them.
 */
START_TEST(test_cgroup_link)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, "of_cgroup");
	struct bpf_link *links[2];
	char both[1500];
	int fds[2];

	make_cgroups();
	fds[0] = open_cgroup("");
	fds[1] = open_cgroup("/below");
	links[0] = bpf_program__attach_cgroup(program, fds[0]);
	ck_assert_ptr_nonnull(links[0]);
	check("of_cgroup", place("", "egress"));
	links[1] = bpf_program__attach_cgroup(program, fds[1]);
	ck_assert_ptr_nonnull(links[1]);
	snprintf(both, sizeof(both), "%s, %s", place("", "egress"), place("/below", "egress"));
	check("of_cgroup", both);
	for (int i = 0; i < 2; i++) {
		bpf_link__destroy(links[i]);
		close(fds[i]);
	}
	remove_cgroups();
}
END_TEST

/* ---- functions ------------------------------------------------------------------------------- */

static uint64_t offset_of(const char *function)
{
	uint64_t offset;

	ck_assert_int_eq(function_offset__find("/proc/self/exe", function, &offset), 0);
	return offset;
}

/* Attaches the program to two functions, which peat does not. */
static int attach_to_two(void)
{
	const uint64_t offsets[2] = { offset_of("main"), offset_of("harness__main") };
	const struct {
		uint32_t program, target, type, flags;
		uint64_t path, offsets, semaphores, cookies;
		uint32_t count, multi_flags, pid, pad;
	} attr = {
		.program = (uint32_t)object__program_fd(object, "of_function"),
		.type = UPROBE_MULTI_ATTACH_TYPE,
		.path = (uintptr_t) "/proc/self/exe",
		.offsets = (uintptr_t)offsets,
		.count = 2,
	};

	return (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
}

START_TEST(test_functions_of_a_file)
{
	struct uprobe_place at = { .path = "/proc/self/exe" };
	char path[200], text[300];
	ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path));
	int program = object__program_fd(object, "of_function"), link;

	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	at.offset = offset_of("main");
	check("of_function", "");
	for (int is_return = 0; is_return < 2; is_return++) {
		at.is_return = is_return;
		link = uprobe_multi__attach(program, &at);
		ck_assert_int_ge(link, 0);
		snprintf(text, sizeof(text), "%s %.*s+%#llx", is_return ? "uretprobe" : "uprobe",
			 (int)bytes, path, (unsigned long long)at.offset);
		check("of_function", text);
		ck_assert_int_eq(close(link), 0);
	}
	link = attach_to_two();
	ck_assert_int_ge(link, 0);
	snprintf(text, sizeof(text), "uprobe %.*s, 2 functions", (int)bytes, path);
	check("of_function", text);
	ck_assert_int_eq(close(link), 0);
	check("of_function", "");
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *places_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("places", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_finds_clsact);
	tcase_add_test(tests, test_finds_ingress);
	tcase_add_test(tests, test_finds_qdisc);
	tcase_add_test(tests, test_many_filters);
	tcase_add_test(tests, test_killed_probe);
	tcase_add_test(tests, test_finds_xdp);
	tcase_add_test(tests, test_xdp_link);
	tcase_add_test(tests, test_finds_cgroup);
	tcase_add_test(tests, test_cgroup_link);
	tcase_add_test(tests, test_functions_of_a_file);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { places_suite };

	return harness__main(argc, argv, suites, 1);
}
