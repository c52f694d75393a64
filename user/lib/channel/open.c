// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/open.c: opens objects for a channel. */
#include <stdlib.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "channel/channel.h"
#include "object/libbpf_log.h"
#include "object/open.h"

/* Closes the object if it cannot be bound. */
static struct bpf_object *bind_opened(struct peat_channel *channel, struct bpf_object *object)
{
	int err = object ? peat_channel__bind(channel, object) : -errno;

	if (!err)
		return object;
	bpf_object__close(object);
	return fail_null(err);
}

struct bpf_object *peat_channel__open(struct peat_channel *channel, const void *elf, size_t bytes,
				      const struct bpf_object_open_opts *opts)
{
	const char *name = opts && opts->object_name ? opts->object_name : "the object";

	libbpf_log__forward_all();
	return bind_opened(channel, open__mem(name, elf, bytes, opts));
}

struct bpf_object *peat_channel__open_file(struct peat_channel *channel, const char *path,
					   const struct bpf_object_open_opts *opts)
{
	libbpf_log__forward_all();
	return bind_opened(channel, open__file(path, opts));
}

int peat_channel__open_skeleton(struct peat_channel *channel, struct bpf_object_skeleton *skeleton,
				const struct bpf_object_open_opts *opts)
{
	const void *elf = skeleton->data;
	size_t bytes = skeleton->data_sz, own_bytes = bytes;
	int err;
	void *copy = open__prepare(skeleton->name, elf, &bytes, &err);

	if (err)
		return fail(err);
	if (copy) {
		skeleton->data = copy;
		skeleton->data_sz = bytes;
	}
	libbpf_log__forward_all();
	err = libbpf_log__open_skeleton(skeleton, opts);
	skeleton->data = elf;
	skeleton->data_sz = own_bytes;
	free(copy); /* libbpf has its own copies */
	return err ? fail(err) : peat_channel__bind(channel, *skeleton->obj);
}
