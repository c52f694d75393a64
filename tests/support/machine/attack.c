// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* attack.c: a process of another user whose files attack peat, and root's peat that meets it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

/* Systems give such ids to nobody. */
#define UID_BASE 0x60000000

/*
 * A command ends a second after its -d, which is one second here or less.  A busy machine takes
 * some seconds longer, which is printed; an endless file takes minutes, which fails.
 */
#define SECONDS_EXPECTED 2
#define SECONDS_MAX	 30

#define WATCHES_MAX 8

static char dir[64];
static uid_t uid;
static int alive[2]; /* open as long as any process of these tests */
static pid_t janitor;
static int ready[2];

static int inotify = -1;
static char watched[WATCHES_MAX + 1][256]; /* by the number of the watch, from 1 */

/* ---- cleaning up ----------------------------------------------------------------------------- */

static void become_attacker(void)
{
	if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		_exit(1);
}

/* A process with the id of the attackers can signal them alone. */
static void kill_attackers(void)
{
	pid_t pid = fork();

	if (!pid) {
		become_attacker();
		kill(-1, SIGKILL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* The files of the attackers in /tmp outside their directory: perf maps. */
static void remove_maps(void)
{
	DIR *entries = opendir("/tmp");
	struct dirent *entry;
	struct stat found;

	while (entries && (entry = readdir(entries)))
		if (!strncmp(entry->d_name, "perf-", 5) &&
		    !fstatat(dirfd(entries), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) &&
		    found.st_uid == uid)
			unlinkat(dirfd(entries), entry->d_name, 0);
}

static void clean_up(void)
{
	char byte;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	close(alive[1]);
	while (read(alive[0], &byte, 1) < 0 && errno == EINTR)
		;
	kill_attackers();
	remove_maps();
	execlp("rm", "rm", "-rf", dir, NULL);
}

void attack__setup_all(void)
{
	uid = UID_BASE + (uid_t)getpid();
	strcpy(dir, "/tmp/peat-attack-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chmod(dir, 0755), 0);
	ck_assert_msg(!chown(dir, uid, uid), "%s: root alone makes another user's files", dir);
	ck_assert_int_eq(pipe2(alive, O_CLOEXEC), 0);
	janitor = fork();
	ck_assert_int_ge(janitor, 0);
	if (!janitor) {
		setsid();
		clean_up();
		_exit(1);
	}
	close(alive[0]);
}

void attack__teardown_all(void)
{
	close(alive[1]);
	waitpid(janitor, NULL, 0);
	ck_assert_msg(access(dir, F_OK), "%s is left", dir);
}

/* A test that failed has left its files. */
void attack__setup(void)
{
	recorded_run__setup();
	free(stock_perf__shellf("rm -rf %s/*", dir));
	inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	ck_assert_int_ge(inotify, 0);
}

void attack__teardown(void)
{
	close(inotify);
	stock_perf__teardown();
}

uid_t attack__uid(void)
{
	return uid;
}

const char *attack__dir(void)
{
	return dir;
}

const char *attack__path(const char *name)
{
	static char paths[4][256];
	static unsigned last;
	char *path = paths[++last % 4];

	ck_assert_int_lt(snprintf(path, sizeof(paths[0]), "%s/%s", dir, name), sizeof(paths[0]));
	return path;
}

/* ---- the attacker ---------------------------------------------------------------------------- */

struct attack {
	int (*function)(void *);
	void *arg;
};

/*
 * A change of ids clears the signal at the parent's death, and gives the files in /proc/PID to root
 * until the next exec.
 */
static int run(void *arg)
{
	const struct attack *attack = arg;

	become_attacker();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_NAME, ATTACK_TASK);
	if (chdir(dir))
		return 1;
	return attack->function(attack->arg);
}

pid_t attack__start(int (*function)(void *), void *arg)
{
	struct attack attack = { function, arg };
	pid_t attacker;
	char byte;

	ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
	attacker = process__start(run, &attack);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		process__wait(attacker);
		attacker = 0;
	}
	close(ready[0]);
	return attacker;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return is_written;
}

bool attack__enter_namespaces(void)
{
	char line[32];

	snprintf(line, sizeof(line), "0 %u 1", uid);
	return !unshare(CLONE_NEWUSER | CLONE_NEWNS) &&
	       write_text("/proc/self/setgroups", "deny") &&
	       write_text("/proc/self/uid_map", line) && write_text("/proc/self/gid_map", line);
}

void attack__stop(pid_t attacker)
{
	kill(attacker, SIGKILL);
	process__wait(attacker);
}

__attribute__((noinline, aligned(64))) static void loop(void)
{
	for (;;)
		__asm__ volatile("");
}

const void *attack__code(void)
{
	static char code[ATTACK_CODE_BYTES];

	memcpy(code, (const void *)(uintptr_t)loop, 64);
	return code;
}

const void *attack__sled(void)
{
#ifdef __x86_64__
	static unsigned char code[ATTACK_CODE_BYTES];
	const int32_t back = -ATTACK_CODE_BYTES; /* from its end */

	memset(code, 0x90, sizeof(code));
	code[ATTACK_CODE_BYTES - 5] = 0xe9;
	memcpy(code + ATTACK_CODE_BYTES - sizeof(back), &back, sizeof(back));
	return code;
#elif defined(__aarch64__)
	static uint32_t code[ATTACK_CODE_BYTES / 4];
	const uint32_t last = ATTACK_CODE_BYTES / 4 - 1;

	for (uint32_t i = 0; i < last; i++)
		code[i] = 0xd503201f;
	code[last] = 0x14000000 | (-last & 0x3ffffff);
	return code;
#else
	return attack__code();
#endif
}

void attack__write_code(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, attack__code(), ATTACK_CODE_BYTES), ATTACK_CODE_BYTES);
	ck_assert_int_eq(close(fd), 0);
}

