// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * table.c: counts events by their fields, for three seconds.
 *
 *	cc table.c $(pkg-config --cflags --libs libpeat) -o table
 *
 * Then, as root: ./table [hello.bpf.o [ppid,filename]]
 */
#include <stdio.h>
#include <time.h>
#include <peat/peat.h>

/* Prints the rows: the one with most events first. */
static int print(struct peat_table *table)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	int err = peat_table__read(table);

	while (err >= 0 && (err = peat_table__next(table, &row)) > 0) {
		uint32_t count;
		const struct peat_field *field =
			peat_schema__fields(peat_table__schema(table), &count);
		const struct peat_field *end = field + count;

		for (; field < end; field += field->span) {
			char text[256];

			peat_field__text(field, row.data, row.size, text, sizeof(text));
			printf("%-24s ", text);
		}
		putchar('\n');
	}
	return err;
}

int main(int argc, char **argv)
{
	struct peat_table_opts opts = { .sz = sizeof(opts), .by = argc > 2 ? argv[2] : "comm" };
	struct peat_reader_opts reader_opts = { .sz = sizeof(reader_opts), .names = true };
	struct peat_table *table = peat_table__new(&opts);
	struct peat_session *session = peat_session__new(NULL);
	const struct peat_event *event;
	int err;

	if (!table || !session ||
	    peat_session__add_file(session, argc > 1 ? argv[1] : "hello.bpf.o") ||
	    peat_session__start(session, &reader_opts)) {
		perror("table");
		return 1;
	}
	for (time_t end = time(NULL) + 3; time(NULL) < end;)
		if (peat_session__wait(session, 100) > 0)
			while (peat_reader__next(peat_session__reader(session), &event) > 0)
				if (peat_table__add(table, event) < 0)
					perror("table");
	err = print(table);
	peat_table__free(table);
	peat_session__free(session);
	return err < 0;
}
