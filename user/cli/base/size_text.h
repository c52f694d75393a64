/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SIZE_TEXT_H
#define CLI_SIZE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* size_text.h: sizes for people: "1.5 MiB". */

/* 16 bytes are enough. */
void size_text__format(char *text, size_t room, uint64_t bytes);

#endif /* CLI_SIZE_TEXT_H */
