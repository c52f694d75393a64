// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_otlp_answer.c: otlp_answer__read(), and so protobuf__next(), on anything.
 *
 * Input: a byte of flags (1, 2: the type of the contents; 4: an error; 8: cut), then the body.
 */
#include <stdlib.h>
#include <string.h>

#include "otlp/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const types[] = { NULL, "application/x-protobuf", "text/plain",
					     "application/json; charset=utf-8" };
	struct otlp_answer answer = { 0 };
	char why[OTLP_ANSWER_WHY];
	enum otlp_verdict verdict;
	uint64_t refused;

	if (!size)
		return 0;
	answer.status = *data & 4 ? 400 : 200;
	answer.content_type = types[*data & 3];
	answer.is_cut = *data & 8;
	answer.body = data + 1;
	answer.bytes = size - 1;
	verdict = otlp_answer__read(&answer, &refused, why);
	if (!memchr(why, 0, sizeof(why)) || (verdict != OTLP_TAKEN && (refused || !*why)))
		abort();
	for (const char *at = why; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			abort();
	return 0;
}