attack_code attack__map(const char *path, size_t offset)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	size_t bytes = offset + ATTACK_CODE_BYTES;
	char *map;

	ck_assert(!path || fd >= 0);
	map = mmap(NULL, bytes, PROT_READ | PROT_EXEC | (path ? 0 : PROT_WRITE),
		   MAP_PRIVATE | (path ? 0 : MAP_ANONYMOUS), fd, 0);
	ck_assert_ptr_ne(map, MAP_FAILED);
	if (path) {
		close(fd);
	} else {
		memcpy(map + offset, attack__code(), ATTACK_CODE_BYTES);
		__builtin___clear_cache(map, map + bytes);
	}
	return (attack_code)(uintptr_t)(map + offset);
}

int attack__spin(attack_code code)
{
	ck_assert_int_eq(write(ready[1], "r", 1), 1);
	code();
	return 0;
}

/* ---- the victim ------------------------------------------------------------------------------ */

void attack__watch(const char *path)
{
	int watch = inotify_add_watch(inotify, path, IN_OPEN);

	ck_assert_int_ge(watch, 1);
	ck_assert_int_le(watch, WATCHES_MAX);
	snprintf(watched[watch], sizeof(watched[0]), "%s", path);
}

void attack__check_unopened(void)
{
	union {
		struct inotify_event event;
		char bytes[4096];
	} buffer;
	ssize_t count = read(inotify, &buffer, sizeof(buffer));
	const struct inotify_event *event;

	ck_assert(count > 0 || errno == EAGAIN);
	for (ssize_t at = 0; at < count; at += (ssize_t)(sizeof(*event) + event->len)) {
		event = (const void *)(buffer.bytes + at);
		ck_assert_msg(!(event->mask & IN_OPEN), "%s was opened", watched[event->wd]);
	}
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void attack__run(struct command *peat, const char *const *argv)
{
	const double begin = now();
	double took;

	command__run(peat, ALL_CAPS, argv);
	took = now() - begin;
	ck_assert_msg(peat->status == 0, "%s: status %d: %s", argv[1], peat->status,
		      peat->err_text);
	ck_assert_msg(took < SECONDS_MAX, "%s took %.1f s", argv[1], took);
	if (took > SECONDS_EXPECTED)
		printf("# %s took %.1f s\n", argv[1], took);
}

/* Runs peat, which has to print the text. */
static void check_output(const char *const *argv, const char *text)
{
	struct command peat;

	attack__run(&peat, argv);
	ck_assert_msg(!text || strstr(peat.out_text, text), "%s: no %s in: %s", argv[1], text,
		      peat.out_text);
	command__free(&peat);
}

void attack__replay(const char *recording, const char *module)
{
	const char *peat = recorded_run__peat();

	check_output(ARGV(peat, "replay", "-q", recording), module);
	check_output(ARGV(peat, "convert", "--to", "folded", "-o", "-", recording), NULL);
}

static void meet(pid_t attacker, const char *module, const char *stacks)
{
	const char *peat = recorded_run__peat();
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)attacker);
	check_output(ARGV(peat, "profile", "-q", "--stacks", stacks, "-d", "0.5", "-p", pid),
		     module);
	check_output(ARGV(peat, "trace", "-q", "-e", "cpu-clock", "-F", "99", "--stacks", stacks,
			  "-d", "0.5", "-p", pid),
		     module);
	check_output(ARGV(peat, "record", "-q", "-e", "cpu-clock", "--stacks", stacks, "-d", "0.5",
			  "-p", pid, "-o", "recording"),
		     NULL);
	attack__replay("recording", module);
}

void attack__meet(pid_t attacker, const char *module)
{
	meet(attacker, module, "user");
}

void attack__meet_unwinding(pid_t attacker, const char *module)
{
	meet(attacker, module, "dwarf");
}
