// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* out.c: text that is put together piece by piece, and then written. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/internal.h"
#include "base/strbuf.h"

#define FIRST_ROOM 1024

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

static const char hex_digits[] = "0123456789abcdef";

/* Without room to claim, all that follows comes back here and is dropped. */
static char *give_up(struct out *out)
{
	out->failed = true;
	out->room = out->count;
	return NULL;
}

char *out__grow(struct out *out, size_t count)
{
	size_t room = out->room < FIRST_ROOM ? FIRST_ROOM : out->room;
	char *bytes;

	if (out->failed || count > SIZE_MAX / 4 || out->count > SIZE_MAX / 4)
		return give_up(out);
	while (room - out->count <= count)
		room *= 2;
	bytes = realloc(out->bytes, room);
	if (!bytes)
		return give_up(out);
	out->bytes = bytes;
	out->room = room;
	return bytes + out->count;
}

void out__cut(struct out *out, size_t count)
{
	out->count = count;
	if (out->failed)
		out->room = count;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t count_digits(uint64_t value)
{
	static const uint64_t powers[] = { 0,
					   10,
					   100,
					   1000,
					   10000,
					   100000,
					   1000000,
					   10000000,
					   100000000,
					   1000000000,
					   10000000000,
					   100000000000,
					   1000000000000,
					   10000000000000,
					   100000000000000,
					   1000000000000000,
					   10000000000000000,
					   100000000000000000,
					   1000000000000000000,
					   10000000000000000000ULL };
	/* 1233 / 4096 is the logarithm of 2, near enough for 64 bits. */
	size_t bits = 64 - (size_t)__builtin_clzll(value | 1), digits = bits * 1233 >> 12;

	return digits + (value >= powers[digits]);
}

void out__unsigned(struct out *out, uint64_t value)
{
	size_t digits = count_digits(value | !value);
	char *at = out__room(out, digits);

	if (!at)
		return;
	out->count += digits;
	at += digits;
	for (; value >= 100; value /= 100) {
		at -= 2;
		memcpy(at, pairs + value % 100 * 2, 2);
	}
	if (value >= 10)
		memcpy(at - 2, pairs + value * 2, 2);
	else
		at[-1] = (char)('0' + value);
}

void out__signed(struct out *out, int64_t value)
{
	if (value < 0)
		out__char(out, '-');
	out__unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void out__hex(struct out *out, uint64_t value)
{
	size_t digits = (64 - (size_t)__builtin_clzll(value | 1) + 3) / 4;
	char *at = out__room(out, digits + 2);

	if (!at)
		return;
	out->count += digits + 2;
	*at++ = '0';
	*at++ = 'x';
	for (; digits--; value >>= 4)
		at[digits] = hex_digits[value & 15];
}

void out__hex_bytes(struct out *out, const void *bytes, size_t count)
{
	const unsigned char *from = bytes;
	char *at = count > SIZE_MAX / 8 ? give_up(out) : out__room(out, 2 * count);

	if (!at)
		return;
	out->count += 2 * count;
	for (size_t i = 0; i < count; i++) {
		*at++ = hex_digits[from[i] >> 4];
		*at++ = hex_digits[from[i] & 15];
	}
}

void out__fill(struct out *out, char c, size_t count)
{
	char *at = out__room(out, count);

	if (!at)
		return;
	memset(at, c, count);
	out->count += count;
}

/* ---- the way out ----------------------------------------------------------------------------- */

/* The fd may be somebody's terminal or pipe, which others made non-blocking. */
static int wait_for_room(int fd)
{
	struct pollfd wanted = { .fd = fd, .events = POLLOUT };

	return poll(&wanted, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

static int write_all(const char *bytes, size_t count, int fd)
{
	int err = 0;

	while (count && !err) {
		ssize_t written = write(fd, bytes, count);

		if (written > 0) {
			bytes += written;
			count -= (size_t)written;
		} else if (!written) {
			err = -EIO;
		} else if (errno == EAGAIN) {
			err = wait_for_room(fd);
		} else if (errno != EINTR) {
			err = -errno;
		}
	}
	return err;
}

int out__write(struct out *out, int fd)
{
	int err = write_all(out->bytes, out->count, fd);

	if (!err && out->failed)
		err = -ENOMEM;
	out->count = 0;
	out->failed = false;
	return err ? fail(err) : 0;
}

void out__free(struct out *out)
{
	free(out->bytes);
	*out = (struct out){ 0 };
}
