// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * by_name.c: a sink of your own: counts the events of each task's name, for three seconds.
 *
 *	cc by_name.c $(pkg-config --cflags --libs libpeat) -o by_name
 *
 * Then, as root: ./by_name [hello.bpf.o]
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <peat/peat.h>

struct by_name {
	struct peat_sink sink; /* the first member */
	struct {
		char comm[16];
		unsigned events;
	} names[100];
};

static int count(struct peat_sink *sink, const struct peat_event *event)
{
	struct by_name *by_name = (struct by_name *)sink;
	const char *comm = event->comm ? event->comm : "?";
	int i = 0;

	if (event->kind != PEAT_EVENT_DATA)
		return 0;
	while (i < 99 && by_name->names[i].events && strcmp(by_name->names[i].comm, comm))
		i++;
	snprintf(by_name->names[i].comm, 16, "%s", i < 99 ? comm : "and others");
	by_name->names[i].events++;
	return 0;
}

int main(int argc, char **argv)
{
	const char *object = argc > 1 ? argv[1] : "hello.bpf.o";
	struct by_name by_name = { .sink = { .sz = sizeof(struct peat_sink), .write = count } };
	struct peat_reader_opts opts = { .sz = sizeof(opts), .names = true };
	struct peat_session *session = peat_session__new(NULL);

	if (!session || peat_session__add_file(session, object) ||
	    peat_session__start(session, &opts)) {
		perror("by_name");
		return 1;
	}
	for (time_t end = time(NULL) + 3; time(NULL) < end;)
		if (peat_session__wait(session, 100) > 0)
			peat_session__drain(session, &by_name.sink);
	peat_session__stop(session);
	peat_session__drain(session, &by_name.sink);
	for (int i = 0; i < 100 && by_name.names[i].events; i++)
		printf("%-15s %u\n", by_name.names[i].comm, by_name.names[i].events);
	peat_session__free(session);
}
