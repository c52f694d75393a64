// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * view.js: what is shown: the span of time in view, the selected span, hidden types, the search;
 * and texts of numbers.  Whoever draws it listens.
 */
"use strict";
const View = (() => {
	const NARROWEST = 100; // ns
	const listeners = {};
	const state = {
		first: 0, last: 1, // of the whole page, ns after the first event
		from: 0, to: 1, // in view
		selection: null, // {from, to}
		hidden: new Set(), // numbers of types
		group: "process",
		order: "count", // of the tracks of processes and threads
		search: null, // a regular expression
		matches: null, // per event: 1
		matchCount: 0,
	};

	const on = (name, listener) => (listeners[name] ??= []).push(listener);
	const tell = (name) => (listeners[name] ?? []).forEach((listener) => listener());

	// ---- the span of time -------------------------------------------------------------------

	function setSpan(from, to) {
		const all = state.last - state.first;
		const width = Math.min(Math.max(to - from, Math.min(NARROWEST, all)), all);
		const middle = (from + to) / 2;

		state.from = Math.min(Math.max(middle - width / 2, state.first), state.last - width);
		state.to = state.from + width;
		tell("span");
	}

	function zoom(factor, at = (state.from + state.to) / 2) {
		setSpan(at - (at - state.from) * factor, at + (state.to - at) * factor);
	}

	function pan(ns) {
		const width = state.to - state.from;
		const from = Math.min(Math.max(state.from + ns, state.first), state.last - width);

		setSpan(from, from + width);
	}

	function select(from, to) {
		state.selection = to > from
			? { from: Math.max(from, state.first), to: Math.min(to, state.last) } : null;
		tell("selection");
	}

	// The span that the panels describe.
	const described = () => state.selection ?? { from: state.from, to: state.to };

	// Events whose time is in a span: a range of indexes.
	function eventsIn({ from, to }) {
		const { time } = Data.events;

		return [Data.lowerBound(time, from), to >= state.last
			? time.length : Data.lowerBound(time, to)];
	}

	// ---- texts ------------------------------------------------------------------------------

	const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
	const number = (value) => typeof value === "bigint" ? value.toLocaleString("en-US")
		: grouped.format(value);

	const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

	// A duration, with three digits or more.
	function duration(ns) {
		const value = Number(ns);
		const [scale, unit] = UNITS.find(([least]) => Math.abs(value) >= least) ?? [1, "ns"];
		const digits = scale === 1 ? 0 : Math.abs(value / scale) < 10 ? 2
			: Math.abs(value / scale) < 100 ? 1 : 0;

		return `${(value / scale).toFixed(digits)} ${unit}`;
	}

	// A time after the first event, in steps of a size.
	function moment(ns, step = 1) {
		const digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(Math.max(step, 1)) - 1e-9)));

		return `${(ns / 1e9).toFixed(digits)} s`;
	}

	const SIZES = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];

	function bytes(value) {
		const size = SIZES.find(([least]) => Math.abs(Number(value)) >= least);

		return size ? `${grouped.format(Number(value) / size[0])} ${size[1]}`
			: `${number(value)} B`;
	}

	const percent = (part, whole) =>
		whole ? `${(100 * part / whole).toFixed(part / whole < 0.01 ? 2 : 1)} %` : "";

	// The value of a field, as people read it.
	function value(field, it) {
		if (it === null)
			return "–";
		switch (field.format) {
		case "ns": return duration(it);
		case "bytes": return bytes(it);
		case "hex": return "0x" + it.toString(16);
		case "text": return it;
		default: return number(it);
		}
	}

	// The time of day of a moment; null: unknown.
	function timeOfDay(ns) {
		const { first_ns, wall_clock_ns } = Data.tables;

		if (wall_clock_ns === "0" || first_ns === "0")
			return null;
		const all = BigInt(first_ns) + BigInt(wall_clock_ns) + BigInt(Math.round(ns));
		const date = new Date(Number(all / 1000000n));
		const part = String(all % 1000000000n).padStart(9, "0");

		return `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)}.${part} UTC`;
	}

	const taskName = ([pid, tid, comm]) => comm ?? (tid === null ? "unknown task" : `:${tid}`);

	// ---- colours ----------------------------------------------------------------------------

	const HUES = [212, 28, 152, 350, 268, 46, 188, 316, 92, 236];
	const dark = window.matchMedia("(prefers-color-scheme: dark)");
	let colours = {};

	// Hue, saturation and lightness by number; after ten types the same hues are paler.
	function coloursOf(type) {
		const hue = HUES[type % HUES.length], round = Math.floor(type / HUES.length) % 3;

		return [hue, 60 - 14 * round, dark.matches ? 62 - 8 * round : 52 + 9 * round];
	}

	function typeColour(type) {
		const [hue, saturation, lightness] = coloursOf(type);

		return `hsl(${hue} ${saturation}% ${lightness}%)`;
	}

	// The relative luminance of WCAG, from 0, black, to 1, white.
	function luminance([hue, saturation, lightness]) {
		const light = lightness / 100, chroma = saturation / 100 * Math.min(light, 1 - light);
		const linear = (n) => {
			const k = (n + hue / 30) % 12;
			const value = light - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1));

			return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
		};

		return 0.2126 * linear(0) + 0.7152 * linear(8) + 0.0722 * linear(4);
	}

	// Of a text on the colour of a type: black or white, the one with more contrast.
	const textOn = (type) => luminance(coloursOf(type)) > 0.18 ? "#000" : "#fff";

	function readColours() {
		const style = getComputedStyle(document.documentElement);

		for (const name of ["ground", "raised", "text", "faint", "line", "accent", "lost", "match",
			"select"])
			colours[name] = style.getPropertyValue(`--${name}`).trim();
	}

	dark.addEventListener("change", () => { readColours(); tell("colours"); });

	// ---- search -----------------------------------------------------------------------------

	// Texts of fields that match, in the events of a type.
	async function matchFields(type, number, pattern, matches) {
		const fields = type.fields.map((field, i) => i)
			.filter((i) => type.fields[i].format === "text");
		if (!fields.length)
			return;
		const byRow = Data.eventsByRow(number);

		for (const block of type.blocks) {
			const columns = await Data.columnsOf(type, block);

			for (const i of fields) {
				const { texts, values, missing } = columns[i];
				const found = texts.map((text) => pattern.test(text));

				if (found.some((it) => it))
					for (let row = 0; row < block.rows; row++)
						if (found[values[row]] && !missing.has(row))
							matches[byRow[block.first + row]] = 1;
			}
		}
	}

	let searches = 0;

	// Case matters if the pattern has capitals.  Throws a SyntaxError.
	async function search(text) {
		const { events, tables } = Data, mine = ++searches;
		const pattern = text ? new RegExp(text, /[A-Z]/.test(text) ? "" : "i") : null;

		state.search = pattern;
		state.matches = null;
		if (pattern) {
			const matches = new Uint8Array(events.count);
			const types = tables.types.map((type) => pattern.test(type.name));
			const tasks = tables.tasks.map((task) => pattern.test(taskName(task)) ||
				pattern.test(String(task[0])) || pattern.test(String(task[1])));

			for (let i = 0; i < events.count; i++)
				matches[i] = types[events.type[i]] || tasks[events.task[i]] ? 1 : 0;
			for (const [number, type] of tables.types.entries()) {
				await matchFields(type, number, pattern, matches);
				if (mine !== searches)
					return;
			}
			state.matches = matches;
			state.matchCount = matches.reduce((sum, match) => sum + match, 0);
		}
		tell("search");
	}

	return {
		state, on, tell, setSpan, zoom, pan, select, described, eventsIn, search, number, duration,
		moment, bytes, percent, value, timeOfDay, taskName, typeColour, textOn, readColours,
		colours,
	};
})();
