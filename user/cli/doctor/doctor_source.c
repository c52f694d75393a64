// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* doctor_source.c: starts a source and stops it, in a child process. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "cli/cli.h"
#include "cli/doctor/doctor_source.h"
#include "cli/run/run.h"

/* ---- the run --------------------------------------------------------------------------------- */

static int open_sink(struct run *run, uint32_t kinds)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .no_symbols = true };

	(void)kinds;
	return output__open_sink(&run->output, run->options, &opts);
}

static int do_nothing(struct run *run)
{
	(void)run;
	return 0;
}

/* Loads, attaches, and detaches at once. */
static int start_and_stop(const struct options *options, const char *name)
{
	static const struct run_ops ops = { .open_sink = open_sink,
					    .pause = do_nothing,
					    .finish = do_nothing };
	struct run run = { .ops = &ops };
	struct options chosen = *options;

	chosen.verb = VERB_TRACE;
	chosen.sources.names[0] = name;
	chosen.sources.name_count = 1;
	chosen.limits.run_ms = 0;
	chosen.output.quiet = true;
	chosen.output.json = false;
	chosen.output.path = NULL;
	return run__session(&run, &chosen, NULL);
}

/* ---- the child ------------------------------------------------------------------------------- */

#define NOBODY 65534

/* Without CAP_SETUID it stays root, whose files it owns. */
static bool leave_root(void)
{
	if (geteuid())
		return true;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		return false;
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return errno == EPERM;
	return true;
}

/* Its files in /proc are its own again, as those of a program that was started so. */
static bool limit_caps(uint64_t caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		data[i].effective = data[i].permitted = (uint32_t)(caps >> 32 * i);
	return leave_root() && !syscall(SYS_capset, &header, data) &&
	       !prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/* Events are written to memory: a root directory may have no /dev/null. */
static void run_child(const struct options *options, const char *name, uint64_t caps, int err_fd)
{
	const int out_fd = memfd_create("events", MFD_CLOEXEC);
	int status = EXIT_FAILED;

	if (dup2(out_fd, STDOUT_FILENO) < 0 || dup2(err_fd, STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	if (caps == DOCTOR_AS_IS || limit_caps(caps))
		status = start_and_stop(options, name);
	else
		messages__print("cannot take a user's capabilities: %m");
	_exit(status);
}

/* To the end.  NULL: no memory. */
static char *read_all(int fd)
{
	char buffer[4096], *text = NULL;
	size_t count;
	ssize_t bytes;
	FILE *all = open_memstream(&text, &count);

	while ((bytes = read(fd, buffer, sizeof(buffer))) > 0 || (bytes < 0 && errno == EINTR))
		if (bytes > 0 && all)
			fwrite(buffer, 1, (size_t)bytes, all);
	if (all && fclose(all)) {
		free(text);
		return NULL;
	}
	return text;
}

static bool await(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

bool doctor_source__starts(const struct options *options, const char *name, uint64_t caps,
			   char **messages)
{
	char *text = NULL;
	bool starts = false;
	int ends[2];
	pid_t child;

	if (messages)
		*messages = NULL;
	if (fflush(stdout) || pipe2(ends, O_CLOEXEC)) {
		messages__print("cannot start a child process: %m");
		return false;
	}
	child = fork();
	if (!child)
		run_child(options, name, caps, ends[1]);
	if (child < 0)
		messages__print("cannot start a child process: %m");
	close(ends[1]);
	if (child > 0) {
		text = read_all(ends[0]);
		starts = await(child);
	}
	close(ends[0]);
	if (messages)
		*messages = text;
	else
		free(text);
	return starts;
}
