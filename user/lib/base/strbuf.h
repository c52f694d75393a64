/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OUT_H
#define OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Text that is put together piece by piece, and then written.  Nothing fails until out__write():
 * when memory is short `failed` is set and what follows is dropped.
 */
struct out {
	char *bytes;
	size_t count, room;
	bool failed;
	bool swapped; /* numbers are stored (store.h) for a machine of the other byte order */
};

/* Makes room for `count` more bytes behind those that are there; NULL when there is no memory. */
char *out__grow(struct out *out, size_t count);

/* Likewise, for who writes there by himself, and then adds what he wrote to `count`. */
static inline char *out__room(struct out *out, size_t count)
{
	return out->room - out->count > count ? out->bytes + out->count : out__grow(out, count);
}

static inline void out__bytes(struct out *out, const void *bytes, size_t count)
{
	char *at = out__room(out, count);

	if (!at)
		return;
	memcpy(at, bytes, count);
	out->count += count;
}

static inline void out__char(struct out *out, char c)
{
	out__bytes(out, &c, 1);
}

static inline void out__text(struct out *out, const char *text)
{
	out__bytes(out, text, strlen(text));
}

void out__unsigned(struct out *out, uint64_t value);
void out__signed(struct out *out, int64_t value);

/* "0x1f" */
void out__hex(struct out *out, uint64_t value);

/* "001fff": two digits a byte, nothing in front. */
void out__hex_bytes(struct out *out, const void *bytes, size_t count);

void out__fill(struct out *out, char c, size_t count);

/* Takes back all behind the first `count` bytes. */
void out__cut(struct out *out, size_t count);

/*
 * Writes all of it to `fd` and empties it: 0, or a negative errno, -ENOMEM if it is not whole.
 * What an error left unwritten is dropped.
 */
int out__write(struct out *out, int fd);

void out__free(struct out *out);

#endif /* OUT_H */
