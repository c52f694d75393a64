// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kubernetes_names.c: names of containers and pods, from names of logs and containers. */
#include <stdio.h>
#include <string.h>

#include <peat/identity.h>

#include "runtimes/kubernetes_names.h"
#include "unit/suite.h"

#define ID  "b4d6d161c62525d726fa394b27df30e14f8ea5646313ada576b390de70cfc8cc"
#define POD "f6f2d169-f2ae-4afa-95ed-06ff2ed6b288"

static struct peat_identity identity;

static void begin(const char *container_name)
{
	memset(&identity, 0, sizeof(identity));
	strcpy(identity.container, ID);
	strcpy(identity.pod, POD);
	strcpy(identity.container_name, container_name);
}

static void is(const char *container, const char *pod)
{
	ck_assert_str_eq(identity.container_name, container);
	ck_assert_str_eq(identity.pod_name, pod);
}

START_TEST(test_splits_names)
{
	static const struct {
		const char *whole, *container, *pod;
	} cases[] = {
		{ "k8s_web_web-0_default_" POD "_0", "web", "default/web-0" },
		{ "k8s_POD_a.b_kube-system_" POD "_12", "POD", "kube-system/a.b" },
		{ "k8s_web_web-0_default", "web", "default/web-0" },
		{ "k8s_web_web-0", "k8s_web_web-0", "" },
		{ "k8s_", "k8s_", "" },
		{ "k8s__web-0_default", "k8s__web-0_default", "" },
		{ "web", "web", "" },
		{ "", "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin(cases[i].whole);
		kubernetes_names__split(&identity);
		is(cases[i].container, cases[i].pod);
	}
}
END_TEST

START_TEST(test_parses_logs)
{
	static const char *const others[] = {
		"",
		".",
		"-" ID ".log",
		"web-0_default-" ID ".log",
		"web-0_default_web-" ID,
		"web-0_default_web-" ID "0.log",
		"web-0_default_web-0" ID ".log",
		"web-0_default_web" ID ".log",
		"web-0_default_web-b" ID ".txt",
	};

	begin("");
	ck_assert(kubernetes_names__parse_log("web-0_default_web-" ID ".log", &identity));
	is("web", "default/web-0");
	begin("");
	ck_assert(kubernetes_names__parse_log("a.b_kube-system_one-two-" ID ".log", &identity));
	is("one-two", "kube-system/a.b");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		begin("");
		ck_assert(!kubernetes_names__parse_log(others[i], &identity));
		is("", "");
	}
}
END_TEST

START_TEST(test_parses_pods)
{
	static const char *const others[] = { "",    "..",	     POD,      "_" POD,
					      "a_b", "a_b_" POD "0", "a__" POD };

	begin("");
	ck_assert(kubernetes_names__parse_pod("default_web-0_" POD, &identity));
	is("", "default/web-0");
	begin("");
	ck_assert(kubernetes_names__parse_pod("kube-system_proxy_f6f2d169f2ae4afa95ed06ff2ed6b288",
					      &identity));
	is("", "kube-system/proxy");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		begin("");
		ck_assert(!kubernetes_names__parse_pod(others[i], &identity));
		is("", "");
	}
}
END_TEST

/* The longest names fit. */
START_TEST(test_long_names)
{
	char log[1024];

	snprintf(log, sizeof(log), "k8s_%0120d_%0100d_%020d", 0, 0, 0);
	begin(log);
	kubernetes_names__split(&identity);
	ck_assert_uint_eq(strlen(identity.container_name), 120);
	ck_assert_uint_eq(strlen(identity.pod_name), 121);
	snprintf(log, sizeof(log), "%0400d_%0400d_x-" ID ".log", 0, 0);
	begin("");
	kubernetes_names__parse_log(log, &identity);
	ck_assert_uint_lt(strlen(identity.pod_name), sizeof(identity.pod_name));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_splits_names);
	tcase_add_test(tests, test_parses_logs);
	tcase_add_test(tests, test_parses_pods);
	tcase_add_test(tests, test_long_names);
}
