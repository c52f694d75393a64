// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* process.c: processes started and waited for. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <check.h>

#include "process.h"

__asm__(".pushsection .rodata\n"
	".hidden nothing, nothing_end\n"
	".globl nothing, nothing_end\n"
	"nothing: .incbin \"" TEST_OBJECTS "/nothing/nothing\"\n"
	"nothing_end: .byte 0\n"
	".popsection\n");
extern const char nothing[], nothing_end[];

const char *process__program(void)
{
	static char path[64];
	size_t bytes = (size_t)(nothing_end - nothing);
	int fd;

	snprintf(path, sizeof(path), "/tmp/run-%d-of-peat", (int)getpid());
	unlink(path);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0755);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, nothing, bytes), (ssize_t)bytes);
	ck_assert_int_eq(close(fd), 0);
	return path;
}

pid_t process__start(int (*function)(void *), void *arg)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(function(arg));
	}
	return pid;
}

int process__wait(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

pid_t process__do(int (*function)(void *), void *arg)
{
	pid_t pid = process__start(function, arg);

	process__wait(pid);
	return pid;
}

struct execution {
	const char *path;
	const char *const *argv;
};

static int execute(void *arg)
{
	struct execution *execution = arg;

	execv(execution->path, (char *const *)execution->argv);
	return 127;
}

pid_t process__run(const char *path, const char *const *argv)
{
	struct execution execution = { path, argv };
	pid_t pid = process__start(execute, &execution);
	int status = process__wait(pid);

	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 127, "%s: status %#x", path,
		      status);
	return pid;
}

int process__pin_to(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

unsigned process__count_fds(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	ck_assert_ptr_nonnull(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* A line of a map's, a program's or a link's fd: "map_id:\t17". */
static bool is_bpf_fd(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool is = false;

	while (file && !is && fgets(line, sizeof(line), file))
		is = !strncmp(line, "map_id:", 7) || !strncmp(line, "prog_id:", 8) ||
		     !strncmp(line, "link_id:", 8);
	if (file)
		fclose(file);
	return is;
}

unsigned process__count_bpf_fds(pid_t pid)
{
	char path[64 + NAME_MAX];
	struct dirent *entry;
	unsigned count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", (int)pid);
	folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	while ((entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", (int)pid, entry->d_name);
		count += is_bpf_fd(path);
	}
	closedir(folder);
	return count;
}

void process__pin(void)
{
	cpu_set_t allowed;
	uint32_t cpu = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	ck_assert_int_eq(process__pin_to(cpu), 0);
}

/* The fields of /proc/PID/stat after the name of the task, from ") " on. */
static const char *read_stat(pid_t task, char *text, size_t room)
{
	const char *fields;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)task);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	memset(text, 0, room);
	ck_assert_uint_gt(fread(text, 1, room - 1, file), 0);
	fclose(file);
	fields = strrchr(text, ')');
	ck_assert_ptr_nonnull(fields);
	return fields;
}

bool process__is_blocked(pid_t task)
{
	char text[1024];

	return read_stat(task, text, sizeof(text))[2] == 'D';
}

/* The CPU time that a process has used, in hundredths of a second. */
static unsigned long ticks_of(pid_t pid)
{
	unsigned long user = 0, system = 0;
	char text[1024];

	ck_assert_int_eq(sscanf(read_stat(pid, text, sizeof(text)),
				") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s "
				"%*s %lu %lu",
				&user, &system),
			 2);
	return user + system;
}

void process__wait_until_idle(pid_t pid)
{
	unsigned long before, now = ticks_of(pid);

	for (int i = 0; i < 100; i++) {
		before = now;
		usleep(500000);
		now = ticks_of(pid);
		if (now - before <= 5)
			return;
	}
}
