// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* thread_names.c: reads /proc/TID/comm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/stat/thread_names.h"

/* Names of the kernel's own threads may be longer than 15 bytes. */
struct thread_name {
	int32_t tid;
	char comm[64];
};

/* Keeps the name if the thread has ended. */
static void read_name(struct thread_name *name)
{
	char path[32], line[sizeof(name->comm)];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)name->tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		strcpy(name->comm, line);
	}
	fclose(file);
}

/* Rows have the same order of threads again and again. */
static struct thread_name *find_name(struct thread_names *names, int32_t tid)
{
	for (size_t i = 0; i < names->count; i++) {
		size_t at = (names->next + i) % names->count;

		if (names->at[at].tid != tid)
			continue;
		names->next = at + 1;
		return &names->at[at];
	}
	return NULL;
}

static int add_name(struct thread_names *names, int32_t tid)
{
	struct thread_name *at;

	if (find_name(names, tid))
		return 0;
	at = realloc(names->at, (names->count + 1) * sizeof(*at));
	if (!at)
		return -ENOMEM;
	names->at = at;
	at[names->count++] = (struct thread_name){ .tid = tid, .comm = "?" };
	return 0;
}

int thread_names__set(struct thread_names *names, struct stat_rows *rows)
{
	int err = 0;

	for (size_t i = 0; !err && i < rows->count; i++)
		if (rows->at[i].value.tid > 0)
			err = add_name(names, rows->at[i].value.tid);
	for (size_t i = 0; !err && i < names->count; i++)
		read_name(&names->at[i]);
	for (size_t i = 0; !err && i < rows->count; i++)
		if (rows->at[i].value.tid > 0)
			rows->at[i].comm = find_name(names, rows->at[i].value.tid)->comm;
	return err;
}

void thread_names__free(struct thread_names *names)
{
	free(names->at);
	*names = (struct thread_names){ 0 };
}
