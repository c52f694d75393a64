// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_list.c: peat list, without privileges. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(stranger)

#define LIST(...) ARGV(command__peat(), "list", ##__VA_ARGS__)

static const char *const probes[] = { "exec",	 "exit",  "offcpu", "open",   "packet",
				      "profile", "sched", "signal", "syscall" };
static const char *const kinds[] = { "@task", "@comm" };

static void list(struct command *peat, const char *const *argv)
{
	command__run(peat, 0, argv);
	ck_assert_msg(peat->status == 0, "status %d: %s", peat->status, peat->err_text);
	ck_assert_str_eq(peat->err_text, "");
}

/* Checks that a line begins with the name and has a description. */
static void check_named(const char *text, const char *name)
{
	size_t bytes = strlen(name);
	bool found = false;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		found |= !strncmp(line, name, bytes) && line[bytes] == ' ' &&
			 line[bytes + strspn(line + bytes, " ")] != '\n';
	ck_assert_msg(found, "no line about %s in: %.3000s", name, text);
}

START_TEST(test_lists_all_sources)
{
	struct command peat;

	list(&peat, LIST());
	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
		check_named(peat.out_text, probes[i]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		check_named(peat.out_text, kinds[i]);
	ck_assert_ptr_null(strstr(peat.out_text, "flood"));
	ck_assert_ptr_null(strstr(peat.out_text, "@other")); /* exists only in recordings */
	ck_assert_ptr_null(strstr(peat.out_text, "@tool"));
	command__free(&peat);
}
END_TEST

/* Checks that the text has all lines. */
static void check_words(const char *text, const char *const *lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(strstr(text, lines[i]), "no '%s' in: %.3000s", lines[i], text);
}

START_TEST(test_lists_details)
{
	static const char *const exec_lines[] = {
		"  event exec: programs started, with their arguments\n",
		"    filename         text\n",
		"    args             texts\n",
		"    args_bytes       size, bytes; of all arguments",
		"  hook tp_btf/sched_process_exec, program on_exec\n",
	};
	static const char *const others_lines[] = {
		"  option failed=false (true or false): only failures\n",
		"  option min=1000000ns (duration, ns): only delays of at least this\n",
		"  hook tp/syscalls/sys_exit_creat, program on_creat (if it exists)\n",
		"  event @fork",
		"  counter cycles=cycles (if the machine has it)\n",
	};
	static const char *const recorded_lines[] = {
		"@other      only in recordings",
		"  event @callchain_deferred: ",
		"@tool       only in recordings",
	};
	struct command peat;

	list(&peat, LIST("-v", "exec"));
	check_words(peat.out_text, exec_lines, 5);
	ck_assert_ptr_null(strstr(peat.out_text, "sched_switch"));
	command__free(&peat);
	list(&peat, LIST("-v", "open", "sched", "@task", "syscall"));
	check_words(peat.out_text, others_lines, 5);
	command__free(&peat);
	list(&peat, LIST("-v", "@other", "@tool"));
	check_words(peat.out_text, recorded_lines, 3);
	command__free(&peat);
}
END_TEST

/* Checks that the whole output is one valid document. */
static const char *check_json(const struct command *peat)
{
	const char *wrong;
	size_t at;

	wrong = json_lines__check(peat->out_text, strlen(peat->out_text), &at);
	ck_assert_msg(!wrong, "%s: %.300s", wrong, peat->out_text + at);
	return peat->out_text;
}

static const char *list_json(struct command *peat, const char *const *argv)
{
	list(peat, argv);
	return check_json(peat);
}

static bool has_named(const char *document, const char *name)
{
	const char *found;
	char path[32];

	for (int i = 0;; i++) {
		snprintf(path, sizeof(path), "[%d].name", i);
		found = json_lines__text(document, path);
		if (!found || !strcmp(found, name))
			return found;
	}
}

START_TEST(test_prints_json)
{
	struct command peat;
	const char *document = list_json(&peat, LIST("-j"));

	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
		ck_assert_msg(has_named(document, probes[i]), "no %s", probes[i]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		ck_assert_msg(has_named(document, kinds[i]), "no %s", kinds[i]);
	ck_assert_int_eq(json_lines__kind(document, "[0].summary"), JSON_STRING);
	ck_assert_int_eq(json_lines__kind(document, "[0].events[0].fields[0].name"), JSON_STRING);
	command__free(&peat);
}
END_TEST

/* Without the programs of peat and their variables.  Formats of tracepoints need privileges. */
START_TEST(test_lists_fields_of_tracepoint)
{
	static const char source[] = "tracepoint:syscalls:sys_enter_openat";
	struct command peat;

	command__run(&peat, ALL_CAPS, LIST("-v", source));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "  event sys_enter_openat\n"));
	check_named(peat.out_text, "    filename");
	ck_assert_ptr_null(strstr(peat.out_text, "peat_"));
	ck_assert_ptr_null(strstr(peat.out_text, "  variable "));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, LIST("-v", "-j", source));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "{\"name\":\"filename\""));
	ck_assert_ptr_null(strstr(peat.out_text, "peat_"));
	command__free(&peat);
}
END_TEST

