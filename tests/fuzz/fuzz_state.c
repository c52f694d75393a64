// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fuzz_state.c: state__parse() on anything; a state that it accepts is printed and parsed again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "state/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state state, again;
	char *text;
	int err = state__parse(&state, (const char *)data, size);

	if (err && (err != -EBADMSG || state.source_count || state.flow_count))
		abort();
	if (err)
		return 0;
	text = state__print(&state);
	if (!text || state__parse(&again, text, strlen(text)) ||
	    again.source_count != state.source_count || again.flow_count != state.flow_count)
		abort();
	free(text);
	state__free(&state);
	state__free(&again);
	return 0;
}
