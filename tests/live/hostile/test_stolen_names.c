// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_stolen_names.c: files of a user that claim to be libc, or its debug file.  The functions of
 * libc keep their names in the processes of all others.
 */
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/symbols.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"
#include "support/symbols/made_elf.h"
#include "symbols/elf/head_id.h"

#define STOLEN	   "root_password_is_hunter2"
#define FAKE	   "fake-libc.so.6"
#define VICTIM	   "peat-victim"
#define TEXT_BYTES (4 << 20) /* more than libc's code: each address of it gets the name */
#define VICTIMS	   2
#define WAKE_US	   300000
#define DEPTH	   4

/* ---- libc ------------------------------------------------------------------------------------ */

static struct {
	char path[PATH_MAX];
	struct build_id build_id;
} libc;

static int find_libc(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	(void)bytes;
	(void)unused;
	if (!strstr(info->dlpi_name, "/libc.so"))
		return 0;
	return realpath(info->dlpi_name, libc.path) != NULL; /* as mappings have it */
}

static void setup(void)
{
	int fd;

	attack__setup();
	ck_assert(dl_iterate_phdr(find_libc, NULL));
	fd = open(libc.path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert(head_id__read(fd, &libc.build_id));
	ck_assert_uint_eq(libc.build_id.bytes, 20);
	close(fd);
}

/* A file with the build-id of libc and one large function. */
static void write_fake(const char *path)
{
	const struct made_symbol all = { STOLEN,     MADE_TEXT_OFFSET, TEXT_BYTES,
					 STB_GLOBAL, STT_FUNC,	       0,
					 0 };
	struct made_elf made = made_elf__own();
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	char *text = calloc(1, TEXT_BYTES);

	ck_assert(fd >= 0 && text);
	memcpy(text, attack__code(), ATTACK_CODE_BYTES);
	made.text = text;
	made.bytes = TEXT_BYTES;
	made.build_id = (const char *)libc.build_id.id;
	made.symbols = &all;
	made.symbols_count = 1;
	made_elf__write(&made, fd);
	close(fd);
	free(text);
}

static void run_libc(void)
{
	for (;;)
		random();
}

/* ---- victims --------------------------------------------------------------------------------- */

static pid_t victims[VICTIMS];

/* Another user than the attacker; NULL: root. */
static int run_victim(void *arg)
{
	const uid_t *id = arg;

	if (id && (setgroups(0, NULL) || setresgid(*id, *id, *id) || setresuid(*id, *id, *id)))
		return 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, VICTIM);
	run_libc();
	return 0;
}

static void start_victims(void)
{
	uid_t other = attack__uid() - 1;

	victims[0] = process__start(run_victim, NULL);
	victims[1] = process__start(run_victim, &other);
}

static void signal_victims(int number)
{
	for (int i = 0; i < VICTIMS; i++)
		ck_assert_int_eq(kill(victims[i], number), 0);
}

static int wake_later(void *unused)
{
	(void)unused;
	usleep(WAKE_US);
	signal_victims(SIGCONT);
	return 0;
}

/* The attacker alone runs first, so that its file is read first, also if few others run. */
static void run_later(const char *const *argv, struct command *peat)
{
	pid_t waker;

	signal_victims(SIGSTOP);
	waker = process__start(wake_later, NULL);
	attack__run(peat, argv);
	process__wait(waker);
}

static void stop_victims(void)
{
	for (int i = 0; i < VICTIMS; i++) {
		kill(victims[i], SIGKILL);
		process__wait(victims[i]);
	}
}

/* Names as they are without an attack: nothing but this process is read. */
static struct peat_symbols *truth;

/* Whether the frame is a caller of code of its own space: its address is the one returned to. */
static bool is_return(const char *event, int index)
{
	const char *module;
	char path[40];

	snprintf(path, sizeof(path), "stack[%d].module", index - 1);
	module = index > 0 ? json_lines__text(event, path) : NULL;
	return index > 0 && !(module && *module == '[');
}

static void check_frame(const char *event, pid_t pid, int index, unsigned *named)
{
	const struct peat_stack_frame *frames;
	const char *module, *symbol;
	uint64_t address;
	char path[40];

	snprintf(path, sizeof(path), "stack[%d].address", index);
	address = strtoull(json_lines__text(event, path), NULL, 16);
	snprintf(path, sizeof(path), "stack[%d].module", index);
	module = json_lines__text(event, path);
	snprintf(path, sizeof(path), "stack[%d].symbol", index);
	symbol = json_lines__text(event, path);
	if (!module || strcmp(module, libc.path) != 0)
		return;
	ck_assert_int_ge(peat_symbols__address(truth, PEAT_SPACE_USER, (uint32_t)pid, 0,
					       address - is_return(event, index), &frames),
			 1);
	ck_assert_msg(symbol && frames[0].symbol && !strcmp(symbol, frames[0].symbol),
		      "%s, not %s, in %s", symbol, frames[0].symbol, event);
	++*named;
}

/* Other lines report events that were lost. */
static bool is_of(const char *event, pid_t pid)
{
	return json_lines__kind(event, "pid") == JSON_NUMBER &&
	       json_lines__number(event, "pid") == pid;
}

