// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_filters.c: the constants of an object's programs after filters__set(). */
#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <sched.h>
#include <string.h>
#include <dirent.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <peat/log.h>
#include <peat/wire.h>

#include "session/filters.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "sys/cgroup.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(options)
EMBED_OBJECT(variables)

/* The bits of peat_filter_cpus: PEAT_CPUS_MAX of peat.bpf.h. */
#define CPUS_BYTES (8192 / 8)

static struct bpf_object *object;
static char logged[2048];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void setup(void)
{
	peat_set_print(note);
	object = object__open(&options_object);
}

static void teardown(void)
{
	bpf_object__close(object);
}

static int set(const struct peat_session_opts *opts)
{
	logged[0] = '\0';
	return filters__set(object, "probe", opts);
}

static uint32_t number(const char *name)
{
	return *(const uint32_t *)object__variable(object, name, 4);
}

/* This option alone sets this filter, and this variable. */
static void check_number(const struct peat_session_opts *opts, uint32_t filter, const char *name)
{
	ck_assert_int_eq(set(opts), 0);
	ck_assert_uint_eq(number("peat_filters"), filter);
	ck_assert_uint_eq(number(name), 4711);
	ck_assert_str_eq(logged, "");
}

START_TEST(test_no_filter_is_set)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };

	ck_assert_int_eq(set(&opts), 0);
	ck_assert_uint_eq(number("peat_filters"), 0);
}
END_TEST

START_TEST(test_filters_by_pid)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .pid = 4711 };

	check_number(&opts, PEAT_FILTER_PID, "peat_filter_pid");
}
END_TEST

START_TEST(test_filters_by_tid)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .tid = 4711 };

	check_number(&opts, PEAT_FILTER_TID, "peat_filter_tid");
}
END_TEST

/* User 0 is a user: by_uid decides, not the number. */
START_TEST(test_filters_by_uid)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .uid = 4711, .by_uid = true };

	check_number(&opts, PEAT_FILTER_UID, "peat_filter_uid");
	opts.uid = 0;
	ck_assert_int_eq(set(&opts), 0);
	ck_assert_uint_eq(number("peat_filter_uid"), 0);
	ck_assert_uint_eq(number("peat_filters"), PEAT_FILTER_UID);
}
END_TEST

START_TEST(test_filters_by_comm)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .comm = "123456789012345" };

	ck_assert_int_eq(set(&opts), 0);
	ck_assert_uint_eq(number("peat_filters"), PEAT_FILTER_COMM);
	ck_assert_str_eq(object__variable(object, "peat_filter_comm", 16), opts.comm);
	opts.comm = "a";
	ck_assert_int_eq(set(&opts), 0);
}
END_TEST

static void check_refused(const struct peat_session_opts *opts, int err, const char *words)
{
	logged[0] = '\0';
	ck_assert_int_eq(filters__check(opts), err);
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
}

START_TEST(test_checked_comm)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .comm = "123456789012345" };

	ck_assert_int_eq(filters__check(&opts), 0);
	opts.comm = "1234567890123456";
	check_refused(&opts, -EINVAL, "1 to 15 bytes");
	opts.comm = "";
	check_refused(&opts, -EINVAL, "1 to 15 bytes");
	opts.comm = "a";
	ck_assert_int_eq(filters__check(&opts), 0);
}
END_TEST

START_TEST(test_checked_cpus)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };

	ck_assert_int_eq(filters__check(&opts), 0);
	opts.cpus = "0";
	ck_assert_int_eq(filters__check(&opts), 0);
	opts.cpus = "1-";
	check_refused(&opts, -EINVAL, "'1-' is not a list of CPUs");
	opts.cpus = "9999";
	check_refused(&opts, -ENODEV, "this machine has no CPU 9999");
	opts.comm = ""; /* the first error counts */
	check_refused(&opts, -EINVAL, "1 to 15 bytes");
}
END_TEST

START_TEST(test_filters_by_cpus)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .cpus = "1,63-64,127" };
	const uint64_t *words = object__variable(object, "peat_filter_cpus", CPUS_BYTES);

	ck_assert_int_eq(set(&opts), 0);
	ck_assert_uint_eq(number("peat_filters"), PEAT_FILTER_CPU);
	ck_assert_uint_eq(words[0], 1ULL << 63 | 2);
	ck_assert_uint_eq(words[1], 1ULL << 63 | 1);
	ck_assert_uint_eq(words[2], 0);
	opts.cpus = "64";
	ck_assert_int_eq(set(&opts), 0);
	ck_assert_uint_eq(words[0], 0);
	ck_assert_uint_eq(words[1], 1);
	opts.cpus = "60000";
	ck_assert_int_lt(set(&opts), 0);
	ck_assert_ptr_nonnull(strstr(logged, "cannot set peat_filter_cpus"));
}
END_TEST

