// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* unit.c: the tests that need neither root nor a kernel: a suite for each file of user/lib. */
#include "harness.h"
#include "suites.h"

int main(int argc, char **argv)
{
	static const suite_fn suites[] = {
		opts_suite,	     caps_suite,	   cpus_suite,		budget_suite,
		record_suite,	     sample_suite,	   frame_suite,		ring_suite,
		stage_suite,	     round_suite,	   balance_suite,	units_suite,
		escape_suite,	     tasks_suite,	   kind_records_suite,	fields_suite,
		schema_suite,	     object_file_suite,	   settings_suite,	out_suite,
		symbols_suite,	     value_suite,	   json_suite,		json_lines_suite,
		text_suite,	     cpu_messages_suite,   order_suite,		tide_suite,
		outputs_suite,	     debug_info_suite,	   candidates_suite,	guess_suite,
		length_suite,	     map_flags_suite,	   netlink_suite,	perf_attr_suite,
		inflate_suite,	     perf_file_suite,	   perf_broken_suite,	perf_corpus_suite,
		perf_features_suite, tool_record_suite,	   emit_suite,		tracing_data_suite,
		trace_format_suite,  tracing_corpus_suite, tool_event_suite,	sampled_suite,
		tracing_write_suite, record_format_suite,  encode_suite,	perf_writer_suite,
		replay_suite,	     replay_waiting_suite, replay_events_suite, replay_header_suite,
		block_queue_suite,   held_exits_suite,	   perf_formats_suite,	perf_sink_suite,
		ledger_told_suite,   rewrite_suite,	   retype_suite,	retyped_suite,
		fold_suite,	     core_relos_suite,
	};

	return harness__main(argc, argv, suites, sizeof(suites) / sizeof(*suites));
}
