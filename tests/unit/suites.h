/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *opts_suite(void);
Suite *caps_suite(void);
Suite *cpus_suite(void);
Suite *cpu_messages_suite(void);
Suite *budget_suite(void);
Suite *record_suite(void);
Suite *sample_suite(void);
Suite *perf_attr_suite(void);
Suite *inflate_suite(void);
Suite *perf_file_suite(void);
Suite *perf_broken_suite(void);
Suite *perf_corpus_suite(void);
Suite *frame_suite(void);
Suite *ring_suite(void);
Suite *stage_suite(void);
Suite *tasks_suite(void);
Suite *kind_records_suite(void);
Suite *round_suite(void);
Suite *balance_suite(void);
Suite *order_suite(void);
Suite *tide_suite(void);
Suite *units_suite(void);
Suite *escape_suite(void);
Suite *fields_suite(void);
Suite *schema_suite(void);
Suite *outputs_suite(void);
Suite *debug_info_suite(void);
Suite *candidates_suite(void);
Suite *guess_suite(void);
Suite *length_suite(void);
Suite *map_flags_suite(void);
Suite *netlink_suite(void);
Suite *tracing_data_suite(void);
Suite *trace_format_suite(void);
Suite *tracing_corpus_suite(void);
Suite *tracing_write_suite(void);
Suite *record_format_suite(void);
Suite *object_file_suite(void);
Suite *settings_suite(void);
Suite *out_suite(void);
Suite *symbols_suite(void);
Suite *value_suite(void);
Suite *json_suite(void);
Suite *json_lines_suite(void);
Suite *text_suite(void);
Suite *emit_suite(void);
Suite *perf_features_suite(void);
Suite *tool_record_suite(void);
Suite *tool_event_suite(void);
Suite *sampled_suite(void);

#endif /* SUITES_H */
