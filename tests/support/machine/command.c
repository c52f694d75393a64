// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* command.c: runs programs and reads what they say. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/securebits.h>

#include "command.h"
#include "process.h"

static void die(const char *what)
{
	perror(what);
	abort();
}

const char *command__peat(void)
{
	const char *path = getenv("PEAT");

	return path ? path : "build/peat";
}

static void set_caps(uint64_t caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = data[i].inheritable =
			(uint32_t)(caps >> 32 * i);
	if (syscall(SYS_capset, &header, data))
		die("limiting capabilities");
	for (unsigned long cap = 0; cap < 64; cap++)
		if (caps >> cap & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0))
			die("raising ambient capabilities");
}

void command__limit_caps(uint64_t caps)
{
	if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT))
		die("limiting capabilities");
	set_caps(caps);
}

/* It leaves this process its permitted capabilities. */
static void set_user(uid_t user)
{
	if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_KEEP_CAPS) || setgroups(0, NULL) ||
	    setresgid(user, user, user) || setresuid(user, user, user))
		die("changing the user");
}

/* How a program starts. */
struct start {
	uid_t user; /* SAME_USER: unchanged */
	uint64_t caps;
	const char *const *argv;
};

#define SAME_USER ((uid_t)-1)

/* The memory may be that of the parent, which waits. */
static void become(const int *out, const int *err, const struct start *start)
{
	dup2(out[1], 1);
	dup2(err[1], 2);
	if (start->user != SAME_USER) {
		set_user(start->user);
		set_caps(start->caps);
	} else if (start->caps != ALL_CAPS) {
		command__limit_caps(start->caps);
	}
	execvp(start->argv[0], (char *const *)start->argv);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", start->argv[0], strerror(errno));
	_exit(127);
}

/*
 * fork() takes 8 ms with sanitizers.  After vfork() setresuid() would look at the parent's threads,
 * and the child has needed as much memory as the parent, as rusage says.
 */
#ifdef __SANITIZE_ADDRESS__
#define copy_process(start) ((start)->user == SAME_USER ? vfork() : fork())
#else
#define copy_process(start) fork()
#endif

static void start_program(struct command *command, const struct start *start)
{
	int out[2], err[2];

	*command = (struct command){ 0 };
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		die("pipe");
	fflush(NULL);
	command->pid = copy_process(start);
	if (command->pid < 0)
		die("fork");
	if (!command->pid)
		become(out, err, start);
	close(out[1]);
	close(err[1]);
	command->out = fdopen(out[0], "r");
	command->err = fdopen(err[0], "r");
	if (!command->out || !command->err)
		die("fdopen");
	/* No reading ahead: command__expect() leaves the rest to command__finish(). */
	setvbuf(command->out, NULL, _IONBF, 0);
	setvbuf(command->err, NULL, _IONBF, 0);
}

void command__start(struct command *command, uint64_t caps, const char *const *argv)
{
	start_program(command, &(struct start){ SAME_USER, caps, argv });
}

void command__expect(FILE *stream, const char *text)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stream) >= 0)
		if (strstr(line, text)) {
			free(line);
			return;
		}
	fprintf(stderr, "the output ended without '%s': %s\n", text, line ? line : "");
	abort();
}

struct text {
	char *bytes;
	size_t count, room;
};

#define PIECE_BYTES ((size_t)64 << 10)

/* Doubled: sanitizers copy all of it each time, and pipes give a page or so at once. */
static void make_room(struct text *text)
{
	if (text->room - text->count > PIECE_BYTES)
		return;
	text->room = 2 * text->room + 2 * PIECE_BYTES;
	text->bytes = realloc(text->bytes, text->room);
	if (!text->bytes)
		die("realloc");
}

/* Appends the bytes that can be read now; 0 at the end. */
static int take(FILE *stream, struct text *text)
{
	ssize_t bytes;

	make_room(text);
	bytes = read(fileno(stream), text->bytes + text->count, PIECE_BYTES);
	if (bytes < 0)
		die("read");
	text->count += (size_t)bytes;
	text->bytes[text->count] = '\0';
	return bytes > 0;
}

/* Both at once: a program that fills one pipe while the other is waited for would hang. */
static void take_all(FILE *out, FILE *err, struct text *texts)
{
	FILE *streams[] = { out, err };
	struct pollfd fds[] = { { .fd = fileno(out), .events = POLLIN },
				{ .fd = fileno(err), .events = POLLIN } };

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (poll(fds, 2, -1) < 0)
			die("poll");
		for (int i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents && !take(streams[i], &texts[i]))
				fds[i].fd = -1;
	}
}

void command__finish(struct command *command)
{
	struct text texts[2] = { { 0 } };
	int status;

	take_all(command->out, command->err, texts);
	command->out_text = texts[0].bytes;
	command->err_text = texts[1].bytes;
	fclose(command->out);
	fclose(command->err);
	if (waitpid(command->pid, &status, 0) < 0)
		die("waitpid");
	command->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void command__free(struct command *command)
{
	free(command->out_text);
	free(command->err_text);
	command->out_text = command->err_text = NULL;
}

void command__run(struct command *command, uint64_t caps, const char *const *argv)
{
	command__start(command, caps, argv);
	command__finish(command);
}

void command__run_as(struct command *command, uid_t user, uint64_t caps, const char *const *argv)
{
	start_program(command, &(struct start){ user, caps, argv });
	command__finish(command);
}

unsigned long command__missed(const struct command *command)
{
	unsigned long missed = 0, of_one;

	for (const char *each = command->err_text; (each = strstr(each, " ns each, "));) {
		each += strlen(" ns each, ");
		if (sscanf(each, "%lu skipped", &of_one) == 1)
			missed += of_one;
	}
	return missed;
}

bool command__is_running(const struct command *command)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)command->pid, &info, WEXITED | WNOHANG | WNOWAIT))
		die("waitid");
	return !info.si_pid;
}

bool command__exists(const char *name)
{
	struct command command;

	command__run(&command, ALL_CAPS,
		     ARGV("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; command -v $0", name));
	command__free(&command);
	return !command.status;
}
