// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * read_recording.c: how many samples of each event are in a perf.data, and when the last was.
 *
 *	cc read_recording.c $(pkg-config --cflags --libs libpeat-data) -o read_recording
 *
 * Then: perf record -a sleep 1 && ./read_recording [perf.data]
 */
#include <errno.h>
#include <stdio.h>
#include <peat/peat.h>

int main(int argc, char **argv)
{
	struct peat_reader *reader = peat_reader__open(argc > 1 ? argv[1] : "perf.data", NULL);
	unsigned long samples[100] = { 0 };
	uint64_t last_ns[100] = { 0 };
	const struct peat_event *event;

	if (!reader) {
		perror("read_recording");
		return 1;
	}
	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0)
			if (event->kind == PEAT_EVENT_DATA && event->type < 100) {
				samples[event->type]++;
				if (event->time_ns > last_ns[event->type])
					last_ns[event->type] = event->time_ns;
			}
	if (errno != ENODATA) /* EBADMSG: cut or damaged; all before was counted */
		perror("read_recording");
	for (uint32_t i = 0; i < 100 && peat_reader__type(reader, i); i++)
		printf("%-32s %10lu samples, the last at %.9f s\n",
		       peat_schema__name(peat_reader__type(reader, i)), samples[i],
		       (double)last_ns[i] / 1e9);
	peat_reader__free(reader);
}
