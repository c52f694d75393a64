// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_active_names.c: names of files, functions and tasks with escape sequences, C1 controls and
 * characters that change the direction of text.  None of them reaches the terminal.
 */
#include <bpf/bpf.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"
#include "support/symbols/made_elf.h"

/* ESC, U+009B as UTF-8 and as a byte, U+202E and U+061C */
#define ACTIVE "\x1b[2J\xc2\x9b\x9b\xe2\x80\xae\xd8\x9c"
/* A JIT may write UTF-8 alone, so that JSON can have it. */
#define ACTIVE_UTF8 "\x1b[2J\xc2\x9b\xe2\x80\xae\xd8\x9c\xe2\x81\xa6"

/* ---- output ---------------------------------------------------------------------------------- */

/* The first byte of a text that acts on a terminal; NULL: none. */
static const char *find_active(const char *text)
{
	static const char *const directions[] = { "\xd8\x9c",	  "\xe2\x80\x8e", "\xe2\x80\x8f",
						  "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6" };

	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++)
		if (strstr(text, directions[i]))
			return strstr(text, directions[i]);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text, before = (unsigned char)text[-1];
		bool is_lead_of_c1 = c == 0xc2 && (unsigned char)text[1] < 0xa0;

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f || is_lead_of_c1 ||
		    (c >= 0x80 && c < 0xa0 && before < 0x80))
			return text;
	}
	return NULL;
}

static void check_harmless(const char *callers_text)
{
	char *text = malloc(strlen(callers_text) + 2);
	const char *found;

	ck_assert_ptr_nonnull(text);
	text[0] = '\n';
	strcpy(text + 1, callers_text);
	found = find_active(text + 1);
	ck_assert_msg(!found, "byte %#x: %.200s", found ? (unsigned char)*found : 0, found);
	free(text);
}

/* Runs peat, whose output has to be harmless, and to have the part. */
static void check(const char *const *argv, const char *part)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == 0, "%s: status %d: %s", argv[1], peat.status, peat.err_text);
	check_harmless(peat.out_text);
	check_harmless(peat.err_text);
	if (part)
		ck_assert_msg(strstr(peat.out_text, part) || strstr(peat.err_text, part),
			      "%s: no %s in: %.1000s%.500s", argv[1], part, peat.out_text,
			      peat.err_text);
	command__free(&peat);
}

static const char *pid_text(pid_t pid)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	return text;
}

/* ---- functions, files and tasks -------------------------------------------------------------- */

static const char *perf_map(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return path;
}

/* Code of a JIT, whose map names it. */
static int run_jit(void *unused)
{
	attack_code code = attack__map(NULL, 0);
	FILE *map = fopen(perf_map(getpid()), "we");

	(void)unused;
	if (!map)
		return 1;
	fprintf(map, "%lx %x jit" ACTIVE_UTF8 "\n", (unsigned long)(uintptr_t)code,
		ATTACK_CODE_BYTES);
	if (fclose(map))
		return 1;
	return attack__spin(code);
}

