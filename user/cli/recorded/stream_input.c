// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stream_input.c: reads a stream of NATS as standard input. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/beside.h"
#include "cli/base/messages.h"
#include "cli/cli.h"
#include "cli/recorded/stream_input.h"

static pid_t receiver; /* 0: none */

bool stream_input__is(const char *name)
{
	return !strncmp(name, "nats://", 7) || !strncmp(name, "tls://", 6);
}

/* Cuts "/STREAM" off the servers.  NULL: there is none. */
static const char *cut_stream(char *servers)
{
	char *last = servers, *next, *slash;

	while ((next = strstr(last, "://")))
		last = next + 3;
	slash = strchr(last, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	return slash[1] ? slash + 1 : NULL;
}

/* In the child. */
static void receive(const char *name, int fd)
{
	char servers[4096];
	const char *stream;

	snprintf(servers, sizeof(servers), "%s", name);
	stream = cut_stream(servers) ?: "PEAT";
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (strchr(servers, '@')) {
		messages__print("a URL is no place for credentials: set NATS_CREDS, NATS_TOKEN, or "
				"NATS_USER and NATS_PASSWORD: peat-recv(1)");
		_exit(EXIT_USAGE);
	}
	if (dup2(fd, STDOUT_FILENO) < 0) {
		messages__print("cannot receive from the stream: %m");
		_exit(EXIT_FAILED);
	}
	beside__become("peat-recv",
		       (char *const[]){ (char *)"peat-recv", (char *)"--raw", (char *)"--all",
					(char *)"--end", (char *)"--quiet", (char *)"--stream",
					(char *)stream, servers, NULL });
	_exit(EXIT_FAILED);
}

int stream_input__begin(const char *name)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC)) {
		messages__print("cannot receive from the stream: %m");
		return EXIT_FAILED;
	}
	receiver = fork();
	if (!receiver)
		receive(name, fds[1]);
	if (receiver < 0 || dup2(fds[0], STDIN_FILENO) < 0) {
		messages__print("cannot receive from the stream: %m");
		return EXIT_FAILED;
	}
	close(fds[0]);
	close(fds[1]);
	return 0;
}

int stream_input__end(int status)
{
	int ended;

	if (receiver <= 0)
		return status;
	close(STDIN_FILENO); /* if it writes still, it ends */
	while (waitpid(receiver, &ended, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILED;
	return status ?: WIFEXITED(ended) && !WEXITSTATUS(ended) ? 0 : EXIT_FAILED;
}
