// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tracks.js: the tracks of the timeline: the events of a process, a thread, a CPU or a type.
 *
 * A track has rows: instants, then lanes of slices.  The slices of a lane do not overlap, so their
 * starts and ends are sorted, and the sum of any span is a difference of two sums.
 */
"use strict";
const Tracks = (() => {
	const LANES_MAX = 6; // more slices at a time are shown as instants

	const sum = (values) => {
		const sums = new Float64Array(values.length + 1);

		values.forEach((value, i) => { sums[i + 1] = sums[i] + value; });
		return sums;
	};

	// ---- rows -------------------------------------------------------------------------------

	function makeInstants(indexes) {
		const { time } = Data.events;

		return {
			events: Uint32Array.from(indexes),
			times: Float64Array.from(indexes, (event) => time[event]),
			matches: null,
		};
	}

	function makeLane(indexes) {
		const { time, start } = Data.events;

		return {
			events: Uint32Array.from(indexes),
			starts: Float64Array.from(indexes, (event) => start[event]),
			ends: Float64Array.from(indexes, (event) => time[event]),
			sums: sum(Array.from(indexes, (event) => time[event] - start[event])),
			matches: null,
		};
	}

	// Puts each slice into the first lane that is free: slices inside others are below them.
	function makeLanes(slices, instants) {
		const { time, start } = Data.events;
		const lanes = [], ends = [];

		slices.sort((a, b) => start[a] - start[b] || time[b] - time[a]);
		for (const event of slices) {
			const lane = ends.findIndex((end) => end <= start[event]);
			const at = lane < 0 ? ends.length : lane;

			if (at === LANES_MAX) {
				instants.push(event);
				continue;
			}
			(lanes[at] ??= []).push(event);
			ends[at] = time[event];
		}
		return lanes.map(makeLane);
	}

	function addRows(track) {
		const { isSlice } = Data.events;
		const instants = track.indexes.filter((event) => !isSlice[event]);
		const known = instants.length;

		track.lanes = makeLanes(track.indexes.filter((event) => isSlice[event]), instants);
		if (instants.length > known)
			instants.sort((a, b) => a - b);
		track.instants = instants.length ? makeInstants(instants) : null;
		track.count = track.indexes.length;
		track.indexes = null;
	}

	// ---- tracks -----------------------------------------------------------------------------

	const plain = (value) => value === null || value < 0 ? "unknown" : String(value);

	// The key, the name and the detail of an event's track.
	const groups = {
		process: {
			of: (event) => Data.tables.tasks[Data.events.task[event]][0] ?? -1,
			label: (key, event) => [nameOfProcess(key, event), key < 0 ? "" : String(key)],
		},
		thread: {
			of: (event) => Data.tables.tasks[Data.events.task[event]][1] ?? -1,
			label: (key, event) =>
				[View.taskName(Data.tables.tasks[Data.events.task[event]]), plain(key)],
		},
		cpu: {
			of: (event) => Data.events.cpu[event],
			label: (key) => [key < 0 ? "unknown CPU" : `CPU ${key}`, ""],
		},
		type: {
			of: (event) => Data.events.type[event],
			label: (key) => [Data.tables.types[key].name, ""],
		},
	};

	// The name of its first thread, if that has events.
	function nameOfProcess(pid, event) {
		const leader = Data.tables.tasks.findLast((task) =>
			task[0] === pid && task[1] === pid && task[2] !== null);

		if (pid === 0)
			return "idle, kernel";
		return View.taskName(leader ?? Data.tables.tasks[Data.events.task[event]]);
	}

	const byNumber = (a, b) => a.key - b.key;
	const orders = {
		count: (a, b) => b.count - a.count || a.key - b.key,
		time: (a, b) => a.first - b.first || a.key - b.key,
	};
	const isNumbered = (name) => name === "cpu" || name === "type";

	function make(name, order, hidden) {
		const { count, type, start } = Data.events;
		const group = groups[name], tracks = new Map();

		for (let event = 0; event < count; event++) {
			if (hidden.has(type[event]))
				continue;
			const key = group.of(event);
			let track = tracks.get(key);
			if (!track)
				tracks.set(key, track = { key, indexes: [], first: Infinity });
			track.indexes.push(event);
			track.first = Math.min(track.first, start[event]);
		}
		for (const track of tracks.values()) {
			[track.label, track.detail] = group.label(track.key, track.indexes.at(-1));
			addRows(track);
		}
		return Array.from(tracks.values()).sort(isNumbered(name) ? byNumber : orders[order]);
	}

	// ---- search -----------------------------------------------------------------------------

	const countMatches = (row, matches) =>
		sum(Array.from(row.events, (event) => matches[event]));

	// Notes the matches of a search in all rows; null: no search.
	function noteMatches(tracks, matches) {
		for (const track of tracks)
			for (const row of [...track.lanes, track.instants])
				if (row)
					row.matches = matches ? countMatches(row, matches) : null;
	}

	return {
		make, noteMatches, isNumbered, groups: Object.keys(groups), orders: Object.keys(orders),
	};
})();
