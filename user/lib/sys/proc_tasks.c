// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/proc_tasks.c: all threads in /proc, with their names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/proc_tasks.h"

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* /proc appends the current work item of a kworker, which is not part of the name. */
static void cut_work_item(char *comm)
{
	if (!strncmp(comm, "kworker/", 8) && comm[8] != 'R')
		comm[strcspn(comm, "+-")] = '\0';
}

struct each {
	void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm);
	void *arg;
	uint32_t pid;
	uint32_t threads; /* visited so far */
};

static void report_thread(struct each *each, int task_fd, const char *tid)
{
	char path[NAME_MAX + sizeof("/comm")], comm[64];
	ssize_t bytes;
	int fd;

	snprintf(path, sizeof(path), "%s/comm", tid);
	fd = openat(task_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return; /* it ended since */
	bytes = read(fd, comm, sizeof(comm) - 1);
	close(fd);
	if (bytes <= 0)
		return;
	comm[bytes - (comm[bytes - 1] == '\n')] = '\0';
	cut_work_item(comm);
	each->threads++;
	each->use(each->arg, each->pid, (uint32_t)strtoul(tid, NULL, 10), comm);
}

static DIR *open_tasks(int proc_fd, const char *pid)
{
	char path[NAME_MAX + sizeof("/task")];
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%s/task", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	dir = fdopendir(fd);
	if (!dir)
		close(fd);
	return dir;
}

static void scan_process(struct each *each, int proc_fd, const char *pid)
{
	DIR *dir = open_tasks(proc_fd, pid);
	const struct dirent *entry;

	if (!dir)
		return;
	each->pid = (uint32_t)strtoul(pid, NULL, 10);
	while ((entry = readdir(dir)))
		if (is_number(entry->d_name))
			report_thread(each, dirfd(dir), entry->d_name);
	closedir(dir);
}

/* A process belongs to its effective user, as its directory does. */
static bool is_of_user(int proc_fd, const char *pid, uint32_t uid)
{
	struct stat status;

	return !fstatat(proc_fd, pid, &status, 0) && status.st_uid == uid;
}

/* NULL: of all users. */
static int scan(struct each *each, const uint32_t *uid)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;

	if (!proc)
		return -errno;
	while ((entry = readdir(proc)))
		if (is_number(entry->d_name) &&
		    (!uid || is_of_user(dirfd(proc), entry->d_name, *uid)))
			scan_process(each, dirfd(proc), entry->d_name);
	closedir(proc);
	return each->threads || !uid ? 0 : -ESRCH;
}

int proc_tasks__each(void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
		     void *arg)
{
	struct each each = { .use = use, .arg = arg };

	return scan(&each, NULL);
}

int proc_tasks__of_user(uint32_t uid,
			void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
			void *arg)
{
	struct each each = { .use = use, .arg = arg };

	return scan(&each, &uid);
}

int proc_tasks__of_process(uint32_t pid,
			   void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
			   void *arg)
{
	struct each each = { .use = use, .arg = arg };
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[16];

	if (proc < 0)
		return -errno;
	snprintf(name, sizeof(name), "%u", pid);
	scan_process(&each, proc, name);
	close(proc);
	return each.threads ? 0 : -ESRCH;
}
