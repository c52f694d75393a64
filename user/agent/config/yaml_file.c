// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* config/yaml_file.c: reads the sections of a configuration from YAML. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "config/sections.h"

#ifdef HAVE_YAML
#include <yaml.h>

/* A file that is being read. */
struct reading {
	struct sections *sections;
	const char *file; /* in the memory of the sections */
	yaml_document_t document;
	int err; /* the first one, negative */
};

/* ---- messages -------------------------------------------------------------------------------- */

static void refuse_at(struct reading *reading, yaml_mark_t mark, const char *what, const char *why)
{
	if (!reading->err)
		log__error("%s:%zu:%zu: %s%s%s", reading->file, mark.line + 1, mark.column + 1,
			   what ?: "", what ? ": " : "", why);
	reading->err = -EINVAL;
}

static void refuse(struct reading *reading, const yaml_node_t *node, const char *what,
		   const char *why)
{
	refuse_at(reading, node->start_mark, what, why);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A copy of a scalar; NULL: it is none, or not a text of C. */
static const char *text_of(struct reading *reading, const yaml_node_t *node, const char *what)
{
	const char *copy, *value = (const char *)node->data.scalar.value;
	size_t bytes = node->data.scalar.length;

	if (node->type != YAML_SCALAR_NODE) {
		refuse(reading, node, what, "expected a single value");
		return NULL;
	}
	if (memchr(value, 0, bytes)) {
		refuse(reading, node, what, "the value has a NUL");
		return NULL;
	}
	copy = arena__copy(&reading->sections->memory, value, bytes);
	if (!copy)
		reading->err = reading->err ?: -ENOMEM;
	return copy;
}

static const yaml_node_t *node_at(struct reading *reading, int number)
{
	return yaml_document_get_node(&reading->document, number);
}

/* Calls `use` for each pair of a mapping, until an error. */
static void each_pair(struct reading *reading, const yaml_node_t *node, const char *what,
		      void (*use)(struct reading *, const char *key, const yaml_node_t *key_node,
				  const yaml_node_t *value, void *arg),
		      void *arg)
{
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;

	if (node->type != YAML_MAPPING_NODE) {
		refuse(reading, node, what, "expected lines `name: value`");
		return;
	}
	for (; !reading->err && pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key_node = node_at(reading, pair->key);
		const char *key = text_of(reading, key_node, what);

		if (key)
			use(reading, key, key_node, node_at(reading, pair->value), arg);
	}
}

/* ---- sections -------------------------------------------------------------------------------- */

static void add_value(struct reading *reading, const char *name, const yaml_node_t *value,
		      struct section *section)
{
	const char *text = text_of(reading, value, name);

	if (!text)
		return;
	if (!ARRAY_RESERVE_NEXT(section->settings, section->setting_count)) {
		reading->err = -ENOMEM;
		return;
	}
	section->settings[section->setting_count++] =
		(struct peat_setting){ .name = name,
				       .value = text,
				       .line = (uint32_t)value->start_mark.line + 1,
				       .column = (uint32_t)value->start_mark.column + 1 };
}

static void add_setting(struct reading *reading, const char *name, const yaml_node_t *name_node,
			const yaml_node_t *value, void *section)
{
	(void)name_node;
	if (value->type != YAML_SEQUENCE_NODE) {
		add_value(reading, name, value, section);
		return;
	}
	for (const yaml_node_item_t *item = value->data.sequence.items.start;
	     !reading->err && item < value->data.sequence.items.top; item++)
		add_value(reading, name, node_at(reading, *item), section);
}

static void add_section(struct reading *reading, const char *name, const yaml_node_t *name_node,
			const yaml_node_t *value, void *group)
{
	struct sections *sections = reading->sections;
	struct section *section;

	if (!ARRAY_RESERVE_NEXT(sections->at, sections->count)) {
		reading->err = -ENOMEM;
		return;
	}
	section = &sections->at[sections->count++];
	*section = (struct section){ .group = group,
				     .name = name,
				     .file = reading->file,
				     .line = (uint32_t)name_node->start_mark.line + 1,
				     .column = (uint32_t)name_node->start_mark.column + 1 };
	each_pair(reading, value, name, add_setting, section);
}

static void add_group(struct reading *reading, const char *group, const yaml_node_t *group_node,
		      const yaml_node_t *value, void *arg)
{
	(void)arg;
	if (!strcmp(group, "agent"))
		add_section(reading, group, group_node, value, (char *)group);
	else if (!strcmp(group, "outputs") || !strcmp(group, "pipelines"))
		each_pair(reading, value, group, add_section, (char *)group);
	else
		refuse(reading, group_node, group, "expected agent, outputs or pipelines");
}

/* ---- documents ------------------------------------------------------------------------------- */

static void refuse_yaml(struct reading *reading, const yaml_parser_t *parser)
{
	yaml_mark_t mark = parser->problem_mark;

	if (parser->error == YAML_MEMORY_ERROR) {
		reading->err = -ENOMEM;
		return;
	}
	/* The place of an invalid character is known by its offset alone. */
	if (parser->error == YAML_READER_ERROR)
		mark = parser->mark;
	refuse_at(reading, mark, NULL, parser->problem ?: "no valid YAML");
}

static void read_document(struct reading *reading, yaml_parser_t *parser)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reading->document);
	yaml_document_t second;

	if (root)
		each_pair(reading, root, NULL, add_group, NULL);
	if (reading->err || !root)
		return;
	if (!yaml_parser_load(parser, &second)) {
		refuse_yaml(reading, parser);
		return;
	}
	root = yaml_document_get_root_node(&second);
	if (root)
		refuse(reading, root, NULL, "a file has one document");
	yaml_document_delete(&second);
}

int section_list__read_text(struct sections *sections, const char *file, const char *text,
			    size_t bytes)
{
	struct reading reading = { .sections = sections };
	yaml_parser_t parser;

	reading.file = arena__copy(&sections->memory, file, strlen(file));
	if (!reading.file || !yaml_parser_initialize(&parser))
		return fail(-ENOMEM);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
	if (yaml_parser_load(&parser, &reading.document)) {
		read_document(&reading, &parser);
		yaml_document_delete(&reading.document);
	} else {
		refuse_yaml(&reading, &parser);
	}
	yaml_parser_delete(&parser);
	return reading.err ? fail(reading.err) : 0;
}

#else /* no HAVE_YAML */

int section_list__read_text(struct sections *sections, const char *file, const char *text,
			    size_t bytes)
{
	(void)sections;
	(void)text;
	(void)bytes;
	log__error("%s: this libpeat-agent was built without libyaml, and reads no configuration",
		   file);
	return fail(-ENOTSUP);
}

#endif /* HAVE_YAML */

void section_list__free(struct sections *sections)
{
	for (size_t i = 0; i < sections->count; i++)
		free(sections->at[i].settings);
	free(sections->at);
	arena__free(&sections->memory);
	*sections = (struct sections){ 0 };
}
