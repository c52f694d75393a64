// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/kernel.c: whether a recording is of the running kernel. */
#include <string.h>
#include <sys/utsname.h>

#include "base/cursor.h"
#include "base/text.h"
#include "replay/kernel.h"
#include "sys/kallsyms.h"

/* perf appends the symbol at the start: "[kernel.kallsyms]_text". */
#define KERNEL_MAP "[kernel.kallsyms]"

static void set_id(struct replay_kernel *kernel, const uint8_t *id, size_t bytes)
{
	uint8_t padded[KERNEL_ID_BYTES] = { 0 };
	static const uint8_t unknown[KERNEL_ID_BYTES];

	memcpy(padded, id, bytes < sizeof(padded) ? bytes : sizeof(padded));
	if (!memcmp(padded, unknown, sizeof(padded)))
		return;
	memcpy(kernel->id, padded, sizeof(padded));
	kernel->has_id = true;
}

/* A guest's kernel is "[guest.kernel.kallsyms]", modules have names of their own. */
void replay_kernel__read_id(struct replay_kernel *kernel, const struct tool_build_id *id)
{
	if (id->filename_bytes >= strlen(KERNEL_MAP) &&
	    !memcmp(id->filename, KERNEL_MAP, strlen(KERNEL_MAP)))
		set_id(kernel, id->id, id->id_bytes);
}

const char *replay_kernel__read_ids(struct replay_kernel *kernel, const void *bytes, size_t count,
				    bool swapped)
{
	const struct peat_layout layout = { .swapped = swapped };
	struct tool_build_id id;
	const char *why = NULL;
	struct cursor cur;
	bool old;

	cursor__init(&cur, bytes, (const uint8_t *)bytes + count, &layout);
	old = tool_record__build_ids_are_old(&cur);
	while (!why && cursor__left(&cur)) {
		why = tool_record__next_build_id(&cur, old, &id);
		if (!why)
			replay_kernel__read_id(kernel, &id);
	}
	return why;
}

/* The address of _text or _stext is in `pgoff`. */
bool replay_kernel__read_map(struct replay_kernel *kernel, const struct peat_mmap *map)
{
	if (map->pid != PEAT_NO_TASK || !begins_with(map->filename, KERNEL_MAP))
		return false;
	kernel->same_text = kallsyms__text_is_at(map->filename + strlen(KERNEL_MAP), map->pgoff);
	if (map->build_id)
		set_id(kernel, map->build_id, map->build_id_bytes);
	return true;
}

static bool has_running_id(const struct replay_kernel *kernel)
{
	const uint8_t *id = kernel_id__running();

	return id && !memcmp(kernel->id, id, KERNEL_ID_BYTES);
}

bool replay_kernel__is_running(const struct replay_kernel *kernel, const char *release)
{
	struct utsname machine;

	if (!kernel->same_text)
		return false;
	if (kernel->has_id)
		return has_running_id(kernel);
	return !uname(&machine) && !strcmp(machine.release, release);
}