static void check_text(const char *document, const char *path, const char *wanted)
{
	const char *text = json_lines__text(document, path);

	ck_assert_msg(text && !strcmp(text, wanted), "%s is not '%s' in %.3000s", path, wanted,
		      document);
}

/* The offset of the line that begins with this. */
static size_t line_of(const char *text, const char *start)
{
	const char *line = text;

	while (*line && strncmp(line, start, strlen(start)) != 0)
		line = strchr(line, '\n') + 1;
	ck_assert_msg(*line, "no line '%s' in: %.3000s", start, text);
	return (size_t)(line - text);
}

START_TEST(test_lists_by_subject)
{
	static const char *const in_order[] = { "TASKS\n",  "exec ",
						"syscall ", "\nFILES\n",
						"open ",    "\nNETWORK\n",
						"packet ",  "\nRECORDS OF THE KERNEL\n",
						"@task " };
	struct command peat;
	size_t at = 0;

	list(&peat, LIST());
	for (size_t i = 0; i < sizeof(in_order) / sizeof(*in_order); i++) {
		const char *line = in_order[i] + (*in_order[i] == '\n');

		ck_assert_uint_ge(line_of(peat.out_text, line), at);
		at = line_of(peat.out_text, line);
	}
	command__free(&peat);
	list(&peat, LIST("open")); /* no heading for one */
	ck_assert_ptr_null(strstr(peat.out_text, "FILES"));
	command__free(&peat);
}
END_TEST

/* By the tool, by words of one source in any case, by a hook; of kernel records, too. */
START_TEST(test_searches_sources)
{
	static const char *const found[][2] = {
		{ "opensnoop", "open " },
		{ "FILES failures", "open " },
		{ "sched_process_exec", "exec " },
		{ "context switch", "@switch " },
	};
	struct command peat;

	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
		list(&peat, LIST("--search", found[i][0]));
		line_of(peat.out_text, found[i][1]);
		ck_assert_ptr_null(strstr(peat.out_text, "signal "));
		command__free(&peat);
	}
	list(&peat, LIST("-j", "--search", "opensnoop"));
	check_text(check_json(&peat), "[0].name", "open");
	check_text(peat.out_text, "[0].subject", "files");
	ck_assert_int_eq(json_lines__kind(peat.out_text, "[1]"), JSON_NOTHING);
	command__free(&peat);
}
END_TEST

