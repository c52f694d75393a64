// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/settings.c: options and programs, set before objects are loaded. */
#include <string.h>
#include <linux/btf.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "object/declared_tag.h"
#include "object/globals.h"
#include "session/parts/session.h"

/* ---- options --------------------------------------------------------------------------------- */

/* The memory of an option of the object added last.  NULL and errno. */
static void *find_option(const struct peat_session *session, const char *name, size_t *bytes)
{
	const struct part *part =
		session->part_count ? &session->parts[session->part_count - 1] : NULL;
	int err = parts__check_not_started(session);
	void *memory = NULL;

	if (err)
		return fail_null(err);
	if (part && declared_tag__is_on(part->object, BTF_KIND_VAR, name, "option:"))
		memory = globals__find(part->object, name, bytes);
	if (memory)
		return memory;
	log__error("%s has no option '%s'", part ? part->name : "the session", name);
	return fail_null(-ENOENT);
}

/*
 * Whether the low `bytes`, 1 to 8, hold the number as a signed or an unsigned one.  Two shifts,
 * since one by 64 is undefined.
 */
static bool fits(uint64_t value, size_t bytes)
{
	size_t sign_bit = bytes * 8 - 1;

	return (int64_t)value >> sign_bit == -1 || !(value >> sign_bit >> 1);
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
	int err;

	if (!find_option(session, option, &bytes))
		return -errno;
	err = variables__set_option(&session->parts[session->part_count - 1], option, value);
	return err ? fail(err) : 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

int peat_session__leave_out(struct peat_session *session, const char *name)
{
	int err = parts__check_not_started(session);
	bool found = false;

	for (size_t i = 0; !err && i < session->part_count; i++) {
		struct bpf_program *program;

		program = bpf_object__find_program_by_name(session->parts[i].object, name);
		if (!program)
			continue;
		found = session->chosen = true;
		err = bpf_program__set_autoload(program, false);
	}
	if (!err && !found)
		err = parts__log_unknown_program(session, name);
	return err ? fail(err) : 0;
}
