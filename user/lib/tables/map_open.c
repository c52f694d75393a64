// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/map_open.c: tables of maps of any program, by the types that the kernel has of them. */
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "sys/caps.h"
#include "tables/map_table.h"
#include "schema/map_tags.h"
#include "tables/text_keys.h"

/* Without types, keys and values are numbers, texts or bytes: that is not an error. */
static int load_types(const struct bpf_map_info *info, struct btf **btf)
{
	*btf = NULL;
	if (!info->btf_id) {
		log__warn("map '%s' (id %u) has no BTF: its keys and values are shown as "
			  "numbers, texts or bytes",
			  info->name, info->id);
		return 0;
	}
	*btf = btf__load_from_kernel_by_id(info->btf_id);
	if (*btf)
		return 0;
	if (errno == ENOMEM)
		return -ENOMEM;
	log__warn("cannot read the BTF of map '%s' (id %u): %s%s%s: its keys and values are shown "
		  "as numbers, texts or bytes",
		  info->name, info->id, strerror(errno), errno == EPERM ? ": " : "",
		  errno == EPERM ? caps__explain_map_ids() : "");
	return 0;
}

static struct peat_table *make_table(int map_fd, const struct bpf_map_info *info,
				     const struct btf *btf,
				     const struct peat_map_table_opts *callers_opts)
{
	struct peat_map_table_opts opts = *callers_opts;
	struct map_type type = {
		.name = *info->name ? info->name : "map",
		.btf = btf,
		.key_id = info->btf_key_type_id,
		.value_id = info->btf_value_type_id,
		.key_bytes = info->key_size,
		.value_bytes = info->value_size,
	};
	struct map_tags tags = { 0 };
	struct peat_table *table;
	int err = btf ? map_tags__read(&tags, btf, info->name, true) : 0;

	if (err)
		return fail_null(err);
	if (!opts.unit)
		opts.unit = tags.unit;
	type.doc = tags.doc;
	type.is_histogram = opts.unit != NULL;
	type.has_text_keys = !(btf && type.key_id) && text_keys__has(map_fd, type.key_bytes);
	table = map_table__new(map_fd, &type, -1, 0, &opts);
	map_tags__free(&tags);
	return table;
}

struct peat_table *peat_table__open_map(int map_fd, const struct peat_map_table_opts *callers_opts)
{
	struct peat_map_table_opts opts = PEAT_MAP_TABLE_OPTS_INIT;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_map_table_opts");
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	struct peat_table *table;
	struct btf *btf;

	if (!err && bpf_obj_get_info_by_fd(map_fd, &info, &bytes)) {
		err = -errno;
		log__error("fd %d is not a BPF map: %s", map_fd, strerror(errno));
	}
	if (!err)
		err = load_types(&info, &btf);
	if (err)
		return fail_null(err);
	table = make_table(map_fd, &info, btf, &opts);
	err = table ? 0 : errno;
	btf__free(btf);
	errno = err;
	return table;
}
