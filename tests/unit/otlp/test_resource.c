// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_resource.c: this machine and process as a Resource. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "otlp/resource.h"
#include "otlp_messages.h"
#include "unit/suite.h"

static struct strbuf out;

static struct protobuf_message resource_with(const char *more)
{
	strbuf__cut(&out, 0);
	ck_assert_int_eq(otlp_resource__append(&out, more), 0);
	return whole(&out);
}

START_TEST(test_own_attributes)
{
	struct protobuf_message resource = resource_with(NULL), value;
	struct protobuf_field id, other;

	check_text(attribute(resource, 1, "service.name"), 1, "peat");
	check_text(attribute(resource, 1, "os.type"), 1, "linux");
	ck_assert_uint_eq(number_in(attribute(resource, 1, "process.pid"), 3), (uint64_t)getpid());
	ck_assert(find_attribute(resource, 1, "host.name", &value));
	ck_assert(find_field(attribute(resource, 1, "service.instance.id"), 1, 0, &id));
	ck_assert_uint_eq(id.count, 36);
	ck_assert_int_eq(id.bytes[14], '4');
	ck_assert(strchr("89ab", id.bytes[19]));
	value = resource_with(NULL);
	ck_assert(find_field(attribute(value, 1, "service.instance.id"), 1, 0, &other));
}
END_TEST

START_TEST(test_more_attributes)
{
	struct protobuf_message resource = resource_with(
		" k8s.node.name = node-1 ,service.name=probe,team=a%2Cb%3dc%zz,process.pid=7,");
	struct protobuf_field field;
	unsigned names = 0;

	check_text(attribute(resource, 1, "k8s.node.name"), 1, "node-1");
	check_text(attribute(resource, 1, "service.name"), 1, "probe");
	check_text(attribute(resource, 1, "team"), 1, "a,b=c%zz");
	check_text(attribute(resource, 1, "process.pid"), 1, "7");
	for (unsigned i = 0; find_field(resource, 1, i, &field); i++) {
		struct protobuf_field name;

		ck_assert(find_field(protobuf__inner(&field), 1, 0, &name));
		names += name.count == 12 && !memcmp(name.bytes, "service.name", 12);
	}
	ck_assert_uint_eq(names, 1);
}
END_TEST

START_TEST(test_wrong_attributes)
{
	ck_assert_int_eq(otlp_resource__append(&out, "team"), -EINVAL);
	ck_assert_int_eq(otlp_resource__append(&out, "=a"), -EINVAL);
	ck_assert_int_eq(otlp_resource__append(&out, "a=b, =c"), -EINVAL);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_own_attributes);
	tcase_add_test(tests, test_more_attributes);
	tcase_add_test(tests, test_wrong_attributes);
}
