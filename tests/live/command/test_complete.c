// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_complete.c: completion of command lines, by peat and in shells. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/machine/pty.h"

#define SCRIPTS "user/share/completion"

/* ---- peat complete --------------------------------------------------------------------------- */

static void complete(struct command *peat, const char *line)
{
	command__run(peat, 0, ARGV(command__peat(), "complete", line));
	ck_assert_msg(peat->status == 0, "%s", peat->err_text);
	ck_assert_str_eq(peat->err_text, "");
}

/* Checks all words that the line can get. */
static void check_words(const char *line, const char *words)
{
	struct command peat;

	complete(&peat, line);
	ck_assert_msg(!strcmp(peat.out_text, words), "%s: '%s' instead of '%s'", line,
		      peat.out_text, words);
	command__free(&peat);
}

/* Checks that `word`, with its newline, is among them or not. */
static void check_word(const char *line, const char *word, bool wanted)
{
	struct command peat;
	const char *at;

	complete(&peat, line);
	at = strstr(peat.out_text, word);
	ck_assert_msg(!!at == wanted && (!at || at == peat.out_text || at[-1] == '\n'),
		      "%s: %s in '%s'", line, word, peat.out_text);
	command__free(&peat);
}

START_TEST(test_completes_verbs)
{
	check_words("peat tr", "trace\n");
	check_word("peat ", "top\n", true);
	check_word("peat ", "complete\n", false);
	check_words("peat", "");
	check_words("", "");
	check_words("peat unknown ", "");
	check_words("peat complete ", "");
}
END_TEST

START_TEST(test_completes_sources)
{
	check_words("peat trace sysc", "syscall\n");
	check_words("peat record -q --by x -n 3 exec open sysc", "syscall\n");
	check_words("peat trace @co", "@comm\n");
	check_word("peat trace @", "@other\n", false);
	check_word("peat replay file @", "@other\n", true);
	check_words("peat replay ", ""); /* a file */
	check_words("peat trace ./x", "");
	check_words("peat record --on sign", "signal\n");
	check_words("peat record --on major", "major-faults\n");
	check_word("peat record --on ", "sched:sched_switch\n", false); /* one of thousands */
	check_words("peat trace exec -- exe", "");
}
END_TEST

START_TEST(test_completes_words_of_functions)
{
	check_words("peat trace kp", "kprobe:\n");
	check_words("peat record ur", "uretprobe:\n");
	check_words("peat list exec trac", "tracepoint:\n");
	check_words("peat doctor exec trac", "tracepoint:\n");
	check_words("peat trace kprobe:vfs_", "");
	check_words("peat trace tracepoint:sched:sched_switch,", "");
}
END_TEST

START_TEST(test_options_of_probes)
{
	check_words("peat trace syscall,f", "syscall,failed\n");
	check_words("peat trace syscall,failed,mi", "syscall,failed,min=\n");
	check_words("peat trace packet,proto=tc", "packet,proto=tcp\n");
	check_words("peat trace packet,snap=1,proto=icmpv", "packet,snap=1,proto=icmpv6\n");
	check_words("peat trace syscall,failed=", "syscall,failed=false\nsyscall,failed=true\n");
	check_words("peat trace unknown,f", "");
}
END_TEST

START_TEST(test_completes_options)
{
	check_words("peat trace exec --max", "--max-functions\n--max-rate\n");
	check_words("peat record exec --max",
		    "--max-dumps\n--max-functions\n--max-rate\n--max-size\n");
	check_words("peat stat --no", "--no-inherit\n");
	check_words("peat stat --per-", "--per-core\n--per-cpu\n--per-socket\n--per-thread\n");
	check_words("peat stat --de", "--detailed\n");
	check_words("peat stat --interval-", "--interval-print\n");
	check_word("peat trace -", "--time\n", false); /* hidden */
	check_words("peat trace exec --stacks k", "kernel\n");
	check_words("peat trace exec --stacks=dw", "--stacks=dwarf\n");
	check_words("peat trace exec --sample ip,ca", "ip,callchain\n");
	check_words("peat convert --to pp", "pprof\n");
	check_words("peat profile --sort ", "self\ntotal\n");
	check_words("peat trace packet --if l", "lo\n");
	check_words("peat agent --s", "--socket\n--status\n--stream-setup\n");
	check_words("peat agent --config ", ""); /* a file */
	check_words("peat recv --t", "--timestamps\n--token-file\n--top\n");
	check_words("peat recv --c",
		    "--ca-file\n--cert-file\n--consumer\n--count\n--credentials-file\n");
	check_words("peat trace --unknown=x", "");
	check_words("peat trace -o ", ""); /* a file */
	check_words("peat trace -qo ", "");
}
END_TEST

