// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* settings.c: what is set in a session's objects before they are loaded. */
#include <string.h>
#include <linux/btf.h>
#include <bpf/libbpf.h>

#include "globals.h"
#include "internal.h"
#include "parts.h"

/* ---- options --------------------------------------------------------------------------------- */

/* Where an option of the object added last is kept. NULL and errno. */
static void *find_option(const struct peat_session *session, const char *name, size_t *bytes)
{
	const struct part *part = session->parts + session->part_count - 1;
	void *memory = NULL;

	if (parts__check_not_started(session))
		return fail_null(-EBUSY);
	if (session->part_count && parts__is_tagged(part->object, BTF_KIND_VAR, name, "option:"))
		memory = globals__find(part->object, name, bytes);
	if (memory)
		return memory;
	log__error("%s has no option '%s'", session->part_count ? part->name : "the session", name);
	return fail_null(-ENOENT);
}

/* Whether the number is the same when only its low `bytes` are kept, with or without a sign. */
static bool fits(uint64_t value, size_t bytes)
{
	int64_t top;

	if (bytes >= sizeof(value))
		return true;
	top = (int64_t)value >> (bytes * 8 - 1);
	return top == 0 || top == -1 || !(value >> bytes * 8);
}

int peat_session__set_number(struct peat_session *session, const char *option, uint64_t value)
{
	const unsigned char *low = (const unsigned char *)&value;
	size_t bytes;
	void *memory = find_option(session, option, &bytes);

	if (!memory)
		return -errno;
	if (bytes > sizeof(value) || !fits(value, bytes)) {
		log__error("the value of %s does not fit: it has %zu bytes", option, bytes);
		return fail(-ERANGE);
	}
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	low += sizeof(value) - bytes;
#endif
	memcpy(memory, low, bytes);
	return 0;
}

int peat_session__set_text(struct peat_session *session, const char *option, const char *value)
{
	size_t bytes;
	char *memory = find_option(session, option, &bytes);

	if (!memory)
		return -errno;
	if (strlen(value) >= bytes) {
		log__error("the text for %s is too long: it may have %zu bytes", option, bytes - 1);
		return fail(-ERANGE);
	}
	memset(memory, 0, bytes);
	memcpy(memory, value, strlen(value));
	return 0;
}
