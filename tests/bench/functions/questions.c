// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* questions.c: operations, and what is asked of them. */
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "functions.h"

/* ---- operations ------------------------------------------------------------------------------ */

/* The function that uprobes see. */
__attribute__((noipa)) void bench_functions_call(long number, long other);

void bench_functions_call(long number, long other)
{
	/* The kernel need not step through it, unlike most other first instructions. */
	__asm__ volatile("nop" : : "r"(number), "r"(other) : "memory");
}

static void call_function(void)
{
	bench_functions_call(4711, 1);
}

static void read_zeroes(void)
{
	static int file = -1;
	static char bytes[4711];

	if (file < 0)
		file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (read(file, bytes, sizeof(bytes)) != sizeof(bytes))
		abort();
}

static void call_futex(void)
{
	static uint32_t word;

	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 4711, NULL, NULL, 0);
}

static const struct operation user = { "function of a program", call_function,
				       "uprobe:%:bench_functions_call",
				       "uretprobe:%:bench_functions_call", false };
static const struct operation kernel = { "vfs_read of /dev/zero", read_zeroes, "kprobe:vfs_read",
					 "kretprobe:vfs_read", true };
static const struct operation tracepoint = { "sys_enter_futex", call_futex,
					     "tracepoint:syscalls:sys_enter_futex", NULL, false };

bool operation__is_possible(const struct operation *operation)
{
	return !operation->needs_kprobes || !access("/sys/bus/event_source/devices/kprobe", F_OK);
}

/* ---- questions ------------------------------------------------------------------------------- */

#define COUNT "calls by process", "count C --by pid", "C { @[pid] = count(); }"
#define LATENCY                                                                                    \
	"histogram of latency", "hist R latency",                                                  \
		"C { @start[tid] = nsecs; }"                                                       \
		" R /@start[tid]/ { @ = hist(nsecs - @start[tid]); delete(@start[tid]); }"

static const struct question questions[] = {
	{ &user, COUNT },
	{ &user, LATENCY },
	{ &user, "event of two fields", "trace C --fields arg1,arg2",
	  "C { printf(\"%d %d\\n\", arg0, arg1); }" },
	{ &kernel, COUNT },
	{ &kernel, LATENCY },
	{ &kernel, "event of two fields", "trace C --fields arg1,arg3",
	  "C { printf(\"%d %d\\n\", arg0, arg2); }" },
	{ &tracepoint, COUNT },
	{ &tracepoint, "histogram of a field", "hist C val", "C { @ = hist(args->val); }" },
	{ &tracepoint, "event of two fields", "trace C --fields op,val",
	  "C { printf(\"%d %d\\n\", args->op, args->val); }" },
};

static const struct question starts[] = {
	{ &user, "", "trace C --json --fields arg1", "C { printf(\"%d\\n\", arg0); }" },
	{ &kernel, "", "trace C --json --fields count", "C { printf(\"%d\\n\", arg2); }" },
	{ &tracepoint, "", "trace C --json --fields val", "C { printf(\"%d\\n\", args->val); }" },
};

const struct question *questions__at(size_t i)
{
	return i < sizeof(questions) / sizeof(*questions) ? &questions[i] : NULL;
}

const struct question *questions__start_at(size_t i)
{
	return i < sizeof(starts) / sizeof(*starts) ? &starts[i] : NULL;
}

/* ---- command lines --------------------------------------------------------------------------- */

static const char *own_file(void)
{
	static char path[256];

	if (!*path && readlink("/proc/self/exe", path, sizeof(path) - 1) < 0) {
		messages__print("cannot find the file of this program: %m");
		exit(1);
	}
	return path;
}

static void append(char *text, const char *added, size_t bytes)
{
	size_t end = strlen(text);

	if (end + bytes >= QUESTION_BYTES) {
		messages__print("a command line is too long: %s", text);
		exit(1);
	}
	memcpy(text + end, added, bytes);
}

static void append_source(char *text, const char *source)
{
	const char *file = strchrnul(source, '%');

	append(text, source, (size_t)(file - source));
	if (!*file)
		return;
	append(text, own_file(), strlen(own_file()));
	append(text, file + 1, strlen(file + 1));
}

/* Puts the sources in place of words that are C or R alone.  `text` is zeroes. */
static void expand(const struct question *question, const char *from, char *text)
{
	for (char before = ' '; *from; before = *from++) {
		bool is_word = before == ' ' && from[1] == ' ';

		if (is_word && *from == 'C')
			append_source(text, question->operation->call);
		else if (is_word && *from == 'R')
			append_source(text, question->operation->ret);
		else
			append(text, from, 1);
	}
}

void question__peat(const struct question *question, const char *peat, struct words *words)
{
	size_t count = 0;
	char *rest;

	*words = (struct words){ .argv = { peat } };
	expand(question, question->peat, words->text);
	for (char *word = strtok_r(words->text, " ", &rest); word && count + 2 < QUESTION_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		words->argv[++count] = word;
}

void question__bpftrace(const struct question *question, struct words *words)
{
	*words = (struct words){ .argv = { "bpftrace", "-B", "line", "-e", words->text } };
	expand(question, question->bpftrace, words->text);
}
