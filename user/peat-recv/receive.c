// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-recv/receive.c: receives events until a signal, or the end of the stream. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

/* A signal ends the run after at most this time. */
#define STEP_MS 250

static volatile sig_atomic_t stop;

static void request_stop(int signal)
{
	(void)signal;
	stop = 1;
}

bool receive__is_stopped(void)
{
	return stop;
}

static void set_signals(void)
{
	struct sigaction action = { .sa_handler = request_stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- output ---------------------------------------------------------------------------------- */

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Chooses the file or directory of -o.  0 or an exit status. */
static int open_output(struct recv_options *options)
{
	struct peat_receiver_opts *receiver = &options->receiver;

	receiver->fd = STDOUT_FILENO;
	if (!options->path || !strcmp(options->path, "-"))
		return 0;
	if (is_directory(options->path)) {
		receiver->directory = options->path;
		return 0;
	}
	receiver->fd = open(options->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	if (receiver->fd >= 0)
		return 0;
	messages__print("cannot create %s: %s%s", options->path, strerror(errno),
			errno == EEXIST ? ": name a new file, or a directory" : "");
	return EXIT_FAILED;
}

/* Pieces are bytes that a terminal cannot show. */
static int check_terminal(const struct recv_options *options)
{
	if (options->receiver.as != PEAT_RECEIVE_PIECES || options->receiver.directory ||
	    !isatty(options->receiver.fd))
		return 0;
	messages__print("--raw is not for a terminal: redirect it, or give -o");
	return EXIT_USAGE;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int print_audit(const struct recv_options *options, const struct peat_receiver *receiver)
{
	char *text = peat_receiver__audit(receiver, options->json);

	if (!text) {
		messages__print("cannot print the result: %s", strerror(errno));
		return EXIT_FAILED;
	}
	fputs(text, stdout);
	free(text);
	if (fflush(stdout) || ferror(stdout)) {
		messages__print("cannot write to standard output: %s", strerror(errno));
		return EXIT_FAILED;
	}
	return peat_receiver__lacks_events(receiver) ? EXIT_FAILED : 0;
}

static void print_summary(const struct peat_receiver *receiver)
{
	struct peat_receiver_stats stats = { .sz = sizeof(stats) };

	if (peat_receiver__stats(receiver, &stats))
		return;
	messages__print(
		"%llu events in %llu batches; filtered: %llu, late: %llu; batches repeated: "
		"%llu, refused: %llu; messages damaged: %llu",
		(unsigned long long)stats.events, (unsigned long long)stats.pieces,
		(unsigned long long)stats.filtered, (unsigned long long)stats.late,
		(unsigned long long)stats.repeated, (unsigned long long)stats.misnamed,
		(unsigned long long)stats.damaged);
}

static void print_count_summary(const struct peat_receiver *receiver)
{
	struct peat_receiver_stats stats = { .sz = sizeof(stats) };

	if (peat_receiver__stats(receiver, &stats))
		return;
	if (stats.uncounted)
		messages__print("%llu events not counted: their types contradict others, or there "
				"are too many types",
				(unsigned long long)stats.uncounted);
	if (stats.misnamed)
		messages__print("%llu batches refused", (unsigned long long)stats.misnamed);
}

/* A closed pipe, and the end, are no failures. */
static int status_of(int err)
{
	return err < 0 && err != -EPIPE && err != -ENODATA ? EXIT_FAILED : 0;
}

/* Also batches that were refused. */
static bool has_damage(const struct peat_receiver *receiver)
{
	struct peat_receiver_stats stats = { .sz = sizeof(stats) };

	return !peat_receiver__stats(receiver, &stats) && (stats.damaged || stats.misnamed);
}

static int receive(struct peat_receiver *receiver)
{
	int err = 0;

	while (!stop && err >= 0)
		err = peat_receiver__step(receiver, STEP_MS);
	return err;
}

static int run(const struct recv_options *options, struct peat_receiver *receiver)
{
	const enum peat_receive_as as = options->receiver.as;
	int err = as == PEAT_RECEIVE_COUNTS ? counts__run(options, receiver) : receive(receiver);
	int status = status_of(err);

	if (!status && err != -EPIPE)
		status = status_of(peat_receiver__finish(receiver));
	if (!status && as == PEAT_RECEIVE_AUDIT)
		status = print_audit(options, receiver);
	if (!options->quiet && as == PEAT_RECEIVE_COUNTS)
		print_count_summary(receiver);
	else if (!options->quiet && as != PEAT_RECEIVE_AUDIT)
		print_summary(receiver);
	return status ?: has_damage(receiver) ? EXIT_FAILED : 0;
}

int receive__run(struct recv_options *options)
{
	struct peat_receiver *receiver;
	int status = open_output(options);

	status = status ?: check_terminal(options);
	if (status)
		return status;
	set_signals();
	receiver = peat_receiver__new(&options->receiver);
	if (!receiver)
		return errno == EINVAL ? EXIT_USAGE : EXIT_FAILED;
	status = run(options, receiver);
	peat_receiver__free(receiver);
	return status;
}
