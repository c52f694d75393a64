/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pipeline/pins.h: the pins of a pipeline's programs, below the directory of its setting `pin`:
 *
 *	PATH/programs-HASH/	made by peat_session__pin(); HASH is of the settings
 *	PATH/current		a link to the directory above, made when all pins are there
 *
 * Another directory of programs has other settings, or its agent was killed before it was complete.
 */
#ifndef PEAT_PIPELINE_PINS_H
#define PEAT_PIPELINE_PINS_H

#include <stdbool.h>
#include <stdint.h>

struct pins {
	char *path;	  /* the setting; NULL: none */
	char *directory;  /* of programs with the present settings */
	bool is_complete; /* a former agent has pinned them */
};

/*
 * Makes the directory of the setting, and removes programs of these settings that are not complete.
 * 0 or a negative errno, which is logged.  pins__free() accepts the result of either.
 */
int pins__open(struct pins *pins, const char *path, uint64_t hash);

/* All programs are pinned now.  0 or a negative errno, which is logged. */
int pins__complete(struct pins *pins);

/*
 * The time at which the directory was made, in nanoseconds: no other programs have it.  0: there is
 * no such directory.
 */
uint64_t pins__made_ns(const char *directory);

/* The directory of programs with these settings; NULL: no memory.  The caller frees it. */
char *pins__directory(const char *path, uint64_t hash);

/* The path of the map of rings in a directory; NULL: no memory.  The caller frees it. */
char *pins__ring(const char *directory);

/* Removes the programs, and the directory of the setting if nothing else is in it. */
void pins__remove(struct pins *pins);

/*
 * Removes the directories of programs below `path`, except `keep`, which may be NULL, if `may`
 * returns true for them.
 */
void pins__remove_others(const char *path, const char *keep,
			 bool (*may)(void *arg, const char *directory), void *arg);

/* All zero: nothing. */
void pins__free(struct pins *pins);

#endif /* PEAT_PIPELINE_PINS_H */
