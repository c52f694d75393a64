/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_BASE_STRBUF_H
#define PEAT_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A growing buffer of bytes.  Nothing fails before strbuf__write(): if memory is short, `failed` is
 * set, and everything appended from then on is dropped.
 */
struct strbuf {
	char *bytes;
	size_t count, room;
	bool failed;
	bool swapped; /* base/store.h stores for a machine of the other byte order */
};

/* Makes room for `count` more bytes, and returns their place; NULL: no memory. */
char *strbuf__grow(struct strbuf *out, size_t count);

/* Likewise, inline: the caller writes the bytes and adds their number to out->count. */
static inline char *strbuf__room(struct strbuf *out, size_t count)
{
	return out->room - out->count > count ? out->bytes + out->count : strbuf__grow(out, count);
}

static inline void strbuf__bytes(struct strbuf *out, const void *bytes, size_t count)
{
	char *at = strbuf__room(out, count);

	if (!at)
		return;
	memcpy(at, bytes, count);
	out->count += count;
}

static inline void strbuf__char(struct strbuf *out, char c)
{
	strbuf__bytes(out, &c, 1);
}

static inline void strbuf__text(struct strbuf *out, const char *text)
{
	strbuf__bytes(out, text, strlen(text));
}

/* As printf(3) prints. */
__attribute__((format(printf, 2, 3))) void strbuf__print(struct strbuf *out, const char *format,
							 ...);

void strbuf__unsigned(struct strbuf *out, uint64_t value);
void strbuf__signed(struct strbuf *out, int64_t value);

/* Exactly `digits` decimal digits (19 at most), with zeroes on the left; higher digits are cut. */
void strbuf__padded(struct strbuf *out, uint64_t value, size_t digits);

/* "12.000345": seconds with `digits` digits of fraction (1 to 9), rounded down. */
void strbuf__seconds(struct strbuf *out, uint64_t ns, size_t digits);

/* "0x1f" */
void strbuf__hex(struct strbuf *out, uint64_t value);

/* "001fff": two digits per byte, no prefix. */
void strbuf__hex_bytes(struct strbuf *out, const void *bytes, size_t count);

void strbuf__fill(struct strbuf *out, char c, size_t count);

/* Removes all but the first `count` bytes. */
void strbuf__cut(struct strbuf *out, size_t count);

/*
 * Writes all bytes to `fd` and empties the buffer.  0; -ENOMEM: bytes were dropped; a negative
 * errno of write(2): the rest is dropped.
 */
int strbuf__write(struct strbuf *out, int fd);

/*
 * The buffer as a string, which the caller frees.  NULL with errno ENOMEM: bytes were dropped.  The
 * buffer is empty then.
 */
char *strbuf__string(struct strbuf *out);

void strbuf__free(struct strbuf *out);

#endif /* PEAT_BASE_STRBUF_H */
