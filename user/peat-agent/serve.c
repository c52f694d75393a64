// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-agent/serve.c: the loop of the agent: signals, requests, signs of life. */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "program.h"

/* The interval of checks of the health. */
#define HEALTH_MS 5000

/* The interval at which free memory is given back to the kernel. */
#define TRIM_MS 5000

static int block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* 0: none. */
static int take_signal(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

/* The state as `systemctl status` shows it; changes are printed. */
static void report_health(struct peat_agent *agent, char before[256])
{
	char why[256] = "";
	bool is_healthy = peat_agent__is_healthy(agent, why, sizeof(why));

	if (!strcmp(why, before))
		return;
	strcpy(before, why);
	program__print("%s", is_healthy ? "all sources and outputs work again" : why);
	notify__send("STATUS=%s", is_healthy ? "all sources and outputs work" : why);
}

static void reload(struct peat_agent *agent)
{
	notify__reloading();
	if (peat_agent__reload(agent))
		program__print("the configuration was not loaded: everything runs as before");
	else
		program__print("the configuration was loaded");
	notify__send("READY=1");
}

/*
 * Batches and requests are large and short-lived: in the heaps of many threads they would leave
 * holes.  These settings give large blocks back at once.
 */
static void bound_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	mallopt(M_ARENA_MAX, 2);
}

/* Gives pages between small blocks back, now and then: they stay resident otherwise. */
static void trim_memory(uint64_t *next_ns)
{
	uint64_t now_ns = peat_clock__now_ns();

	if (now_ns < *next_ns)
		return;
	malloc_trim(0);
	*next_ns = now_ns + TRIM_MS * UINT64_C(1000000);
}

static int timeout_ms(void)
{
	uint64_t watchdog_ms = notify__watchdog_ms();

	return watchdog_ms && watchdog_ms < HEALTH_MS ? (int)watchdog_ms : HEALTH_MS;
}

static void loop(struct peat_agent *agent, int signals, int control)
{
	char health[256] = "";
	uint64_t trim_ns = 0;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = signals, .events = POLLIN },
			{ .fd = control, .events = POLLIN },
		};
		int number;

		if (poll(fds, 2, timeout_ms()) < 0 && errno != EINTR)
			return;
		number = take_signal(signals);
		if (number == SIGTERM || number == SIGINT)
			return;
		if (number == SIGHUP)
			reload(agent);
		if (fds[1].revents)
			control__serve(control, agent);
		if (notify__watchdog_ms())
			notify__send("WATCHDOG=1");
		report_health(agent, health);
		trim_memory(&trim_ns);
	}
}

static void print_ledger(struct peat_agent *agent)
{
	char *text = peat_agent__status(agent, false);

	if (text && *text) {
		text[strlen(text) - 1] = '\0'; /* the end of the last line */
		program__print("%s", text);
	}
	free(text);
}

static int run(struct peat_agent *agent, int signals)
{
	const char *path = peat_agent__socket(agent);
	char *own_path = path ? strdup(path) : NULL; /* a reload may name another one */
	int control = -1;

	if (path && (!own_path || (control = control__listen(path)) < 0)) {
		program__print("cannot listen at %s: %s", path,
			       strerror(control < 0 ? -control : ENOMEM));
		free(own_path);
		return EXIT_FAILED;
	}
	notify__send("READY=1\nSTATUS=all sources and outputs work");
	loop(agent, signals, control);
	notify__send("STOPPING=1");
	if (control >= 0) {
		close(control);
		unlink(own_path);
	}
	free(own_path);
	return 0;
}

int serve__run(struct peat_agent *agent)
{
	int signals = block_signals(), err, status;

	bound_memory();
	if (signals < 0) {
		program__print("cannot wait for signals: %s", strerror(-signals));
		return EXIT_FAILED;
	}
	peat_agent__prepare(agent);
	err = confine__self(peat_agent__has_pins(agent));
	if (err) {
		program__print("cannot give up privileges: %s", strerror(-err));
		close(signals);
		return EXIT_FAILED;
	}
	status = peat_agent__start(agent) ? EXIT_FAILED : run(agent, signals);
	peat_agent__stop(agent);
	if (!status)
		print_ledger(agent);
	close(signals);
	return status;
}
