// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* panels.js: the panels below the timeline: counts, durations, largest keys, machine and ledger. */
"use strict";
const Panels = (() => {
	const byId = (id) => document.getElementById(id);
	const KEYS_MAX = 30;
	let shown = "events";

	function make(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);

		made.append(...children);
		return made;
	}

	const cell = (text, isNumber = true) =>
		make("td", { className: isNumber ? "number" : "", textContent: text });
	const heading = (names) => make("tr", {}, ...names.map((textContent, i) =>
		make("th", { textContent, className: i ? "number" : "" })));

	function colourMark(type) {
		const mark = make("i", {});

		mark.style.background = View.typeColour(type);
		return mark;
	}

	// ---- sums of a span ---------------------------------------------------------------------

	// Events and durations by type, of the events in a span that are not hidden.
	function sumTypes(span) {
		const { type, time, start, isSlice } = Data.events;
		const sums = Data.tables.types.map(() => ({ events: 0, slices: 0, ns: 0, most: 0 }));
		const [from, to] = View.eventsIn(span);

		for (let i = from; i < to; i++) {
			const sum = sums[type[i]];

			sum.events++;
			if (isSlice[i]) {
				const ns = time[i] - start[i];

				sum.slices++;
				sum.ns += ns;
				sum.most = Math.max(sum.most, ns);
			}
		}
		return sums;
	}

	function lossesIn({ from, to }) {
		return Data.tables.losses.filter(([ns]) => ns >= from && ns <= to);
	}

	// ---- events -----------------------------------------------------------------------------

	function typeRow(type, i, sum, seconds) {
		return make("tr", {},
			make("td", {}, colourMark(i), type.name), cell(View.number(sum.events)),
			cell(View.number(type.events)), cell(seconds ? View.number(sum.events / seconds) : ""),
			cell(sum.slices ? View.duration(sum.ns) : ""),
			cell(sum.slices ? View.duration(sum.ns / sum.slices) : ""),
			cell(sum.slices ? View.duration(sum.most) : ""));
	}

	function lossTable(losses) {
		const byReason = new Map();

		for (const [, , events, reason] of losses)
			byReason.set(reason, (byReason.get(reason) ?? 0) + events);
		return make("div", {}, make("h2", { textContent: "Losses in this span" }),
			make("table", { className: "table" }, heading(["reported by", "events"]),
				...Array.from(byReason, ([reason, events]) =>
					make("tr", {}, cell(reason, false), cell(View.number(events))))));
	}

	function showEvents() {
		const span = View.described(), sums = sumTypes(span);
		const seconds = (span.to - span.from) / 1e9, losses = lossesIn(span);
		const rows = Data.tables.types.map((type, i) => typeRow(type, i, sums[i], seconds));
		const all = sums.reduce((sum, it) => sum + it.events, 0);
		const table = make("table", { className: "table", id: "counts" },
			heading(["type", "in this span", "in all", "per second", "time", "mean", "longest"]),
			...rows, make("tr", {}, cell("all types", false), cell(View.number(all)),
				cell(View.number(Data.events.count)), cell(seconds ? View.number(all / seconds) : ""),
				cell(""), cell(""), cell("")));
		const box = make("div", { className: "columns" }, table);

		if (losses.length)
			box.append(lossTable(losses));
		byId("panel-events").replaceChildren(box);
	}

	// ---- durations --------------------------------------------------------------------------

	const bucketOf = (ns) => ns < 1 ? 0 : Math.floor(Math.log2(ns)) + 1;
	const leastOf = (bucket) => bucket ? 2 ** (bucket - 1) : 0;

	function durationsOf(typeNumber) {
		const { type, time, start, isSlice } = Data.events;
		const [from, to] = View.eventsIn(View.described());
		const found = [];

		for (let i = from; i < to; i++)
			if (type[i] === typeNumber && isSlice[i])
				found.push(time[i] - start[i]);
		return Float64Array.from(found).sort();
	}

	const rank = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

	function drawHistogram(canvas, durations, colour) {
		const ratio = devicePixelRatio || 1, box = canvas.getBoundingClientRect();
		const context = canvas.getContext("2d");
		const counts = [];

		canvas.width = box.width * ratio;
		canvas.height = box.height * ratio;
		context.scale(ratio, ratio);
		for (const ns of durations)
			counts[bucketOf(ns)] = (counts[bucketOf(ns)] ?? 0) + 1;
		const first = bucketOf(durations[0]), last = bucketOf(durations.at(-1));
		const most = counts.reduce((a, b) => Math.max(a, b), 0);
		const step = Math.min(box.width / (last - first + 1), 56), tall = box.height - 34;
		const everyLabel = Math.ceil(54 / step);
		context.font = "11px system-ui, sans-serif";
		for (let bucket = first; bucket <= last; bucket++) {
			const count = counts[bucket] ?? 0, x = (bucket - first) * step;
			const bar = count ? Math.max(1, count / most * tall) : 0;

			context.fillStyle = colour;
			context.fillRect(x, 16 + tall - bar, Math.max(step - 2, 1), bar);
			context.fillStyle = View.colours.faint;
			if (step > 34 && count)
				context.fillText(View.number(count), x, 12 + tall - bar);
			const label = View.duration(leastOf(bucket));
			if ((bucket - first) % everyLabel === 0 &&
				x + context.measureText(label).width <= box.width)
				context.fillText(label, x, box.height - 4);
		}
		context.fillStyle = View.colours.line;
		context.fillRect(0, 16 + tall, box.width, 1);
	}

	function durationCard(type, i) {
		const durations = durationsOf(i);

		if (!durations.length)
			return null;
		const sum = durations.reduce((a, b) => a + b, 0);
		const facts = [["events", View.number(durations.length)], ["sum", View.duration(sum)],
			["mean", View.duration(sum / durations.length)], ["median", View.duration(rank(durations, 0.5))],
			["99 %", View.duration(rank(durations, 0.99))], ["longest", View.duration(durations.at(-1))]];
		const canvas = make("canvas", {});
		const field = type.fields[type.duration];

		return {
			canvas, durations, colour: View.typeColour(i),
			card: make("div", { className: "card" },
				make("h2", {}, colourMark(i), type.name, make("span", { className: "faint", textContent: field.name })),
				make("dl", {}, ...facts.map(([name, value]) => make("div", {},
					make("dt", { textContent: name }), make("dd", { textContent: value })))),
				canvas),
		};
	}

	function showDurations() {
		const cards = Data.tables.types.map((type, i) =>
			type.duration >= 0 && !View.state.hidden.has(i) ? durationCard(type, i) : null)
			.filter((it) => it);

		byId("panel-durations").replaceChildren(cards.length
			? make("div", { className: "cards" }, ...cards.map(({ card }) => card))
			: make("p", { className: "faint", textContent: "no event in this span has a duration" }));
		for (const { canvas, durations, colour } of cards)
			drawHistogram(canvas, durations, colour);
	}

	// ---- the largest keys -------------------------------------------------------------------

	const key = { choice: "comm", order: "events" };
	let keyTexts = null, keyRun = 0; // per event: the key; of fields, read when they are chosen

	const taskKeys = {
		comm: (event) => View.taskName(Data.tables.tasks[Data.events.task[event]]),
		pid: (event) => {
			const task = Data.tables.tasks[Data.events.task[event]];

			return `${task[0] ?? "–"}  ${View.taskName(task)}`;
		},
		tid: (event) => {
			const task = Data.tables.tasks[Data.events.task[event]];

			return `${task[1] ?? "–"}  ${View.taskName(task)}`;
		},
		cpu: (event) => `CPU ${Data.events.cpu[event]}`,
	};

	async function readKeys() {
		const [type, field] = key.choice.split(":").map(Number);
		const byRow = Data.eventsByRow(type), texts = new Map();

		await Data.eachValue(type, field, (row, value) => {
			if (value !== null)
				texts.set(byRow[row], View.value(Data.tables.types[type].fields[field], value));
		});
		return (event) => texts.get(event);
	}

	function sumKeys(textOf) {
		const { type, time, start, isSlice } = Data.events, sums = new Map();
		const [from, to] = View.eventsIn(View.described());
		const only = key.choice.includes(":") ? parseInt(key.choice, 10) : -1;

		for (let i = from; i < to; i++) {
			if (View.state.hidden.has(type[i]) || (only >= 0 && type[i] !== only))
				continue;
			const text = textOf(i) ?? "–";
			let sum = sums.get(text);
			if (!sum)
				sums.set(text, sum = { text, events: 0, ns: 0 });
			sum.events++;
			sum.ns += isSlice[i] ? time[i] - start[i] : 0;
		}
		return Array.from(sums.values()).sort((a, b) => b[key.order] - a[key.order] ||
			(a.text < b.text ? -1 : 1));
	}

	function keyRow(sum, all, most) {
		const share = make("span", { className: "share" });

		share.style.width = `${160 * sum[key.order] / most}px`;
		return make("tr", {}, cell(sum.text, false), cell(View.number(sum.events)),
			cell(sum.ns ? View.duration(sum.ns) : ""),
			cell(View.percent(sum[key.order], all)), make("td", {}, share));
	}

	function keyChooser() {
		const select = make("select", { id: "key" });
		const option = (value, textContent) =>
			make("option", { value, textContent, selected: value === key.choice });

		select.append(option("comm", "task name"), option("pid", "process"),
			option("tid", "thread"), option("cpu", "CPU"));
		Data.tables.types.forEach((type, i) => type.fields.length && select.append(
			make("optgroup", { label: type.name }, ...type.fields.map((field, j) =>
				option(`${i}:${j}`, field.name)))));
		select.addEventListener("change", () => {
			key.choice = select.value;
			keyTexts = null;
			showKeys();
		});
		return make("label", {}, "Key", select);
	}

	function orderChooser() {
		const select = make("select", {},
			...[["events", "number of events"], ["ns", "sum of durations"]].map(([value, textContent]) =>
				make("option", { value, textContent, selected: value === key.order })));

		select.addEventListener("change", () => { key.order = select.value; showKeys(); });
		return make("label", {}, "by", select);
	}

	async function showKeys() {
		const mine = ++keyRun;

		keyTexts ??= taskKeys[key.choice] ?? await readKeys();
		if (mine !== keyRun)
			return;
		const sums = sumKeys(keyTexts), all = sums.reduce((sum, it) => sum + it[key.order], 0);
		const most = Math.max(sums[0]?.[key.order] ?? 1, 1), rest = sums.length - KEYS_MAX;
		const table = make("table", { className: "table", id: "largest" },
			heading(["key", "events", "time", "share", ""]),
			...sums.slice(0, KEYS_MAX).map((sum) => keyRow(sum, all, most)));
		const bar = make("div", { className: "bar" }, keyChooser(), orderChooser(),
			make("span", { textContent: rest > 0 ? `${View.number(rest)} more keys` : "" }));

		bar.style.padding = "0 0 10px";
		bar.style.position = "static";
		byId("panel-keys").replaceChildren(bar, table);
	}

	// ---- machine and ledger -----------------------------------------------------------------

	const textOf = (it) => typeof it === "number" ? View.number(it)
		: typeof it === "object" ? JSON.stringify(it) : String(it);

	const plainName = (name) => name.replaceAll("_", " ");

	const titleOf = (name) => name[0].toUpperCase() + plainName(name).slice(1);

	function pairs(title, rows) {
		return make("div", {}, make("h2", { textContent: title }), make("table", { className: "table" },
			...rows.map(([name, value]) => make("tr", {}, make("th", { textContent: plainName(name) }),
				cell(textOf(value), typeof value === "number")))));
	}

	// The features of a header that people ask for first.
	const FACTS = [["HOSTNAME", "host"], ["OSRELEASE", "kernel"], ["ARCH", "architecture"],
		["NRCPUS", "CPUs"], ["CPUDESC", "CPU"], ["TOTAL_MEM", "memory"], ["CMDLINE", "command"],
		["VERSION", "recorded by"]];

	function featureText(feature) {
		const rest = Object.entries(feature).filter(([name]) => name !== "feature" && name !== "id");

		if (feature.feature === "TOTAL_MEM" && typeof rest[0]?.[1] === "number")
			return View.bytes(1024 * rest[0][1]);
		if (Array.isArray(rest[0]?.[1]))
			return rest[0][1].join(" ");
		return rest.length === 1 ? textOf(rest[0][1])
			: rest.map(([name, value]) => `${name} ${textOf(value)}`).join(", ");
	}

	function machineRows() {
		return FACTS.map(([name, text]) =>
			[text, Data.tables.header?.find((it) => it.feature === name)])
			.filter(([, it]) => it)
			.map(([text, it]) => [text, featureText(it)]);
	}

	// Objects within are tables of their own.
	function statTables(stats) {
		const single = Object.entries(stats).filter(([, it]) => typeof it !== "object");
		const objects = Object.entries(stats).filter(([, it]) => it && typeof it === "object");

		return [pairs("Counts of the recording", single),
			...objects.map(([name, it]) => pairs(titleOf(name), Object.entries(it)))];
	}

	function showMachine() {
		const { stats, header } = Data.tables;
		const none = make("p", { className: "faint", textContent:
			"the page was made from standard input, whose header and counts it does not have" });
		const tables = [];

		if (header)
			tables.push(pairs("Machine", machineRows()));
		if (stats?.ledger)
			tables.push(pairs("Ledger", Object.entries(stats.ledger)));
		if (stats) {
			const { ledger, ...rest } = stats;

			tables.push(...statTables(rest));
		}
		byId("panel-machine").replaceChildren(
			make("div", { className: "columns" }, ...(tables.length ? tables : [none])));
	}

	// ---- all of them ------------------------------------------------------------------------

	const show = {
		events: showEvents, flames: () => Flames.refresh(), durations: showDurations, keys: showKeys,
		machine: showMachine,
	};

	function showSpan() {
		const span = View.described(), [from, to] = View.eventsIn(span);

		byId("span").textContent = `${View.state.selection ? "selected" : "in view"}: ` +
			`${View.number(to - from)} events in ${View.duration(span.to - span.from)}`;
	}

	let timer = 0;

	// After the view has come to rest.
	function refreshSoon() {
		clearTimeout(timer);
		timer = setTimeout(refresh, 120);
		showSpan();
	}

	function refresh() {
		clearTimeout(timer);
		showSpan();
		show[shown]();
	}

	function open(name) {
		shown = name;
		for (const tab of byId("tabs").querySelectorAll("button"))
			tab.setAttribute("aria-selected", String(tab.dataset.panel === name));
		for (const panel of document.querySelectorAll(".panel"))
			panel.classList.toggle("shown", panel.id === `panel-${name}`);
		Tooltip.close();
		refresh();
	}

	function begin(hasStacks) {
		for (const tab of byId("tabs").querySelectorAll("button"))
			tab.addEventListener("click", () => open(tab.dataset.panel));
		View.on("span", () => View.state.selection || refreshSoon());
		View.on("selection", refreshSoon);
		View.on("group", refreshSoon);
		View.on("colours", refresh);
		open(hasStacks ? "flames" : "events");
	}

	return { begin, open, refresh, sumTypes, get shown() { return shown; } };
})();
