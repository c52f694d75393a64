// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/boot_id.c: reads the id of the running kernel's boot. */
#include <ctype.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "sys/boot_id.h"

#define BOOT_ID	   "/proc/sys/kernel/random/boot_id"
#define TEXT_BYTES 64

static int digit_of(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

bool boot_id__parse(const char *text, size_t bytes, uint8_t id[BOOT_ID_BYTES])
{
	size_t digits = 0;

	memset(id, 0, BOOT_ID_BYTES);
	for (size_t i = 0; i < bytes && digits < 2 * BOOT_ID_BYTES; i++) {
		char c = (char)tolower((unsigned char)text[i]);

		if (c == '-')
			continue;
		if (!isxdigit((unsigned char)c))
			break;
		id[digits / 2] = (uint8_t)(id[digits / 2] << 4 | digit_of(c));
		digits++;
	}
	return digits == 2 * BOOT_ID_BYTES;
}

static uint8_t running[BOOT_ID_BYTES];
static bool is_known;

static void load_boot_id(void)
{
	char text[TEXT_BYTES];
	int fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (bytes > 0)
		is_known = boot_id__parse(text, (size_t)bytes, running);
	else
		log__info("cannot read the id of this boot: " BOOT_ID ": %m");
	if (fd >= 0)
		close(fd);
}

const uint8_t *boot_id__running(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_boot_id);
	return is_known ? running : NULL;
}
