// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/strbuf.c: a growing buffer of bytes. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/errors.h"
#include "base/strbuf.h"

#define FIRST_ROOM 1024
#define NS_PER_SEC 1000000000

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

static const char hex_digits[] = "0123456789abcdef";

/* Leaves no room, so that every further append fails here, too. */
static char *give_up(struct strbuf *out)
{
	out->failed = true;
	out->room = out->count;
	return NULL;
}

char *strbuf__grow(struct strbuf *out, size_t count)
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

void strbuf__cut(struct strbuf *out, size_t count)
{
	out->count = count;
	if (out->failed)
		out->room = count;
}

void strbuf__print(struct strbuf *out, const char *format, ...)
{
	va_list args;
	int bytes;
	char *at;

	va_start(args, format);
	bytes = vsnprintf(NULL, 0, format, args);
	va_end(args);
	at = bytes > 0 ? strbuf__room(out, (size_t)bytes) : NULL; /* with one byte more */
	if (!at)
		return;
	va_start(args, format);
	vsnprintf(at, (size_t)bytes + 1, format, args);
	va_end(args);
	out->count += (size_t)bytes;
}

/* ---- numbers --------------------------------------------------------------------------------- */

void strbuf__unsigned(struct strbuf *out, uint64_t value)
{
	char *at = strbuf__room(out, DECIMAL_ROOM);

	if (at)
		out->count += (size_t)(decimal__unsigned(at, value) - at);
}

void strbuf__signed(struct strbuf *out, int64_t value)
{
	char *at = strbuf__room(out, DECIMAL_ROOM);

	if (at)
		out->count += (size_t)(decimal__signed(at, value) - at);
}

void strbuf__padded(struct strbuf *out, uint64_t value, size_t digits)
{
	char *at = strbuf__room(out, digits);

	if (!at)
		return;
	out->count += digits;
	for (; digits >= 2; digits -= 2, value /= 100)
		memcpy(at + digits - 2, pairs + value % 100 * 2, 2);
	if (digits)
		*at = (char)('0' + value % 10);
}

void strbuf__seconds(struct strbuf *out, uint64_t ns, size_t digits)
{
	strbuf__unsigned(out, ns / NS_PER_SEC);
	strbuf__char(out, '.');
	strbuf__padded(out, ns % NS_PER_SEC / decimal_powers[9 - digits], digits);
}

void strbuf__hex(struct strbuf *out, uint64_t value)
{
	size_t digits = (64 - (size_t)__builtin_clzll(value | 1) + 3) / 4;
	char *at = strbuf__room(out, digits + 2);

	if (!at)
		return;
	out->count += digits + 2;
	*at++ = '0';
	*at++ = 'x';
	for (; digits--; value >>= 4)
		at[digits] = hex_digits[value & 15];
}

void strbuf__hex_bytes(struct strbuf *out, const void *bytes, size_t count)
{
	const unsigned char *from = bytes;
	char *at = count > SIZE_MAX / 8 ? give_up(out) : strbuf__room(out, 2 * count);

	if (!at)
		return;
	out->count += 2 * count;
	for (size_t i = 0; i < count; i++) {
		*at++ = hex_digits[from[i] >> 4];
		*at++ = hex_digits[from[i] & 15];
	}
}

void strbuf__fill(struct strbuf *out, char c, size_t count)
{
	char *at = strbuf__room(out, count);

	if (!at)
		return;
	memset(at, c, count);
	out->count += count;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The fd may be a terminal or pipe that another process made non-blocking. */
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

int strbuf__write(struct strbuf *out, int fd)
{
	int err = write_all(out->bytes, out->count, fd);

	if (!err && out->failed)
		err = -ENOMEM;
	out->count = 0;
	out->failed = false;
	return err ? fail(err) : 0;
}

char *strbuf__string(struct strbuf *out)
{
	char *string;

	strbuf__char(out, '\0');
	if (out->failed) {
		strbuf__free(out);
		return fail_null(-ENOMEM);
	}
	string = out->bytes;
	*out = (struct strbuf){ 0 };
	return string;
}

void strbuf__free(struct strbuf *out)
{
	free(out->bytes);
	*out = (struct strbuf){ 0 };
}