START_TEST(test_all_together)
{
	struct peat_session_opts opts = { .sz = sizeof(opts),
					  .pid = 5,
					  .tid = 6,
					  .uid = 7,
					  .by_uid = true,
					  .comm = "sh",
					  .cpus = "0" };

	ck_assert_int_eq(set(&opts), 0);
	ck_assert_uint_eq(number("peat_filters"), PEAT_FILTER_PID | PEAT_FILTER_TID |
							  PEAT_FILTER_UID | PEAT_FILTER_COMM |
							  PEAT_FILTER_CPU);
	ck_assert_uint_eq(number("peat_filter_pid"), 5);
	ck_assert_uint_eq(number("peat_filter_tid"), 6);
	ck_assert_uint_eq(number("peat_filter_uid"), 7);
}
END_TEST

/* One bad option refuses all. */
START_TEST(test_first_error_counts)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .pid = 5, .cpus = "1-" };

	ck_assert_int_eq(set(&opts), -EINVAL);
	ck_assert_uint_eq(number("peat_filters"), 0);
}
END_TEST

START_TEST(test_programs_without_filters)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .tid = 5 };

	bpf_object__close(object);
	object = object__open(&variables_object);
	ck_assert_int_eq(set(&opts), -ENOENT);
	ck_assert_ptr_nonnull(strstr(logged, "probe: its programs have no filters"));
}
END_TEST

/* The mount point of cgroup2 and its inode; false: it is not mounted. */
static bool find_cgroups(char *root, size_t bytes, uint64_t *inode)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount = NULL;
	struct stat found;

	ck_assert_ptr_nonnull(mounts);
	while ((mount = getmntent(mounts)) && strcmp(mount->mnt_type, "cgroup2"))
		;
	if (mount)
		snprintf(root, bytes, "%s", mount->mnt_dir);
	endmntent(mounts);
	if (!mount || stat(root, &found))
		return false;
	*inode = found.st_ino;
	return true;
}

/*
 * A cgroup two levels below the root: made, or found if this user may not make any, and then
 * perhaps one level deep.  Returns its level; 0: none.
 */
static uint32_t make_cgroup(const char *root, char *path, size_t bytes)
{
	struct dirent *entry = NULL;
	DIR *folder;

	snprintf(path, bytes, "%s/peat-test-%d", root, (int)getpid());
	if (!mkdir(path, 0755)) {
		snprintf(path, bytes, "%s/peat-test-%d/below", root, (int)getpid());
		ck_assert_int_eq(mkdir(path, 0755), 0);
		return 2;
	}
	folder = opendir(root);
	while (folder && (entry = readdir(folder)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			break;
	if (entry)
		snprintf(path, bytes, "%s/%s", root, entry->d_name);
	if (folder)
		closedir(folder);
	return entry != NULL;
}

/* Removes both levels, if make_cgroup() made them. */
static void remove_cgroup(char *path, uint32_t level)
{
	if (level < 2)
		return;
	rmdir(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

struct cgroup_filter {
	int err;
	uint32_t filters, level;
	uint64_t id;
};

static struct cgroup_filter filter_by(const char *cgroup)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .cgroup = cgroup };
	struct cgroup_filter filter;

	*(uint32_t *)object__variable(object, "peat_filters", 4) = 0;
	filter.err = set(&opts);
	filter.filters = number("peat_filters");
	filter.level = number("peat_filter_cgroup_level");
	filter.id = *(const uint64_t *)object__variable(object, "peat_filter_cgroup", 8);
	return filter;
}

static void check_cgroup(const struct cgroup_filter *filter, uint64_t id, uint32_t level)
{
	ck_assert_int_eq(filter->err, 0);
	ck_assert_uint_eq(filter->filters, PEAT_FILTER_CGROUP);
	ck_assert_uint_eq(filter->id, id);
	ck_assert_uint_eq(filter->level, level);
}

static void check_outside(const struct cgroup_filter *filter)
{
	ck_assert_int_eq(filter->err, -ENOTSUP);
	ck_assert_uint_eq(filter->filters, 0);
	ck_assert_ptr_nonnull(strstr(logged, "outside of this cgroup namespace"));
}

/* Mounts the cgroup at /tmp, without those above it, for this process alone. */
static bool mount_alone(const char *path)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount(path, "/tmp", NULL, MS_BIND, NULL);
}

/* The root directory of this child is the cgroup, and so is the parent of the root directory. */
static bool fails_below_own_root(const char *path)
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(chroot(path) || filter_by("/").err == -ENOTSUP);
	return child < 0 || (waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1);
}

