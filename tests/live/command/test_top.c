// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_top.c: peat top, on a terminal and without one. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/process.h"

#define PEAT	   command__peat()
#define TIMEOUT_MS 300000 /* emulated machines are slow */

/* ---- a terminal ------------------------------------------------------------------------------ */

/* A program on a terminal of its own, and everything that it has printed. */
struct terminal {
	pid_t pid;
	int fd;
	struct termios settings; /* before it started */
	char text[1 << 20];
	size_t count, seen; /* seen: up to the last text that was expected */
};

static struct terminal terminal;
static const char *type_of_terminal = "xterm";

static void need_terminfo(void)
{
	static const char *const paths[] = { "/lib/terminfo/x/xterm", "/usr/share/terminfo/x/xterm",
					     "/etc/terminfo/x/xterm" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!access(paths[i], R_OK))
			return;
	harness__skip("test_top", "no terminfo of xterm on this machine");
}

static void start(unsigned short lines, unsigned short columns, const char *const *argv)
{
	const struct winsize size = { .ws_row = lines, .ws_col = columns };

	memset(&terminal, 0, sizeof(terminal));
	terminal.pid = forkpty(&terminal.fd, NULL, NULL, &size);
	ck_assert_int_ge(terminal.pid, 0);
	if (!terminal.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setenv("TERM", type_of_terminal, 1);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	ck_assert_int_eq(tcgetattr(terminal.fd, &terminal.settings), 0);
}

/* False: the program has ended. */
static bool read_more(void)
{
	struct pollfd fd = { .fd = terminal.fd, .events = POLLIN };
	ssize_t bytes;

	ck_assert_msg(poll(&fd, 1, TIMEOUT_MS) == 1, "nothing more after: %s",
		      terminal.text + terminal.seen);
	bytes = read(terminal.fd, terminal.text + terminal.count,
		     sizeof(terminal.text) - 1 - terminal.count);
	if (bytes <= 0)
		return false;
	terminal.count += (size_t)bytes;
	terminal.text[terminal.count] = 0;
	return true;
}

/* Reads until `text` is drawn after the last expected one. */
static void expect(const char *text)
{
	const char *at;

	while (!(at = strstr(terminal.text + terminal.seen, text)))
		ck_assert_msg(read_more(), "no '%s' in: %s", text, terminal.text + terminal.seen);
	terminal.seen = (size_t)(at - terminal.text) + strlen(text);
}

static void type(const char *keys)
{
	ck_assert_int_eq(write(terminal.fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static void resize(unsigned short lines, unsigned short columns)
{
	const struct winsize size = { .ws_row = lines, .ws_col = columns };

	ck_assert_int_eq(ioctl(terminal.fd, TIOCSWINSZ, &size), 0);
}

static bool is_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && !memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc));
}

/* Waits for the end.  The screen has to be left, and the settings have to be those of before. */
static void check_restored(void)
{
	struct termios after;
	int status;

	expect("\x1b[?1049l"); /* rmcup */
	expect("lost\r\n");    /* the summary */
	ck_assert_int_eq(tcgetattr(terminal.fd, &after), 0);
	ck_assert(is_same(&terminal.settings, &after));
	while (read_more())
		;
	ck_assert_int_eq(waitpid(terminal.pid, &status, 0), terminal.pid);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "status %#x: %s", status,
		      terminal.text);
	close(terminal.fd);
}

#define TOP(...) ARGV(PEAT, "top", "exec", ##__VA_ARGS__)

/*
 * Runs programs until the screen has a row of them.  A row that replaces another one is drawn in
 * part, so all lines are repainted (Ctrl-L).
 */
static void draw_rows(const char *path)
{
	expect("\x1b[?1049h"); /* smcup */
	expect("q quit");
	while (!strstr(terminal.text + terminal.seen, "run-")) {
		struct pollfd fd = { .fd = terminal.fd, .events = POLLIN };

		for (int i = 0; i < 5; i++)
			process__run(path, ARGV("t"));
		type("\f");
		for (int i = 0; i < 100 && poll(&fd, 1, 10) == 1; i++)
			ck_assert(read_more()); /* else both ends wait for room to write */
	}
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_draws_and_restores_screen)
{
	const char *path = process__program();

	need_terminfo();
	start(24, 80, TOP("--by", "comm,uid", "-i", "100ms"));
	draw_rows(path);
	type("q");
	check_restored();
	ck_assert_ptr_nonnull(strstr(terminal.text, "COMM"));
	ck_assert_ptr_nonnull(strstr(terminal.text, "count")); /* a line is redrawn in part */
	unlink(path);
}
END_TEST

/* Ctrl-L repaints all lines, which are drawn in part otherwise. */
static void check_key(const char *keys, const char *drawn)
{
	terminal.seen = terminal.count;
	type(keys);
	type("\f");
	expect(drawn);
}

