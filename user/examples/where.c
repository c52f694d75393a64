// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * where.c: the samples of a perf.data that match an expression.
 *
 *	cc where.c $(pkg-config --cflags --libs libpeat-data) -o where
 *
 * Then: perf record -a -e sched:sched_switch sleep 1 && ./where 'prev_comm ~ "kworker*"'
 */
#include <stdio.h>
#include <peat/peat.h>

static void print_message(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		fprintf(stderr, "%s\n", text);
}

int main(int argc, char **argv)
{
	struct peat_replay_opts opts = { .sz = sizeof(opts), .names = true }; /* for comm */
	struct peat_where *where;
	struct peat_reader *reader;
	const struct peat_event *event;
	char text[1000];

	peat_set_print(print_message);
	where = peat_where__parse(argc > 1 ? argv[1] : "cpu == 0");
	reader = where ? peat_reader__open(argc > 2 ? argv[2] : "perf.data", &opts) : NULL;
	if (!reader || peat_reader__resolve(reader, where, NULL, 0)) {
		peat_reader__free(reader);
		peat_where__free(where);
		return 1;
	}
	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0)
			if (event->kind == PEAT_EVENT_DATA && peat_where__test(where, event) &&
			    peat_event__text(event, text, sizeof(text)) >= 0)
				printf("%s\n", text);
	peat_where__free(where);
	peat_reader__free(reader);
}