/* By its path, by the path that /proc/PID/cgroup has, and by the longest path that opens. */
static void check_below(const char *root)
{
	char path[PATH_MAX], longest[PATH_MAX];
	struct cgroup_filter by_path, by_name, by_longest, by_file, alone;
	bool hides_root, below_own_root;
	int input;
	uint32_t level = make_cgroup(root, path, sizeof(path));
	unsigned fds = process__count_fds(), fds_after;
	struct stat found;

	if (!level)
		return;
	memset(longest, '/', sizeof(longest));
	strcpy(longest + sizeof(longest) - strlen(path) - 1, path);
	ck_assert_int_eq(stat(path, &found), 0);
	input = dup(0);
	close(0); /* the cgroups get descriptor 0 in turn */
	by_path = filter_by(path);
	dup2(input, 0);
	close(input);
	strcat(path, "/cgroup.procs");
	by_file = filter_by(path);
	*strrchr(path, '/') = '\0';
	by_name = filter_by(path + strlen(root));
	by_longest = filter_by(longest);
	fds_after = process__count_fds();
	below_own_root = fails_below_own_root(path);
	hides_root = mount_alone(path);
	if (hides_root)
		alone = filter_by("/tmp");
	if (hides_root)
		ck_assert_int_eq(umount("/tmp"), 0);
	remove_cgroup(path, level);
	ck_assert_uint_eq(fds_after, fds);
	ck_assert_int_eq(by_file.err, -ENOENT);
	ck_assert(below_own_root);
	check_cgroup(&by_path, found.st_ino, level);
	check_cgroup(&by_name, found.st_ino, level);
	check_cgroup(&by_longest, found.st_ino, level);
	if (hides_root)
		check_outside(&alone);
}

START_TEST(test_filters_by_cgroups)
{
	struct cgroup_filter filter;
	int input = dup(0);
	char root[PATH_MAX - 300];
	uint64_t inode;

	close(0); /* the directory gets descriptor 0 */
	filter = filter_by("/proc");
	dup2(input, 0);
	close(input);
	ck_assert_int_eq(filter.err, -ENOENT);
	if (!find_cgroups(root, sizeof(root), &inode)) {
		ck_assert_ptr_nonnull(strstr(logged, "no cgroup2 file system is mounted"));
		return;
	}
	ck_assert_ptr_nonnull(
		strstr(logged, "'/proc' is not a cgroup, neither as a path nor below"));
	filter = filter_by(root);
	if (inode != 1) { /* a cgroup namespace */
		check_outside(&filter);
		return;
	}
	check_cgroup(&filter, 1, 0);
	filter = filter_by("/");
	check_cgroup(&filter, 1, 0);
	check_below(root);
}
END_TEST

START_TEST(test_nothing_stays_open_or_allocated)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .cpus = "0-1000" };
	unsigned fds = process__count_fds();
	long blocks;

	filter_by("/proc"); /* glibc keeps a buffer for getmntent() */
	blocks = fail_alloc__blocks();
	filter_by("/proc");
	filter_by("/sys/fs/cgroup");
	filter_by("/");
	ck_assert_int_eq(set(&opts), 0);
	opts.cpus = "0";
	ck_assert_int_eq(filters__check(&opts), 0);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_paths_of_cgroups)
{
	ck_assert(cgroup__is_below("/a/b", "/a"));
	ck_assert(cgroup__is_below("/a", "/a"));
	ck_assert(cgroup__is_below("/a", "/"));
	ck_assert(cgroup__is_below("/", "/"));
	ck_assert(!cgroup__is_below("/ab", "/a"));
	ck_assert(!cgroup__is_below("/", "/a"));
}
END_TEST

/* A session may not need a mounted cgroup2: its absence is reported. */
START_TEST(test_no_cgroup2)
{
	struct cgroup_filter filter;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) || mount("none", "/proc", "tmpfs", 0, NULL))
		return;
	filter = filter_by("/proc");
	umount("/proc");
	ck_assert_int_eq(filter.err, -ENOENT);
	ck_assert_ptr_nonnull(strstr(logged, "no cgroup2 file system is mounted"));
}
END_TEST
SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_no_filter_is_set);
	tcase_add_test(tests, test_filters_by_pid);
	tcase_add_test(tests, test_filters_by_tid);
	tcase_add_test(tests, test_filters_by_uid);
	tcase_add_test(tests, test_filters_by_comm);
	tcase_add_test(tests, test_checked_comm);
	tcase_add_test(tests, test_checked_cpus);
	tcase_add_test(tests, test_filters_by_cpus);
	tcase_add_test(tests, test_all_together);
	tcase_add_test(tests, test_first_error_counts);
	tcase_add_test(tests, test_programs_without_filters);
	tcase_add_test(tests, test_filters_by_cgroups);
	tcase_add_test(tests, test_nothing_stays_open_or_allocated);
	tcase_add_test(tests, test_paths_of_cgroups);
	tcase_add_test(tests, test_no_cgroup2);
}
