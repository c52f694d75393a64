// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* size_text.c: sizes for people. */
#include <stdio.h>

#include "cli/base/size_text.h"

void size_text__format(char *text, size_t room, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double size = (double)bytes;
	size_t unit = 0;

	for (; size >= 1024 && unit < 4; unit++)
		size /= 1024;
	snprintf(text, room, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}
