/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/json_value.h: appends values of JSON: for base/emit.c and print/json.c.  Pure. */
#ifndef PEAT_BASE_JSON_VALUE_H
#define PEAT_BASE_JSON_VALUE_H

#include "base/strbuf.h"

/* A string with its quotes; {"hex":"00ff"} if it is not UTF-8. */
void json_value__string(struct strbuf *out, const char *text, size_t bytes);

/* Likewise, but a string in any case, for names of members: "00ff" if it is not UTF-8. */
void json_value__name(struct strbuf *out, const char *name);

/* Consecutive strings, each with its NUL: an array.  The last one may lack its NUL. */
void json_value__strings(struct strbuf *out, const char *text, uint32_t bytes);

/* "00ff": a string of hexadecimal digits. */
void json_value__hex(struct strbuf *out, const void *bytes, size_t count);

#endif /* PEAT_BASE_JSON_VALUE_H */