/* Processes, users and events of this machine. */
START_TEST(test_completes_from_machine)
{
	char line[64], word[32];

	snprintf(word, sizeof(word), "%d\n", getpid());
	snprintf(line, sizeof(line), "peat trace exec -p %d", getpid());
	check_word(line, word, true);
	snprintf(word, sizeof(word), "--pid=%d\n", getpid());
	snprintf(line, sizeof(line), "peat stat --pid=%d", getpid());
	check_word(line, word, true);
	check_word("peat trace exec -p ", "self\n", false);
	check_words("peat trace exec -u roo", "root\n");
	check_words("peat stat -e context-sw", "context-switches\n");
	check_words("peat stat -e '{cpu-clock,page-fau", "{cpu-clock,page-faults\n");
	check_words("peat profile --event=cpu-clo", "--event=cpu-clock\n");
}
END_TEST

START_TEST(test_completes_fields)
{
	check_words("peat count open --by comm,r", "comm,result\n");
	check_words("peat count open --by=r", "--by=result\n");
	check_words("peat count open --by comm,st", "comm,stack\n");
	check_words("peat count open --sum res", "result\n");
	check_words("peat count open --sum pa", ""); /* a path has no sum */
	check_words("peat hist open --max lat", "latency\n");
	check_words("peat count open --sort co", "comm\ncount\n");
	check_words("peat trace packet --fields cpu,from.", "cpu,from.address\ncpu,from.port\n");
	check_words("peat trace exec open --fields p", "path\npid\nppid\n");
	check_words("peat trace @comm --fields ex", "exec\n");
	check_words("peat hist open resu", "result\n");
	check_words("peat hist open pat", ""); /* nor a histogram */
	check_words("peat count syscall --by comm --max cal", "call\n");
	check_words("peat hist fault addr", "address\n");
	check_words("peat hist open --stacks st", "");
	check_words("peat count packet --avg from.", "from.port\n");
	check_words("peat trace unknown /no/file.bpf.o --fields ti", "tid\ntime\n");
}
END_TEST

START_TEST(test_completes_expressions)
{
	check_words("peat trace open --where resul", "result\n");
	check_words("peat trace open --where 'result < 0 && pat", "result < 0 && path\n");
	check_words("peat trace open --where \"(pat", "(path\n");
	check_words("peat trace packet --where 'protocol == icmpv", "protocol == icmpv6\n");
	check_words("peat trace packet --where protocol!=icmpv", "protocol!=icmpv6\n");
	check_words("peat trace packet --where '== ic", "");
	check_words("peat trace open --where result==EACC", "result==EACCES\n");
	check_words("peat trace tcp --where 'error != ECONNREF", "error != ECONNREFUSED\n");
	check_words("peat trace signal --where 'signal == SIGTER", "signal == SIGTERM\n");
	check_words("peat trace open --where 'path == ENO", "");
}
END_TEST

/* Any line is answered, without a message. */
START_TEST(test_hostile_lines)
{
	static const char *const lines[] = {
		"'",
		"\"",
		"\\",
		"peat '",
		"peat trace \"\\",
		"peat trace ,,,",
		"peat trace =",
		"peat trace --=",
		"peat trace --where '<",
		"peat trace @,",
		"peat hist \xff ",
		"peat trace ./..,x=",
	};
	char *many = malloc(1 << 16);
	struct command peat;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		complete(&peat, lines[i]);
		command__free(&peat);
	}
	memset(many, 'a', (1 << 16) - 1);
	for (size_t i = 10; i < (1 << 16) - 1; i += 2)
		many[i] = ' ';
	memcpy(many, "peat trace", strlen("peat trace"));
	many[(1 << 16) - 1] = 0;
	complete(&peat, many);
	command__free(&peat);
	free(many);
}
END_TEST

/* ---- shells ---------------------------------------------------------------------------------- */