START_TEST(test_keys_change_order_and_interval)
{
	need_terminfo();
	start(24, 100, TOP("--by", "comm,uid", "-i", "1h"));
	expect("q quit");
	check_key(" ", "count"); /* the columns are known from now on */
	check_key("<", "rows by uid");
	check_key("<", "rows by comm");
	check_key("<", "rows by count"); /* from the first to the last */
	check_key(">", "rows by comm");
	check_key("R", "rows by comm, reversed");
	check_key("s", "interval (1, 500ms): _");
	check_key("x\n", "not a time");
	check_key("s2x\b5ms", "interval (1, 500ms): 25ms_");
	check_key("\n", "q quit");
	type("q");
	check_restored();
}
END_TEST

/* The interval has ended when peat reads the key. */
START_TEST(test_quits_at_the_end_of_an_interval)
{
	need_terminfo();
	for (int i = 0; i < 5; i++) {
		start(24, 80, TOP("--by", "comm", "-i", "50ms"));
		expect("q quit");
		kill(terminal.pid, SIGSTOP);
		type("q");
		usleep(100000);
		kill(terminal.pid, SIGCONT);
		check_restored();
	}
}
END_TEST

START_TEST(test_survives_any_size)
{
	static const unsigned short sizes[][2] = { { 3, 10 }, { 1, 1 }, { 2, 200 }, { 60, 20 } };
	const char *path = process__program();

	need_terminfo();
	start(24, 80, TOP("--by", "comm", "-i", "50ms"));
	draw_rows(path);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		terminal.seen = terminal.count;
		resize(sizes[i][0], sizes[i][1]);
		expect("\x1b[");
	}
	resize(24, 80);
	expect("q quit");
	type("q");
	check_restored();
	unlink(path);
}
END_TEST

static void check_signal(int number)
{
	need_terminfo();
	start(24, 80, TOP("--by", "comm", "-i", "50ms"));
	expect("q quit");
	kill(terminal.pid, number);
	check_restored();
}

START_TEST(test_signals_restore_the_terminal)
{
	check_signal(SIGINT);
	check_signal(SIGTERM);
	check_signal(SIGQUIT);
	need_terminfo();
	start(24, 80, TOP("--by", "comm"));
	expect("q quit");
	type("\x03"); /* Ctrl-C */
	check_restored();
	start(24, 80, TOP("--by", "comm", "-d", "300ms"));
	check_restored();
}
END_TEST

/* A command prints to the terminal, so there is no screen. */
START_TEST(test_command_on_a_terminal)
{
	start(24, 80,
	      TOP("--by", "comm", "--comm", "true", "--", "/bin/sh", "-c", "true; /bin/true"));
	expect("COMM");
	expect("true");
	expect(" 0 lost");
	while (read_more())
		;
	ck_assert_ptr_null(strstr(terminal.text, "\x1b[?1049h"));
	ck_assert_int_eq(waitpid(terminal.pid, NULL, 0), terminal.pid);
	close(terminal.fd);
}
END_TEST

/* Nor is there on a terminal that cannot be redrawn. */
START_TEST(test_other_terminals)
{
	static const char *const types[] = { "dumb", "no-such-terminal", "" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		type_of_terminal = types[i];
		start(24, 80, TOP("--by", "comm,uid", "-i", "20ms", "-d", "100ms"));
		expect("COMM  UID  COUNT\r\n");
		expect(" 0 lost");
		while (read_more())
			;
		ck_assert_ptr_null(strstr(terminal.text, "\x1b["));
		ck_assert_int_eq(waitpid(terminal.pid, NULL, 0), terminal.pid);
		close(terminal.fd);
	}
}
END_TEST

/* Without a terminal, each interval is a table: of text, or of JSON. */
START_TEST(test_no_terminal)
{
	const char *path = process__program();
	unsigned long long total = 0;
	struct json_lines tables;
	struct command peat;
	char where[100];

	snprintf(where, sizeof(where), "filename == \"%s\"", path);
	command__start(&peat, ALL_CAPS,
		       TOP("-v", "-j", "--by", "filename", "-i", "20ms", "--where", where));
	command__expect(peat.err, "attached");
	for (int i = 0; i < 50; i++)
		process__run(path, ARGV("t"));
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	tables = json_lines__split(peat.out_text);
	for (size_t i = 0; i < tables.count; i++) {
		ck_assert_str_eq(json_event__text(tables.lines[i], "type"), "top");
		total += json_table__total(tables.lines[i]);
	}
	ck_assert_uint_le(total, 50);
	ck_assert_uint_ge(total + command__missed(&peat), 50);
	json_lines__free(&tables);
	command__free(&peat);

	command__run(&peat, ALL_CAPS, TOP("-q", "-i", "20ms", "-d", "100ms", "-p", "1"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_ptr_nonnull(strstr(peat.out_text, "    0\n    0\n"));
	command__free(&peat);
	unlink(path);
}
END_TEST

static Suite *top_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("top", 60, &tests);

	tcase_add_test(tests, test_draws_and_restores_screen);
	tcase_add_test(tests, test_keys_change_order_and_interval);
	tcase_add_test(tests, test_quits_at_the_end_of_an_interval);
	tcase_add_test(tests, test_survives_any_size);
	tcase_add_test(tests, test_signals_restore_the_terminal);
	tcase_add_test(tests, test_command_on_a_terminal);
	tcase_add_test(tests, test_other_terminals);
	tcase_add_test(tests, test_no_terminal);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { top_suite };

	return harness__main(argc, argv, suites, 1);
}