static void check_victim(const struct json_lines *events, pid_t pid)
{
	char path[40];
	unsigned named = 0;

	for (size_t i = 0; i < events->count; i++)
		for (int n = 0; is_of(events->lines[i], pid) && n < DEPTH; n++) {
			snprintf(path, sizeof(path), "stack[%d]", n);
			if (json_lines__kind(events->lines[i], path) == JSON_OBJECT)
				check_frame(events->lines[i], pid, n, &named);
		}
	ck_assert_msg(named, "no frames of libc");
}

/* Whether the stack begins in the kernel. */
static bool is_in_kernel(const char *event)
{
	const char *module = json_lines__text(event, "stack[0].module");

	return module && !strcmp(module, "[kernel]");
}

/* The attacker's code has its own name, or none yet: its file is not taken for libc. */
static void check_attacker(const struct json_lines *events, pid_t pid)
{
	for (size_t i = 0; i < events->count; i++) {
		const char *event = events->lines[i], *symbol;

		if (!is_of(event, pid) || is_in_kernel(event))
			continue;
		symbol = json_lines__text(event, "stack[0].symbol");
		ck_assert_msg(!symbol || !strcmp(symbol, STOLEN), "%s", event);
	}
}

/* The output of peat trace or replay.  `fake`: a process whose code is in a fake libc; 0: none. */
static void check_events(struct command *peat, pid_t fake)
{
	struct json_lines events = json_lines__split(peat->out_text);

	truth = peat_symbols__new(NULL);
	ck_assert_ptr_nonnull(truth);
	for (int i = 0; i < VICTIMS; i++)
		check_victim(&events, victims[i]);
	peat_symbols__free(truth);
	check_attacker(&events, fake);
	json_lines__free(&events);
	command__free(peat);
}

/* The stacks of peat profile begin with the name of the task. */
static void check_profile(struct command *peat)
{
	char *line, *rest = NULL;
	unsigned named = 0;

	for (line = strtok_r(peat->out_text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, ATTACK_TASK, strlen(ATTACK_TASK)) != 0)
			ck_assert_msg(!strstr(line, STOLEN), "%s", line);
		named += !strncmp(line, VICTIM, strlen(VICTIM)) && strstr(line, "random");
	}
	ck_assert_uint_gt(named, 0);
	command__free(peat);
}

static void check_trace(const char *stacks, pid_t fake)
{
	struct command peat;

	run_later(ARGV(recorded_run__peat(), "trace", "-q", "-j", "-a", "-e", "cpu-clock", "-F",
		       "200", "--stacks", stacks, "-d", "0.7"),
		  &peat);
	check_events(&peat, fake);
}

static void check_names(pid_t fake)
{
	const char *program = recorded_run__peat();
	struct command peat;

	start_victims();
	run_later(ARGV(program, "profile", "-q", "-a", "-F", "500", "--stacks", "user", "-d", "0.7",
		       "--to", "folded", "-o", "-"),
		  &peat);
	check_profile(&peat);
	check_trace("user", fake);
	check_trace("dwarf", fake);
	run_later(ARGV(program, "record", "-q", "-a", "-e", "cpu-clock", "-F", "200", "--stacks",
		       "user", "-d", "0.7", "-o", "recording"),
		  &peat);
	command__free(&peat);
	attack__run(&peat, ARGV(program, "replay", "-q", "-j", "recording"));
	check_events(&peat, fake);
	stop_victims();
}

/* ---- attacks --------------------------------------------------------------------------------- */

static int run_fake(void *unused)
{
	(void)unused;
	write_fake(FAKE);
	return attack__spin(attack__map(FAKE, MADE_TEXT_OFFSET));
}

START_TEST(test_build_id)
{
	pid_t attacker = attack__start(run_fake, NULL);

	ck_assert_int_gt(attacker, 0);
	check_names(attacker);
	attack__stop(attacker);
}
END_TEST

/* The file has the name of libc, too. */
static int run_namesake(void *unused)
{
	(void)unused;
	if (!attack__enter_namespaces())
		return 1;
	write_fake(FAKE);
	if (mount(FAKE, libc.path, NULL, MS_BIND, NULL))
		return 1;
	return attack__spin(attack__map(libc.path, MADE_TEXT_OFFSET));
}

START_TEST(test_path_and_build_id)
{
	pid_t attacker = attack__start(run_namesake, NULL);

	if (!attacker)
		skip("users cannot mount in namespaces of their own here");
	check_names(attacker);
	attack__stop(attacker);
}
END_TEST

/* A file system of the attacker is where this process alone looks for debug files. */
static int run_debug_file(void *unused)
{
	char id[BUILD_ID_TEXT], path[128];

	(void)unused;
	if (!attack__enter_namespaces() || mount("none", "/usr/lib", "tmpfs", 0, NULL))
		return 1;
	build_id__text(&libc.build_id, id);
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	for (char *slash = path + strlen("/usr/lib/"); (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0755))
			return 1;
		*slash = '/';
	}
	write_fake(path);
	return attack__spin(run_libc);
}

START_TEST(test_debug_file)
{
	pid_t attacker = attack__start(run_debug_file, NULL);

	if (!attacker)
		skip("users cannot mount in namespaces of their own here");
	check_names(0);
	attack__stop(attacker);
}
END_TEST

static Suite *stolen_names_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stolen_names", 120, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, setup, attack__teardown);
	tcase_add_test(tests, test_build_id);
	tcase_add_test(tests, test_path_and_build_id);
	tcase_add_test(tests, test_debug_file);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stolen_names_suite };

	return harness__main(argc, argv, suites, 1);
}