/* The first of the two that this machine lacks; NULL: it has both. */
static const char *missing(const char *program, const char *script)
{
	return access(program, X_OK) ? program : access(script, R_OK) ? script : NULL;
}

/* PATH=..., so that the shell finds the peat that is tested. */
static const char *path_variable(void)
{
	static char variable[2 * PATH_MAX + 8];
	char path[PATH_MAX];

	ck_assert_ptr_nonnull(realpath(command__peat(), path));
	*strrchr(path, '/') = 0;
	snprintf(variable, sizeof(variable), "PATH=%s:%s", path, getenv("PATH"));
	return variable;
}

static struct pty shell;
static bool keeps_blank; /* after a completed word; zsh removes it when the cursor moves */

/* Completes the line by a tab.  Ctrl-A and echo then print it, so that it need not be run. */
static void check_line(const char *line, const char *wanted)
{
	size_t bytes = strlen(wanted);
	char printed[256];

	if (!keeps_blank && wanted[bytes - 1] == ' ')
		bytes--;
	pty__type(&shell, line);
	pty__type(&shell, "\t\x01"
			  "echo [\x05]\r");
	snprintf(printed, sizeof(printed), "\n[%.*s]\r", (int)bytes, wanted);
	pty__expect(&shell, printed);
}

static void check_lines(void)
{
	check_line("peat tra", "peat trace ");
	check_line("peat trace sysc", "peat trace syscall ");
	check_line("peat trace syscall,mi", "peat trace syscall,min=");
	check_line("peat trace packet,proto=icmpv", "peat trace packet,proto=icmpv6 ");
	check_line("peat trace open --fiel", "peat trace open --fields ");
	check_line("peat trace open --fields pid,res", "peat trace open --fields pid,result ");
	check_line("peat count open --by=res", "peat count open --by=result ");
	check_line("peat replay " SCRIPTS "/peat.ba", "peat replay " SCRIPTS "/peat.bash ");
}

START_TEST(test_completes_in_bash)
{
	const char *path = missing("/bin/bash", SCRIPTS "/peat.bash");

	if (path)
		skip("no %s on this machine", path);
	pty__start(&shell, 500, ARGV(path_variable(), "TERM=dumb", "PS1=$ ", "HISTFILE="),
		   ARGV("/bin/bash", "--norc", "--noprofile", "-i"));
	pty__type(&shell, ". " SCRIPTS "/peat.bash; bind 'set enable-bracketed-paste off'; "
			  "echo rea''dy\r");
	pty__expect(&shell, "ready");
	keeps_blank = true;
	check_lines();
	check_line("peat trace open --where 'result < 0 && pat",
		   "peat trace open --where result < 0 && path ");
	pty__type(&shell, "exit\r");
	pty__finish(&shell);
}
END_TEST

START_TEST(test_completes_in_zsh)
{
	const char *path = missing("/bin/zsh", SCRIPTS "/_peat");

	if (path)
		skip("no %s on this machine", path);
	pty__start(&shell, 500, ARGV(path_variable(), "TERM=dumb"), ARGV("/bin/zsh", "-f", "-i"));
	pty__type(&shell, "PS1='$ '; bindkey -e; setopt no_glob no_nomatch; fpath=($PWD/" SCRIPTS
			  " $fpath); autoload -U compinit; compinit -D -u; echo rea''dy\r");
	pty__expect(&shell, "ready");
	check_lines();
	pty__type(&shell, "exit\r");
	pty__finish(&shell);
}
END_TEST

static Suite *complete_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("complete", 60, &tests);

	tcase_add_test(tests, test_completes_verbs);
	tcase_add_test(tests, test_completes_sources);
	tcase_add_test(tests, test_completes_words_of_functions);
	tcase_add_test(tests, test_options_of_probes);
	tcase_add_test(tests, test_completes_options);
	tcase_add_test(tests, test_completes_from_machine);
	tcase_add_test(tests, test_completes_fields);
	tcase_add_test(tests, test_completes_expressions);
	tcase_add_test(tests, test_hostile_lines);
	tcase_add_test(tests, test_completes_in_bash);
	tcase_add_test(tests, test_completes_in_zsh);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { complete_suite };

	return harness__main(argc, argv, suites, 1);
}
