// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * stacks.c: the stacks of a recording, with the names of functions.
 *
 *	cc stacks.c $(pkg-config --cflags --libs libpeat-data) -o stacks
 *
 * Then: perf record -g COMMAND && ./stacks [perf.data]
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <peat/peat.h>

static void print_stack(struct peat_symbols *symbols, const struct peat_event *event)
{
	const struct peat_stack_frame *frames;
	int count = peat_symbols__stack(symbols, event, &frames);

	for (int i = 0; i < count; i++) {
		const char *module = frames[i].module ? frames[i].module : "unknown";

		printf(i ? "    " : "in  ");
		if (frames[i].symbol)
			printf("%s+0x%" PRIx64 " (%s)\n", frames[i].symbol, frames[i].offset,
			       module);
		else
			printf("0x%" PRIx64 " (%s)\n", frames[i].address, module);
	}
}

int main(int argc, char **argv)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct peat_symbols_opts of_recording = PEAT_SYMBOLS_OPTS_INIT;
	const struct peat_event *event;
	struct peat_symbols *symbols;
	struct peat_reader *reader;

	/* Processes map files, fork and exec: the records that say which code is where. */
	opts.side_band = PEAT_SIDE_BAND_MMAP | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM |
			 PEAT_SIDE_BAND_KSYMBOL;
	opts.ordered = true;
	of_recording.recorded = true;
	reader = peat_reader__open(argc > 1 ? argv[1] : "perf.data", &opts);
	symbols = peat_symbols__new(&of_recording);
	if (!reader || !symbols) {
		perror("stacks");
		return 1;
	}
	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0) {
			peat_symbols__follow(symbols, event);
			print_stack(symbols, event);
		}
	if (errno != ENODATA) /* EBADMSG: cut or damaged; all before was printed */
		perror("stacks");
	peat_symbols__free(symbols);
	peat_reader__free(reader);
}
