// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parts.c: what is asked of a session's objects. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/internal.h"
#include "session/parts.h"
#include "schema/btf_tags.h"

int parts__check_not_started(const struct peat_session *session)
{
	if (!session->reader)
		return 0;
	log__error("the session was started before");
	return -EBUSY;
}

bool parts__is_tagged(const struct bpf_object *object, uint32_t kind, const char *name,
		      const char *start)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, name, kind) : -ENOENT;
	struct tags tags;
	bool found;

	if (id <= 0 || tags__read(&tags, btf))
		return false;
	found = tags__find(&tags, (uint32_t)id, TAGS_WHOLE, start);
	tags__free(&tags);
	return found;
}
