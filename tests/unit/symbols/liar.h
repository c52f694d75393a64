/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* liar.h: a namer that answers anything: a script that this test program runs. */
#ifndef TESTS_UNIT_SYMBOLS_LIAR_H
#define TESTS_UNIT_SYMBOLS_LIAR_H

enum lie {
	LIE_NO_HELLO, /* ends at once */
	LIE_OTHER_PROGRAM,
	LIE_DIES,
	LIE_UNSEALED, /* a memory file that it can still change */
	LIE_NO_MEMORY_FILE,
	LIE_GARBAGE,
	LIE_SERIAL,
	LIE_KIND,
	LIE_ERROR,	   /* a positive one */
	LIE_ENDLESS_DEBUG, /* always wants another debug file */
	LIE_SLEEPS,
	LIE_DIES_OF_LINES, /* tells the truth otherwise */
	LIES
};

/* argv[0] of the program that lies. */
#define LIAR "peat-liar"

/* main() of the liar. */
int liar__main(int argc, char **argv);

/* Writes the script; liar__remove() it. */
const char *liar__script(enum lie lie);
void liar__remove(void);

#endif /* TESTS_UNIT_SYMBOLS_LIAR_H */