/* A stripped program, whose path is in a warning. */
static int run_stripped(void *arg)
{
	struct made_elf made = made_elf__own();
	int fd = open(arg, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	if (fd < 0)
		return 1;
	made.table = SHT_DYNSYM;
	made.text = attack__code();
	made.bytes = ATTACK_CODE_BYTES;
	made_elf__write(&made, fd);
	close(fd);
	prctl(PR_SET_NAME, ACTIVE);
	return attack__spin(attack__map(arg, MADE_TEXT_OFFSET));
}

/* Each output has to have the part; that of a recording only if it `is_replayed`. */
static void meet(pid_t attacker, const char *part, bool is_replayed)
{
	const char *peat = recorded_run__peat(), *pid = pid_text(attacker);

#define SAMPLES "-e", "cpu-clock", "-F", "99", "-d", "0.5", "-p", pid
	check(ARGV(peat, "profile", "-d", "0.5", "-p", pid), part);
	check(ARGV(peat, "profile", "-d", "0.5", "-p", pid, "-j"), NULL);
	check(ARGV(peat, "profile", "-d", "0.5", "-p", pid, "--to", "folded", "-o", "-"), NULL);
	check(ARGV(peat, "trace", "--stacks", "user", SAMPLES), part);
	check(ARGV(peat, "trace", "-j", "--stacks", "user", SAMPLES), NULL);
	check(ARGV(peat, "count", "--by", "stack", "--stacks", "user", SAMPLES), part);
	check(ARGV(peat, "count", "--by", "stack", "--stacks", "user", "-j", SAMPLES), NULL);
	check(ARGV(peat, "record", "-e", "cpu-clock", "-g", "-d", "0.5", "-p", pid, "-o",
		   "recording"),
	      NULL);
	check(ARGV(peat, "replay", "recording"), is_replayed ? part : NULL);
	check(ARGV(peat, "replay", "-j", "recording"), NULL);
	check(ARGV(peat, "replay", "recording", "@mmap", "@comm"), NULL);
	check(ARGV(peat, "convert", "--to", "folded", "-o", "-", "recording"), NULL);
	check(ARGV(peat, "convert", "--to", "json", "-o", "-", "recording"), NULL);
}

START_TEST(test_name_by_a_jit)
{
	pid_t attacker = attack__start(run_jit, NULL);

	ck_assert_int_gt(attacker, 0);
	/* A recording has no names by another user's map. */
	meet(attacker, "jit\\x1b[2J\\xc2\\x9b\\xe2\\x80\\xae", false);
	attack__stop(attacker);
	ck_assert_int_eq(unlink(perf_map(attacker)), 0);
}
END_TEST

START_TEST(test_name_in_a_warning)
{
	pid_t attacker = attack__start(run_stripped, (char *)"stripped" ACTIVE);

	ck_assert_int_gt(attacker, 0);
	meet(attacker, "stripped\\x1b[2J\\xc2\\x9b\\x9b\\xe2\\x80\\xae", true);
	check(ARGV(recorded_run__peat(), "trace", "--stacks", "user", "-e", "cpu-clock", "-F", "99",
		   "-d", "0.5", "-p", pid_text(attacker)),
	      "have no names");
	attack__stop(attacker);
}
END_TEST

/* ---- the command itself ---------------------------------------------------------------------- */

START_TEST(test_name_of_a_command)
{
	static const char name[] = "./program" ACTIVE;
	const char *peat = recorded_run__peat();
	FILE *file;

	file = fopen(name, "we");
	ck_assert_ptr_nonnull(file);
	fputs("#!/bin/sh\n", file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(name, 0755), 0);
	check(ARGV(peat, "stat", "-e", "task-clock", "--", name),
	      "Performance counter stats for './program\\x1b[2J");
	check(ARGV(peat, "stat", "-j", "-e", "task-clock", "--", name), NULL);
}
END_TEST

/* A newline in a name cannot make a line that looks like another message. */
START_TEST(test_name_with_a_newline)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(recorded_run__peat(), "replay", "./" ACTIVE "\npeat: all is well"));
	ck_assert_int_ne(peat.status, 0);
	check_harmless(peat.err_text);
	recorded_run__check_has(peat.err_text, "./\\x1b[2J");
	ck_assert_msg(!strstr(peat.err_text, "\npeat: all"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* Maps and tasks have names that programs choose. */
START_TEST(test_holder_of_a_map)
{
	const char *peat = recorded_run__peat();
	/* Without a UTF-8 locale, each byte is a character. */
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	const char *name = utf8 ? "\"m\\u001b[2J\\u009b" : "\"m\\u001b[2J\\u00c2\\u009b";
	int array = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "array", 4, 4, 4, NULL);
	int table = bpf_map_create(BPF_MAP_TYPE_HASH, "table", 4, 8, 4, NULL);

	ck_assert_int_ge(array, 0);
	ck_assert_int_ge(table, 0);
	ck_assert_int_eq(prctl(PR_SET_NAME, "m" ACTIVE), 0);
	check(ARGV(peat, "list", "--attached"), "(m\\x1b[2J\\xc2\\x9b\\x9b\\xe2\\x80\\xae");
	check(ARGV(peat, "list", "--attached", "-j"), name);
	check(ARGV(peat, "list", "--maps"), "(m\\x1b[2J\\xc2\\x9b\\x9b\\xe2\\x80\\xae");
	check(ARGV(peat, "list", "--maps", "-j"), name);
	close(array);
	close(table);
	if (utf8)
		freelocale(utf8);
}
END_TEST

/* The command line of clang, which can be pasted, and the messages of peat build. */
START_TEST(test_name_of_a_source)
{
	static const char name[] = "./source" ACTIVE ".bpf.c";
	const char *peat = recorded_run__peat();
	FILE *file;

	need_program("clang");
	file = fopen(name, "we");
	ck_assert_ptr_nonnull(file);
	fputs("char LICENSE[] __attribute__((section(\"license\"))) = \"GPL\";\n", file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(fclose(fopen("vmlinux.h", "we")), 0);
	check(ARGV(peat, "build", name), "'./source\\x1b[2J\\xc2\\x9b\\x9b\\xe2\\x80\\xae\\xd8\\x9c"
					 ".bpf.o'");
}
END_TEST

static Suite *active_names_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("active_names", 60, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
	tcase_add_test(tests, test_name_by_a_jit);
	tcase_add_test(tests, test_name_in_a_warning);
	tcase_add_test(tests, test_name_of_a_command);
	tcase_add_test(tests, test_name_with_a_newline);
	tcase_add_test(tests, test_holder_of_a_map);
	tcase_add_test(tests, test_name_of_a_source);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { active_names_suite };

	return harness__main(argc, argv, suites, 1);
}
