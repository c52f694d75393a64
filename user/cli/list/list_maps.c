// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list_maps.c: peat list --maps. */
#include <stdio.h>

#include <peat/peat.h>

#include "cli/base/json_text.h"
#include "cli/list/list_attached.h"
#include "cli/list/list_maps.h"
#include "cli/base/terminal_text.h"

static void print_type(const char *word, const char *type, uint32_t bytes)
{
	if (type)
		terminal_text__print(stdout, "  %-8s %s, %u bytes\n", word, type, bytes);
	else
		terminal_text__print(stdout, "  %-8s %u bytes of an unknown type\n", word, bytes);
}

static void print_map(const struct peat_map *map)
{
	terminal_text__print(stdout, "id=%u %s: %s, at most %u entries\n", map->id,
			     *map->name ? map->name : "(no name)", map->type, map->slots);
	print_type("key", map->key_type, map->key_bytes);
	print_type("value", map->value_type, map->value_bytes);
	list_attached__print_users(map);
}

static void print_json_map(const struct peat_map *map)
{
	printf("{\"id\":%u", map->id);
	json_text__member(",", "name", map->name);
	json_text__member(",", "type", map->type);
	printf(",\"max_entries\":%u,\"key_bytes\":%u,\"value_bytes\":%u", map->slots,
	       map->key_bytes, map->value_bytes);
	json_text__member(",", "key_type", map->key_type);
	json_text__member(",", "value_type", map->value_type);
	list_attached__print_json_users(map);
	putchar('}');
}

int list_maps__print(bool json)
{
	return list_attached__print_maps(peat_maps__new_tables(), json,
					 json ? print_json_map : print_map);
}
