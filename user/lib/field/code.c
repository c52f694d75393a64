// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/code.c: addresses of code, and stacks. */
#include "field/field_type.h"

const struct field_type field_type__kaddr = {
	.tag = "kaddr",
	.word = "kernel symbol",
	.class = PEAT_CLASS_CODE,
	.fits = 8,
	.width = FIELD_TEXT_WIDTH,
	.format = FIELD_FORMAT_SYMBOL,
};

const struct field_type field_type__kstack = {
	.tag = "kstack",
	.word = "kernel stack",
	.class = PEAT_CLASS_CODE,
	.fits = 4 | 8,
	.sign = FIELD_SIGN_ALWAYS,
	.frames = FIELD_KERNEL_FRAMES,
	.width = FIELD_TEXT_WIDTH,
};

const struct field_type field_type__ustack = {
	.tag = "ustack",
	.word = "user stack",
	.class = PEAT_CLASS_CODE,
	.fits = 4 | 8,
	.sign = FIELD_SIGN_ALWAYS,
	.frames = FIELD_USER_FRAMES,
	.width = FIELD_TEXT_WIDTH,
};

const struct field_type field_type__stack = {
	.tag = "stack",
	.word = "stack, by --stacks",
	.class = PEAT_CLASS_STACK,
	.width = FIELD_TEXT_WIDTH,
};
