// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cpu_switch.c: switches CPUs off and on, and back when the process ends. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <check.h>

#include "cpu_switch.h"

#define CPUS 8192

/* The CPUs that this process found online and switched off; shared with the guard. */
static bool *switched_off;

/* The process that has a guard; a forked child needs one of its own. */
static pid_t guarded;

/* ---- one CPU --------------------------------------------------------------------------------- */

static int open_switch(uint32_t cpu, int flags)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return open(path, flags | O_CLOEXEC);
}

bool cpu_switch__is_on(uint32_t cpu)
{
	int fd = open_switch(cpu, O_RDONLY);
	char state = '1';

	if (fd < 0)
		return true;
	if (read(fd, &state, 1) != 1)
		state = '1';
	close(fd);
	return state == '1';
}

static int write_state(uint32_t cpu, const char *state)
{
	int fd = open_switch(cpu, O_WRONLY), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, state, 1) != 1)
		err = -errno;
	close(fd);
	return err;
}

/* ---- the guard ------------------------------------------------------------------------------- */

/* The kernel refuses with EBUSY while something else switches CPUs. */
static void restore(uint32_t cpu)
{
	const struct timespec pause = { .tv_nsec = 100000000 };

	for (int i = 0; i < 100 && !cpu_switch__is_on(cpu); i++)
		if (write_state(cpu, "1"))
			nanosleep(&pause, NULL);
}

/* Releases what the process had open, which others may wait for, but for `fd`, which becomes 0. */
static void close_others(int fd)
{
	dup2(fd, 0);
	if (syscall(SYS_close_range, 1, ~0U, 0))
		for (int other = 1; other < 1024; other++)
			close(other);
}

/* In a session of its own, out of reach of signals to the process group or the terminal. */
_Noreturn static void guard(int process_fd)
{
	struct pollfd process = { .fd = 0, .events = POLLIN };

	prctl(PR_SET_NAME, CPU_SWITCH_GUARD);
	for (int sig = 1; sig < SIGRTMIN; sig++)
		signal(sig, SIG_IGN);
	close_others(process_fd);
	while (poll(&process, 1, -1) != 1)
		;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		if (switched_off[cpu])
			restore(cpu);
	_exit(0);
}

/* Forks twice: the guard is no child that the process would have to wait for. */
static void fork_guard(int process_fd)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child) {
		pid_t grandchild = setsid() < 0 ? -1 : fork();

		if (!grandchild)
			guard(process_fd);
		_exit(grandchild < 0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

static bool runs_same_program(pid_t pid)
{
	char path[32], ours[256], theirs[256];
	ssize_t bytes, count;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	bytes = readlink("/proc/self/exe", ours, sizeof(ours));
	count = readlink(path, theirs, sizeof(theirs));
	return bytes > 0 && bytes == count && !memcmp(ours, theirs, (size_t)bytes);
}

/* The child of a process that switched CPUs off keeps its list. */
static void share_list(void)
{
	bool *shared = mmap(NULL, CPUS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert(shared != MAP_FAILED);
	if (switched_off)
		memcpy(shared, switched_off, CPUS);
	switched_off = shared;
}

static void start_guard(void)
{
	int fd;

	if (guarded == getpid())
		return;
	share_list();
	fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	ck_assert_msg(fd >= 0, "pidfd_open: %s", strerror(errno));
	fork_guard(fd);
	close(fd);
	if (runs_same_program(getppid()))
		ck_assert_int_eq(prctl(PR_SET_PDEATHSIG, SIGKILL), 0);
	guarded = getpid();
}

int cpu_switch__set(uint32_t cpu, const char *state)
{
	ck_assert_uint_lt(cpu, CPUS);
	start_guard();
	if (*state == '0' && cpu_switch__is_on(cpu))
		switched_off[cpu] = true;
	return write_state(cpu, state);
}
