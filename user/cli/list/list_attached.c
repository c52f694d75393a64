// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list_attached.c: peat list --attached. */
#include <stdio.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/json_text.h"
#include "cli/list/list_attached.h"
#include "cli/base/terminal_text.h"

void list_attached__print_users(const struct peat_map *map)
{
	if (*map->flag_names)
		terminal_text__print(stdout, "  flags    %s\n", map->flag_names);
	for (uint32_t i = 0; i < map->pin_count; i++)
		terminal_text__print(stdout, "  pinned   %s\n", map->pins[i]);
	for (uint32_t i = 0; i < map->holder_count; i++)
		terminal_text__print(stdout, "  held by  %u (%s)\n", map->holders[i].pid,
				     map->holders[i].comm);
	for (uint32_t i = 0; i < map->program_count; i++) {
		const struct peat_map_program *program = &map->programs[i];

		terminal_text__print(stdout, "  program  %u %s, %s: %s\n", program->id,
				     program->name, program->type,
				     *program->attached ? program->attached
							: "no visible attachment");
	}
}

static void print_map(const struct peat_map *map)
{
	terminal_text__print(stdout, "id=%u %s: %u slots\n", map->id,
			     *map->name ? map->name : "(no name)", map->slots);
	list_attached__print_users(map);
}

static void print_json_holders(const struct peat_map *map)
{
	printf(",\"holders\":[");
	for (uint32_t i = 0; i < map->holder_count; i++) {
		printf("%s{\"pid\":%u", i ? "," : "", map->holders[i].pid);
		json_text__member(",", "comm", map->holders[i].comm);
		putchar('}');
	}
	putchar(']');
}

static void print_json_programs(const struct peat_map *map)
{
	printf(",\"programs\":[");
	for (uint32_t i = 0; i < map->program_count; i++) {
		const struct peat_map_program *program = &map->programs[i];

		printf("%s{\"id\":%u", i ? "," : "", program->id);
		json_text__member(",", "name", program->name);
		json_text__member(",", "type", program->type);
		json_text__member(",", "attached", *program->attached ? program->attached : NULL);
		putchar('}');
	}
	putchar(']');
}

void list_attached__print_json_users(const struct peat_map *map)
{
	printf(",\"flags\":%u,\"pins\":[", map->flags);
	for (uint32_t i = 0; i < map->pin_count; i++) {
		fputs(i ? "," : "", stdout);
		json_text__print(map->pins[i]);
	}
	putchar(']');
	print_json_holders(map);
	print_json_programs(map);
}

static void print_json_map(const struct peat_map *map)
{
	printf("{\"id\":%u", map->id);
	json_text__member(",", "name", map->name);
	printf(",\"slots\":%u", map->slots);
	list_attached__print_json_users(map);
	putchar('}');
}

int list_attached__print_maps(struct peat_maps *maps, bool json,
			      void (*print)(const struct peat_map *map))
{
	const struct peat_map *map;

	if (!maps)
		return EXIT_FAILED;
	if (json)
		putchar('[');
	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++) {
		if (json)
			fputs(i ? ",\n " : "", stdout);
		print(map);
	}
	if (json)
		puts("]");
	peat_maps__free(maps);
	return 0;
}

int list_attached__print(bool json)
{
	return list_attached__print_maps(peat_maps__new(), json, json ? print_json_map : print_map);
}
