// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/process_filter.c: selects the processes whose files are looked at. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/session.h>

#include "session/attach/process_filter.h"
#include "sys/cgroup.h"
#include "sys/proc_tasks.h"

/* If the path is unknown, the files of all cgroups are looked at. */
static int read_cgroup(struct process_filter *filter, const char *name)
{
	char path[PATH_MAX];
	int fd = cgroup__open(name, O_PATH);
	bool is_known = fd >= 0 && cgroup__path(fd, path, sizeof(path));

	if (fd >= 0)
		close(fd);
	if (!is_known)
		return 0;
	filter->cgroup = strdup(path);
	return filter->cgroup ? 0 : -ENOMEM;
}

int process_filter__init(struct process_filter *filter, const struct peat_session_opts *opts)
{
	*filter = (struct process_filter){ .comm = opts->comm };
	return opts->cgroup ? read_cgroup(filter, opts->cgroup) : 0;
}

void process_filter__free(struct process_filter *filter)
{
	free(filter->cgroup);
	*filter = (struct process_filter){ 0 };
}

struct search {
	const char *comm;
	bool is_found;
};

static void compare_name(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	struct search *search = arg;

	(void)pid;
	(void)tid;
	search->is_found |= !strcmp(comm, search->comm);
}

static bool has_comm(uint32_t pid, const char *comm)
{
	struct search search = { comm, false };

	return !proc_tasks__of_process(pid, compare_name, &search) && search.is_found;
}

static bool is_in_cgroup(uint32_t pid, const char *cgroup)
{
	char path[PATH_MAX];

	return cgroup__path_of(pid, path, sizeof(path)) && cgroup__is_below(path, cgroup);
}

bool process_filter__accepts(const struct process_filter *filter, uint32_t pid)
{
	return (!filter->comm || has_comm(pid, filter->comm)) &&
	       (!filter->cgroup || is_in_cgroup(pid, filter->cgroup));
}
