// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_journald.c: the output journal and a journald of its own, in a mount namespace. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/output.h>

#include "journal/journal.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "unit/print/sink_output.h"

#define JOURNALD "/lib/systemd/systemd-journald"
#define SOCKET	 "/run/systemd/journal/socket"

struct record {
	uint32_t number;
	char word[50000];
};

static struct peat_field fields[] = {
	FIELD(struct record, number, PEAT_FIELD_UNSIGNED),
	FIELD(struct record, word, PEAT_FIELD_STRING),
};
static const struct peat_schema schema = SCHEMA("probe", fields);

static pid_t journald;
static unsigned settled_count;
static uint64_t settled_refused;

static void settled(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	(void)arg, (void)batch, (void)why;
	settled_count++;
	settled_refused += refused;
}

static int run_journald(void *arg)
{
	(void)arg;
	execl(JOURNALD, JOURNALD, NULL);
	return 127;
}

static void start_journald(void)
{
	unlink(SOCKET);
	journald = process__start(run_journald, NULL);
	for (int i = 0; access(SOCKET, F_OK) && i < 1000; i++)
		usleep(10000);
	ck_assert_int_eq(access(SOCKET, F_OK), 0);
}

static void stop_journald(void)
{
	if (journald > 0) {
		kill(journald, SIGTERM);
		process__wait(journald);
	}
	journald = 0;
}

/* Its sockets and files are in a /run that this test alone sees. */
#define need_journald()                                                                            \
	do {                                                                                       \
		if (access(JOURNALD, X_OK) || access("/etc/machine-id", F_OK))                     \
			skip("no journald on this machine");                                       \
		need_program("journalctl");                                                        \
		ck_assert_int_eq(unshare(CLONE_NEWNS), 0);                                         \
		ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);            \
		ck_assert_int_eq(mount("none", "/run", "tmpfs", 0, NULL), 0);                      \
		ck_assert_int_eq(mkdir("/run/log", 0755), 0);                                      \
		ck_assert_int_eq(mkdir("/run/log/journal", 0755), 0);                              \
		start_journald();                                                                  \
	} while (0)

static struct peat_output *open_with(const struct peat_setting *settings, uint32_t count)
{
	const struct peat_output_opts opts = { .sz = sizeof(opts),
					       .name = "alerts",
					       .settings = settings,
					       .setting_count = count,
					       .wake_fd = -1,
					       .settled = settled };
	struct peat_output *output = journal_output.open(&opts);

	ck_assert_ptr_nonnull(output);
	return output;
}

/* A batch with an event of `bytes` bytes, or with a loss of so many events. */
static void write_event(struct peat_output *output, enum peat_event_kind kind, uint32_t bytes)
{
	static struct record record = { .number = 17 };
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "src" };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct peat_event event = { .kind = kind, .schema = &schema, .pid = 1, .tid = 1 };

	memset(record.word, 1, sizeof(record.word));
	if (kind == PEAT_EVENT_LOST)
		event.lost = bytes;
	event.data = &record;
	event.size = kind == PEAT_EVENT_LOST ? 0 : bytes;
	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	ck_assert_int_eq(journal_output.write(output, batch), 0);
	peat_batch__unref(batch);
}

/* Reads the journal until it has a text. */
static void expect(const char *text)
{
	struct command command;
	bool is_found = false;

	for (int i = 0; i < 100 && !is_found; i++) {
		command__run(&command, ALL_CAPS,
			     ARGV("journalctl", "-a", "-D", "/run/log/journal", "-t", "peat-agent",
				  "-o", "export"));
		is_found = strstr(command.out_text, text);
		if (!is_found && i == 99)
			ck_abort_msg("no %.200s in: %.2000s", text, command.out_text);
		if (!is_found)
			usleep(50000);
		command__free(&command);
	}
}

START_TEST(test_entries_of_journald)
{
	static char word[4 * sizeof(((struct record *)0)->word) + 32] = "\nPEAT_FIELD_WORD=";
	struct peat_output *output;

	need_journald();
	output = open_with(NULL, 0);
	write_event(output, PEAT_EVENT_DATA, 4);
	write_event(output, PEAT_EVENT_LOST, 12);
	expect("\nMESSAGE=src: probe");
	expect("\nPRIORITY=4\n");
	expect("\nPEAT_FIELD_NUMBER=17\n");
	expect("\nPEAT_LOST=12\n");
	/* Its text has four times the bytes: beyond a datagram. */
	write_event(output, PEAT_EVENT_DATA, sizeof(struct record));
	for (size_t at = strlen(word), i = 0; i < sizeof(((struct record *)0)->word); i++, at += 4)
		memcpy(word + at, "\\x01", 5);
	expect(word);
	ck_assert_uint_eq(settled_count, 3);
	ck_assert_uint_eq(settled_refused, 0);
	journal_output.close(output);
	stop_journald();
}
END_TEST

START_TEST(test_lines_of_syslog)
{
	const struct peat_setting settings[] = {
		{ .name = "journal", .value = "syslog" },
		{ .name = "priority", .value = "alert" },
		{ .name = "socket", .value = "/run/systemd/journal/dev-log" },
	};
	char text[64];

	need_journald();
	struct peat_output *output = open_with(settings, 3);
	write_event(output, PEAT_EVENT_DATA, 4);
	expect("\n_TRANSPORT=syslog\n");
	expect("\nMESSAGE=src: probe");
	expect("\nPRIORITY=1\n");
	expect("\nSYSLOG_FACILITY=3\n");
	snprintf(text, sizeof(text), "\nSYSLOG_PID=%d\n", getpid());
	expect(text);
	journal_output.close(output);
	stop_journald();
}
END_TEST

START_TEST(test_journald_that_starts_again)
{
	struct peat_output *output;

	need_journald();
	output = open_with(NULL, 0);
	write_event(output, PEAT_EVENT_LOST, 1001);
	expect("\nPEAT_LOST=1001\n");
	stop_journald();
	settled_count = 0;
	write_event(output, PEAT_EVENT_LOST, 1002);
	ck_assert_uint_eq(settled_count, 0);
	start_journald();
	while (!settled_count)
		journal_output.acknowledged(output, -1);
	expect("\nPEAT_LOST=1002\n");
	journal_output.close(output);
	stop_journald();
}
END_TEST

static Suite *journald_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("journald", 60, &tests);

	tcase_add_test(tests, test_entries_of_journald);
	tcase_add_test(tests, test_lines_of_syslog);
	tcase_add_test(tests, test_journald_that_starts_again);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { journald_suite };

	return harness__main(argc, argv, suites, 1);
}