START_TEST(test_search_without_result)
{
	struct command peat;

	command__run(&peat, 0, LIST("--search", "no-such-word"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert(strstr(peat.err_text, "no source mentions 'no-such-word'"));
	command__free(&peat);
	command__run(&peat, 0, LIST("-j", "--search", "no-such-word"));
	ck_assert_str_eq(peat.out_text, "[]\n");
	command__free(&peat);
	command__run(&peat, 0, LIST("--search", "open", "exec"));
	ck_assert_int_eq(peat.status, 64);
	command__free(&peat);
}
END_TEST

START_TEST(test_json_of_one)
{
	struct command peat;
	const char *document = list_json(&peat, LIST("-j", "sched"));

	check_text(document, "[0].name", "sched");
	check_text(document, "[0].events[0].type", "sched");
	check_text(document, "[0].events[0].fields[0].name", "delay");
	check_text(document, "[0].options[0].name", "min");
	ck_assert_int_eq(json_lines__number(document, "[0].options[0].default"), 1000000);
	check_text(document, "[0].hooks[0].section", "tp_btf/sched_wakeup");
	ck_assert(json_lines__is(document, "[0].hooks[0].optional", "false"));
	ck_assert_int_eq(json_lines__kind(document, "[1]"), JSON_NOTHING);
	command__free(&peat);
	document = list_json(&peat, LIST("-j", "syscall"));
	check_text(document, "[0].counters[1].name", "instructions");
	check_text(document, "[0].counters[1].event", "instructions");
	ck_assert(json_lines__is(document, "[0].counters[1].optional", "true"));
	ck_assert_int_eq(json_lines__kind(document, "[0].counters[2]"), JSON_NOTHING);
	command__free(&peat);
}
END_TEST

/* Written to the current directory, so that the path is relative. */
static void write_stranger(char *directory)
{
	FILE *file;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	file = fopen("stranger.bpf.o", "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(stranger_object.bytes, *stranger_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(directory, 0755), 0);
}

/* Makes $PEAT absolute before the directory changes. */
static const char *peat_from_anywhere(void)
{
	static char path[PATH_MAX];

	ck_assert_msg(realpath(command__peat(), path), "no %s", command__peat());
	return path;
}

START_TEST(test_lists_file)
{
	static const char *const lines[] = {
		"stranger    a bit of everything\n",
		"  event stranger: a bit of everything\n",
		"    color            name\n",
		"    to               struct\n",
		"      address        IPv6 address\n",
		"      port           port\n",
		"    took             duration, ns\n",
		"  option only_pid=0 (number): the one process to look at\n",
		"  hook raw_tp/sys_enter, program stranger\n",
	};
	char directory[] = "/tmp/peat-list-XXXXXX";
	const char *program = peat_from_anywhere(), *document;
	struct command peat;

	write_stranger(directory);
	list(&peat, ARGV(program, "list", "-v", "./stranger.bpf.o"));
	check_words(peat.out_text, lines, 9);
	command__free(&peat);
	document = list_json(&peat, ARGV(program, "list", "-j", "./stranger.bpf.o", "exec"));
	check_text(document, "[0].name", "stranger");
	check_text(document, "[0].events[0].fields[1].fields[1].kind", "port");
	check_text(document, "[0].options[0].doc", "the one process to look at");
	check_text(document, "[1].name", "exec");
	command__free(&peat);
	unlink("stranger.bpf.o");
	rmdir(directory);
}
END_TEST

/* The kind of an event in a document, which is an array. */
static const char *kind_of(const char *document, const char *name)
{
	const char *found;
	char path[32];

	for (int i = 0;; i++) {
		snprintf(path, sizeof(path), "[%d].name", i);
		found = json_lines__text(document, path);
		if (!found)
			return "none";
		if (strcmp(found, name))
			continue;
		snprintf(path, sizeof(path), "[%d].kind", i);
		return json_lines__text(document, path);
	}
}

START_TEST(test_lists_events)
{
	struct command peat;
	const char *document;

	command__run(&peat, ALL_CAPS, LIST("--events"));
	ck_assert_msg(peat.status == 0, "status %d: %s", peat.status, peat.err_text);
	ck_assert(strstr(peat.out_text, "\npage-faults "));
	ck_assert(strstr(peat.out_text, "\nsched:sched_switch "));
	ck_assert(strstr(peat.out_text, "\nmem:ADDRESS"));
	ck_assert_ptr_null(strstr(peat.out_text, "\nexec "));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, LIST("-j", "--events", "page-fault", "task-cl"));
	document = check_json(&peat);
	ck_assert_str_eq(kind_of(document, "page-faults"), "software");
	ck_assert_str_eq(kind_of(document, "task-clock"), "software");
	ck_assert_str_eq(kind_of(document, "cpu-clock"), "none");
	command__free(&peat);
}
END_TEST

START_TEST(test_no_such_event)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, LIST("--events", "no such event"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert(strstr(peat.err_text, "no event of this machine"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, LIST("-j", "--events", "no such event"));
	ck_assert_str_eq(peat.out_text, "[]\n");
	command__free(&peat);
}
END_TEST

static void check_refused(const char *source, int status, const char *word)
{
	struct command peat;

	command__run(&peat, 0, LIST(source));
	ck_assert_msg(peat.status == status, "%s: status %d", source, peat.status);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, word), "'%s' does not say '%s'", peat.err_text, word);
	ck_assert_ptr_eq(strchr(peat.err_text, '\n'), strrchr(peat.err_text, '\n'));
	command__free(&peat);
}

START_TEST(test_unknown_sources)
{
	check_refused("nothing", 64, "unknown probe 'nothing'");
	check_refused("@nothing", 64, "unknown kind of kernel records '@nothing'");
	check_refused("./no/such/thing.bpf.o", 1, "No such file");
	check_refused("/proc/self/status", 1, "cannot be used as a BPF object");
}
END_TEST

/* The objects before an unknown one form a valid document. */
START_TEST(test_json_before_unknown_source)
{
	struct command peat;
	const char *wrong;
	size_t at;

	command__run(&peat, 0, LIST("-j", "exec", "nothing"));
	ck_assert_int_eq(peat.status, 64);
	wrong = json_lines__check(peat.out_text, strlen(peat.out_text), &at);
	ck_assert_msg(!wrong, "%s: %.300s", wrong, peat.out_text + at);
	command__free(&peat);
}
END_TEST

/* Counts how often the file is opened until the command ends. */
static unsigned count_opens(const char *path, const char *const *argv)
{
	_Alignas(struct inotify_event) char events[16384];
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	unsigned opens = 0;
	struct command peat;
	ssize_t bytes;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(inotify_add_watch(fd, path, IN_OPEN | IN_CLOSE), 0);
	list(&peat, argv);
	ck_assert_msg(strstr(peat.out_text, "stranger"), "%s", peat.out_text);
	command__free(&peat);
	while ((bytes = read(fd, events, sizeof(events))) > 0)
		for (char *at = events; at < events + bytes;
		     at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len)
			opens += ((struct inotify_event *)at)->mask & IN_OPEN ? 1 : 0;
	close(fd);
	return opens;
}

/* The bytes that are used are those that were checked, also if somebody writes to the file. */
START_TEST(test_read_once)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-stranger-%d.bpf.o", (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(stranger_object.bytes, *stranger_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_uint_eq(count_opens(path, LIST("-v", path)), 1);
	unlink(path);
}
END_TEST

static Suite *list_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("list", 60, &tests);

	tcase_add_test(tests, test_lists_all_sources);
	tcase_add_test(tests, test_lists_details);
	tcase_add_test(tests, test_prints_json);
	tcase_add_test(tests, test_json_of_one);
	tcase_add_test(tests, test_lists_fields_of_tracepoint);
	tcase_add_test(tests, test_lists_by_subject);
	tcase_add_test(tests, test_searches_sources);
	tcase_add_test(tests, test_search_without_result);
	tcase_add_test(tests, test_lists_file);
	tcase_add_test(tests, test_lists_events);
	tcase_add_test(tests, test_no_such_event);
	tcase_add_test(tests, test_unknown_sources);
	tcase_add_test(tests, test_json_before_unknown_source);
	tcase_add_test(tests, test_read_once);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { list_suite };

	return harness__main(argc, argv, suites, 1);
}
