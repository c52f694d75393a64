// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/parse.c: parses the text of an expression; where.h has the grammar. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "where/literal.h"
#include "where/message.h"
#include "where/node.h"

/* Every node and value has a byte of the text at least, so there is memory for all. */
struct parser {
	struct where_expr *expr;
	const char *text;
	uint32_t at, end_of_last; /* of the last token */
	uint32_t depth;
};

static struct where_node *parse_or(struct parser *parser);

/* ---- tokens ---------------------------------------------------------------------------------- */

static void *fail_at(const struct parser *parser, uint32_t at, const char *reason)
{
	where_message(parser->text, at, "%s", reason);
	return NULL;
}

static void skip_blanks(struct parser *parser)
{
	parser->at += (uint32_t)strspn(parser->text + parser->at, " \t\n\r");
}

static bool accept_symbol(struct parser *parser, const char *symbol)
{
	skip_blanks(parser);
	if (!begins_with(parser->text + parser->at, symbol))
		return false;
	parser->at += (uint32_t)strlen(symbol);
	parser->end_of_last = parser->at;
	return true;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '@' || c == '$';
}

static bool accept_word(struct parser *parser, const char *word)
{
	size_t bytes = strlen(word);

	skip_blanks(parser);
	if (is_name(parser->text[parser->at + strnlen(parser->text + parser->at, bytes)]))
		return false;
	return accept_symbol(parser, word);
}

