/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * guess.h: what the events are that an object which knows nothing of peat writes.
 *
 *	guesser = guesser__open(object, path);		an object that is opened, not loaded
 *	for each of its perf event arrays:
 *		guess__map(guesser, name of the map, NULL, &guess)
 *		guess.schema ? they are guess.schema : they are bytes; in words: guess.why
 *		guess__free(&guess)
 *	guesser__free(guesser)
 *
 * It is a guess: the code tells how many bytes are written, not of which type they are.  What is
 * chosen is the only type that it could be; where several could be, none is.
 */
#ifndef GUESS_H
#define GUESS_H

#include <stddef.h>

struct bpf_object;
struct guesser;
struct peat_schema;

/* What the events of one perf event array of an object are. */
struct guess {
	struct peat_schema *schema; /* NULL: not known.  Who takes it over sets it to NULL */
	char *why;		    /* "the only struct of 56 bytes that the object defines" */
};

/*
 * For an object, opened from `path` or from the bytes of `elf`, which all outlive the guesser. NULL
 * and errno: what open() says, EBADMSG, ENOMEM.
 */
struct guesser *guesser__open(const struct bpf_object *object, const char *path);
struct guesser *guesser__open_mem(const struct bpf_object *object, const void *elf, size_t bytes);

/* Takes NULL. */
void guesser__free(struct guesser *guesser);

/*
 * What is written to `map`.  `name`: the user's word for it, a struct, a union or a typedef; NULL:
 * find out.  0, also when it is not known; -ENOENT: there is no type `name`, or -EINVAL: it is none
 * for events, both of which the log explains; -ENOMEM.
 */
int guess__map(struct guesser *guesser, const char *map, const char *name, struct guess *guess);

void guess__free(struct guess *guess);

#endif /* GUESS_H */
