/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * terms.h: shared by the BPF side and user space: what decides inside a program whether an event is
 * transported.
 *
 *	peat_submit() ─▶ terms ─▶ rejected: counted as `filtered`
 *	                      ─▶ counted in the CPU's table: `counted`
 *	                      ─▶ staged
 *
 * The loader writes terms and the description of the key into read-only data.  The verifier knows
 * their values, since the data is frozen before programs are loaded: it checks each offset as a
 * constant, and removes the code of whatever is not used.
 *
 * Plain C types only, as in wire.h.
 */
#ifndef PEAT_TERMS_H
#define PEAT_TERMS_H

/* Parts that an object uses: bits of peat_decides. */
#define PEAT_SELECT_WHERE 1
#define PEAT_SELECT_COUNT 2
#define PEAT_SELECT_COMM  4 /* a term or a key reads the name of the running task */
#define PEAT_SELECT_NAMES 8 /* staged events have the name of their task: peat_task_name */

/* Offsets count from here before the event: the longest head. */
#define PEAT_TERM_ORIGIN 32

/* ---- terms ----------------------------------------------------------------------------------- */

#define PEAT_TERMS	  16
#define PEAT_TERMS_INLINE 8 /* the first ones are cheaper */
#define PEAT_TERM_TYPES	  4

/*
 * Results, instead of the number of a term.  OPEN: the reader decides, so the event is transported,
 * and no table of a program counts it.
 */
#define PEAT_TERM_OPEN 253
#define PEAT_TERM_PASS 254
#define PEAT_TERM_FAIL 255

enum peat_term_test { PEAT_TEST_EQUAL, PEAT_TEST_LESS };

/*
 * One comparison, of unsigned numbers: ((number ^ flip) & mask) == value, or < value.  It continues
 * with term `yes` or `no`, which has a larger number, or ends.
 */
struct peat_term {
	unsigned short offset;
	unsigned char width, test, yes, no; /* width: 1, 2, 4 or 8 bytes */
	unsigned char of_comm;		    /* the offset counts in the name of the running task */
	unsigned char swap; /* not 0: swap the bytes of 64 bits, and shift right by swap - 1 */
	unsigned long long flip, mask, value;
};

/* The terms of a type of events. */
struct peat_term_type {
	unsigned int type;    /* BTF id of its struct in the object; 0: none */
	unsigned short first; /* term, or a result */
	unsigned short bytes; /* shorter events lack a field: PEAT_TERM_OPEN */
	/*
	 * Terms read this many bytes.  In a shorter event the first byte after its end is set to 0
	 * before they do, so that its last text ends there: later bytes are left over.
	 */
	unsigned short read_bytes;
	unsigned short pad;
};

/* ---- tables ---------------------------------------------------------------------------------- */

#define PEAT_KEY_WORDS	  8
#define PEAT_CELL_BUCKETS 64
#define PEAT_PLACES	  2 /* cells that a key may have */

enum peat_key_kind {
	PEAT_KEY_END,
	PEAT_KEY_NUMBER, /* bytes as they are */
	PEAT_KEY_TEXT,	 /* begins a text, which ends at its first NUL */
	PEAT_KEY_TEXT_ON,
	PEAT_KEY_CPU,
	PEAT_KEY_COMM, /* 8 bytes, at `offset`, of the name of the running task */
};

/* A word of the key: `width` bytes of the event, 1, 2, 4 or 8. */
struct peat_key_word {
	unsigned short offset;
	unsigned char width, kind;
	unsigned int pad;
	unsigned long long mask; /* the bits that `width` has */
};

enum peat_count_mode { PEAT_MODE_COUNT, PEAT_MODE_NUMBERS, PEAT_MODE_LOG2, PEAT_MODE_LINEAR };

/* The events that are counted, by which key, and the number of them that is summed up. */
struct peat_count_by {
	unsigned int type;	 /* BTF id of their struct in the object */
	unsigned int mode;	 /* enum peat_count_mode */
	unsigned int bytes;	 /* shorter events are transported */
	unsigned int words;	 /* the key's */
	unsigned int buckets;	 /* LINEAR: in use */
	unsigned int hash_shift; /* 64 - log2(cells of a half) */
	unsigned int cell_shift; /* log2(size of a cell) */
	unsigned int half_shift; /* log2(size of a half) */
	struct peat_key_word key[PEAT_KEY_WORDS], number;
	unsigned long long sign; /* the sign bit of a signed number; 0: unsigned */
	unsigned long long flip; /* makes numbers comparable: the highest bit if signed, or 0 */
	unsigned long long first, width; /* LINEAR */
};

/*
 * A cell, of which a table has the part that its mode needs (peat_cell_bytes()), and behind it the
 * words of the key.  All counts begin with 0.
 */
struct peat_cell {
	unsigned long long count;		   /* 0: the cell is free */
	unsigned long long sum, max, inverted_min; /* flipped: see peat_count_by.flip */
	unsigned long long buckets[PEAT_CELL_BUCKETS];
};

/*
 * The table of a CPU, an element of an mmap-able array: two halves, each with cells.  A key's place
 * is one of PEAT_PLACES cells.  Programs use half `active`, under the lock of the CPU's first slot.
 * The reader makes the other half active, and then reads and clears the first one.
 */
struct peat_table_head {
	unsigned long long counted; /* events so far */
	unsigned int active;	    /* 0 or 1; written by the reader */
	unsigned int pad;
	unsigned long long key[PEAT_KEY_WORDS]; /* the present event's */
	unsigned long long reserved[6];
};

#define PEAT_TABLE_HEAD_BYTES 128

#endif /* PEAT_TERMS_H */