static bool accept_not(struct parser *parser)
{
	const char *at;

	skip_blanks(parser);
	at = parser->text + parser->at;
	if (at[0] == '!' && at[1] != '=' && at[1] != '~')
		return accept_symbol(parser, "!");
	return accept_word(parser, "not");
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* A name; "sched:sched_switch" and "bpf-output" are types. */
static uint32_t end_of_name(const char *text, uint32_t at)
{
	while (is_name(text[at]) || ((text[at] == ':' || text[at] == '-') && is_name(text[at + 1])))
		at++;
	return at;
}

/* "[2]"; 0: it is no index. */
static uint32_t end_of_index(const char *text, uint32_t at)
{
	uint32_t digits = (uint32_t)strspn(text + at + 1, "0123456789");

	return digits && digits <= 5 && text[at + 1 + digits] == ']' ? at + digits + 2 : 0;
}

/* The path ends at `*end`, also if it is wrong there. */
static const char *find_end_of_path(const char *text, uint32_t at, uint32_t *end)
{
	*end = end_of_name(text, at);
	while (text[*end] == '.' || text[*end] == '[') {
		uint32_t next;

		if (text[*end] == '[') {
			next = end_of_index(text, *end);
			if (!next)
				return "an index is a number from 0, such as args[2]";
		} else {
			next = end_of_name(text, *end + 1);
			if (next == *end + 1)
				return "a name is missing after the point";
		}
		*end = next;
	}
	return NULL;
}

static const char *reason_for_no_field(const char *text)
{
	if (!*text)
		return "a test is missing at the end";
	if (isdigit((unsigned char)*text) || strchr("\"'-", *text))
		return "a test begins with a field: delay > 5ms";
	return "a field is expected here";
}

static const char *parse_path(struct parser *parser)
{
	struct where_expr *expr = parser->expr;
	char *path = expr->strings + expr->string_bytes;
	uint32_t begin = parser->at, end;
	const char *reason;

	if (!is_name(parser->text[begin]) || isdigit((unsigned char)parser->text[begin]))
		return fail_at(parser, begin, reason_for_no_field(parser->text + begin));
	reason = find_end_of_path(parser->text, begin, &end);
	if (reason)
		return fail_at(parser, end, reason);
	memcpy(path, parser->text + begin, end - begin);
	path[end - begin] = 0;
	expr->string_bytes += end - begin + 1;
	parser->at = parser->end_of_last = end;
	return path;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct where_value *parse_value(struct parser *parser, bool is_pattern)
{
	struct where_expr *expr = parser->expr;
	struct where_value *value = &expr->values[expr->value_count++];
	uint32_t end;

	skip_blanks(parser);
	end = where_literal__read(parser->text, parser->at, is_pattern,
				  expr->strings + expr->string_bytes, value);
	if (!end)
		return NULL;
	expr->string_bytes += value->bytes + 1;
	parser->at = parser->end_of_last = end;
	return value;
}

/* (VALUE, ...); braces are accepted too. */
static struct where_value *parse_list(struct parser *parser)
{
	struct where_value *first = NULL, **next = &first;
	const char *close = ")";

	if (accept_symbol(parser, "{"))
		close = "}";
	else if (!accept_symbol(parser, "("))
		return fail_at(parser, parser->at, "a list is expected after in: in (1, 2)");
	do {
		*next = parse_value(parser, false);
		if (!*next)
			return NULL;
		next = &(*next)->next;
	} while (accept_symbol(parser, ","));
	if (accept_symbol(parser, close))
		return first;
	return fail_at(parser, parser->at, "the list ends here: a , or its closing ) is expected");
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const struct {
	const char *symbol;
	enum where_compare compare;
	bool inverted;
} operators[] = {
	{ "==", COMPARE_EQUAL, false },	     { "!=", COMPARE_EQUAL, true },
	{ "<=", COMPARE_LESS_EQUAL, false }, { ">=", COMPARE_LESS, true },
	{ "<", COMPARE_LESS, false },	     { ">", COMPARE_LESS_EQUAL, true },
	{ "!~", COMPARE_GLOB, true },	     { "~", COMPARE_GLOB, false },
};

#define OPERATORS  (sizeof(operators) / sizeof(*operators))
#define EQUALITIES 2 /* the first ones */

static bool accept_operator(struct parser *parser, struct where_node *node, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (accept_symbol(parser, operators[i].symbol)) {
			node->compare = operators[i].compare;
			node->inverted = operators[i].inverted;
			return true;
		}
	return false;
}

static bool accept_in(struct parser *parser, struct where_node *node)
{
	uint32_t begin = parser->at, end = parser->end_of_last;

	node->inverted = accept_word(parser, "not");
	if (accept_word(parser, "in")) {
		node->compare = COMPARE_IN;
		return true;
	}
	node->inverted = false;
	parser->at = begin;
	parser->end_of_last = end;
	return false;
}

static bool accept_mask(struct parser *parser)
{
	skip_blanks(parser);
	return !begins_with(parser->text + parser->at, "&&") && accept_symbol(parser, "&");
}

/* The rest of a test, after its field.  False: the log has the reason. */
static bool parse_comparison(struct parser *parser, struct where_node *node)
{
	if (accept_mask(parser)) {
		node->mask = parse_value(parser, false);
		if (!node->mask || !accept_operator(parser, node, EQUALITIES))
			return node->mask;
	} else if (accept_in(parser, node)) {
		node->values = parse_list(parser);
		return node->values;
	} else if (!accept_operator(parser, node, OPERATORS)) {
		return true;
	}
	node->values = parse_value(parser, node->compare == COMPARE_GLOB);
	return node->values;
}

static struct where_node *new_node(struct parser *parser, enum where_node_kind kind)
{
	struct where_node *node = &parser->expr->nodes[parser->expr->node_count++];

	node->kind = kind;
	node->begin = parser->at;
	return node;
}

static struct where_node *parse_test(struct parser *parser)
{
	struct where_node *node;

	skip_blanks(parser);
	node = new_node(parser, NODE_TEST);
	node->path = parse_path(parser);
	if (!node->path || !parse_comparison(parser, node))
		return NULL;
	node->end = parser->end_of_last;
	return node;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const char *reason_for_rest(const char *rest)
{
	if (*rest == '=')
		return "= is no operator: equality is ==";
	if (*rest == '|')
		return "| joins flags: or is ||";
	if (*rest == ')')
		return "a ) without its (";
	return "an operator is expected here: == != < <= > >= & in ~ !~, or && ||";
}

static struct where_node *parse_group(struct parser *parser)
{
	uint32_t begin = parser->at - 1;
	struct where_node *node;

	if (++parser->depth > WHERE_DEPTH_MAX)
		return fail_at(parser, begin, "parentheses are nested more than 64 deep");
	node = parse_or(parser);
	if (!node)
		return NULL;
	if (!accept_symbol(parser, ")"))
		return fail_at(parser, parser->at,
			       parser->text[parser->at] ? reason_for_rest(parser->text + parser->at)
							: "a closing ) is missing at the end");
	parser->depth--;
	return node;
}

static struct where_node *parse_unary(struct parser *parser)
{
	struct where_node *node;
	bool negated = false;

	while (accept_not(parser))
		negated = !negated;
	node = accept_symbol(parser, "(") ? parse_group(parser) : parse_test(parser);
	if (node)
		node->negated ^= negated;
	return node;
}

static struct where_node *join(struct parser *parser, enum where_node_kind kind,
			       struct where_node *a, struct where_node *b)
{
	struct where_node *node = new_node(parser, kind);

	node->a = a;
	node->b = b;
	node->begin = a->begin;
	return node;
}

/* Operands joined by && or ||; the chain grows at its end. */
static struct where_node *parse_chain(struct parser *parser, enum where_node_kind kind,
				      struct where_node *(*parse_operand)(struct parser *parser))
{
	const char *symbol = kind == NODE_AND ? "&&" : "||",
		   *word = kind == NODE_AND ? "and" : "or";
	struct where_node *first = parse_operand(parser), **last = &first;
	uint32_t joints = 0;

	for (; first && (accept_symbol(parser, symbol) || accept_word(parser, word)); joints++) {
		struct where_node *operand = parse_operand(parser);

		if (!operand)
			return NULL;
		*last = join(parser, kind, *last, operand);
		last = &(*last)->b;
	}
	for (struct where_node *node = first; joints; joints--, node = node->b)
		node->end = parser->end_of_last;
	return first;
}

static struct where_node *parse_and(struct parser *parser)
{
	return parse_chain(parser, NODE_AND, parse_unary);
}

static struct where_node *parse_or(struct parser *parser)
{
	return parse_chain(parser, NODE_OR, parse_and);
}

static int allocate(struct where_expr *expr, const char *text)
{
	size_t count = strlen(text) + 1;

	if (count > WHERE_TEXT_MAX) {
		log__error("where: the expression has more than %d bytes", WHERE_TEXT_MAX - 1);
		return -EINVAL;
	}
	expr->bytes = (uint32_t)count - 1;
	expr->text = strdup(text);
	expr->nodes = calloc(2 * count, sizeof(*expr->nodes));
	expr->values = calloc(count, sizeof(*expr->values));
	expr->strings = calloc(4, count);
	return expr->text && expr->nodes && expr->values && expr->strings ? 0 : -ENOMEM;
}

int where_expr__parse(struct where_expr *expr, const char *text)
{
	struct parser parser = { .expr = expr, .text = text };
	int err;

	memset(expr, 0, sizeof(*expr));
	err = allocate(expr, text);
	if (err)
		return err;
	expr->root = parse_or(&parser);
	if (!expr->root)
		return -EINVAL;
	skip_blanks(&parser);
	if (!text[parser.at])
		return 0;
	fail_at(&parser, parser.at, reason_for_rest(text + parser.at));
	return -EINVAL;
}

void where_expr__free(struct where_expr *expr)
{
	free(expr->text);
	free(expr->nodes);
	free(expr->values);
	free(expr->strings);
	memset(expr, 0, sizeof(*expr));
}
