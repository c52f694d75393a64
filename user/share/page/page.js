// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page.js: starts the page: the heading, controls and keys. */
"use strict";
const Page = (() => {
	const byId = (id) => document.getElementById(id);
	const { state } = View;

	function make(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);

		made.append(...children);
		return made;
	}

	// ---- the heading ------------------------------------------------------------------------

	function featureOf(name) {
		const found = Data.tables.header?.find((it) => it.feature === name);
		const rest = found && Object.entries(found).find(([member]) => member !== "feature" &&
			member !== "id");

		return rest ? String(rest[1]) : null;
	}

	function lostEvents() {
		const { stats, losses } = Data.tables;
		const seen = losses.reduce((sum, [, , events]) => sum + events, 0);

		return stats ? Math.max(stats.lost ?? 0, stats.lost_samples ?? 0) : seen;
	}

	function showHeading() {
		const { title } = Data.tables, lost = lostEvents(), cpus = featureOf("NRCPUS");
		const facts = [
			`${View.number(Data.events.count)} events in ${View.duration(state.last - state.first)}`,
			View.timeOfDay(0)?.replace(/\.\d+/, ""), featureOf("HOSTNAME"), featureOf("OSRELEASE"),
			cpus && `${cpus} CPUs`,
		].filter((it) => it);

		byId("title").textContent = title ?? "peat";
		byId("facts").append(...facts.map((textContent) => make("span", { textContent })),
			make("span", { className: lost ? "lost" : "",
				textContent: lost ? `${View.number(lost)} lost` : "none lost" }));
	}

	// ---- controls ---------------------------------------------------------------------------

	function typeButton(type, i) {
		const mark = make("i", {}), button = make("button", {
			title: `${View.number(type.events)} events; click: hide or show; double click: this type alone`,
		}, mark, type.name);

		mark.style.background = View.typeColour(i);
		button.setAttribute("aria-pressed", "true");
		button.addEventListener("click", () => toggleType(i));
		button.addEventListener("dblclick", () => showOnly(i));
		return button;
	}

	function markTypes() {
		Array.from(byId("types").children).forEach((button, i) => {
			button.setAttribute("aria-pressed", String(!state.hidden.has(i)));
			button.firstChild.style.background = View.typeColour(i);
		});
	}

	function toggleType(i) {
		if (!state.hidden.delete(i))
			state.hidden.add(i);
		markTypes();
		View.tell("group");
	}

	function showOnly(only) {
		state.hidden = new Set(Data.tables.types.map((_, i) => i).filter((i) => i !== only));
		markTypes();
		View.tell("group");
	}

	function arrange() {
		state.group = byId("group").value;
		state.order = byId("order").value;
		byId("order").disabled = Tracks.isNumbered(state.group);
		View.tell("group");
	}

	async function search() {
		const found = byId("found"), text = byId("search").value;

		found.classList.remove("bad");
		try {
			found.textContent = text ? "searching…" : "";
			await View.search(text);
			if (text === byId("search").value)
				found.textContent = text ? `${View.number(state.matchCount)} match` : "";
		} catch (error) {
			found.classList.add("bad");
			found.textContent = "not a regular expression";
		}
		keepPlace();
	}

	function dragDivider(event) {
		const main = document.querySelector("main"), divider = byId("divider");
		const move = (at) => {
			const box = main.getBoundingClientRect();
			const part = (at.clientY - box.y) / box.height;

			byId("timeline").style.height = `${100 * Math.min(Math.max(part, 0.15), 0.85)}%`;
		};

		divider.setPointerCapture(event.pointerId);
		divider.addEventListener("pointermove", move);
		divider.addEventListener("pointerup", () => {
			divider.removeEventListener("pointermove", move);
			Panels.refresh();
		}, { once: true });
	}

	// ---- the fragment of the address --------------------------------------------------------

	// The view as #from=..&to=..: a link to it, and the way back after a reload.
	function keepPlace() {
		const place = new URLSearchParams();

		if (state.from > state.first || state.to < state.last) {
			place.set("from", Math.round(state.from));
			place.set("to", Math.round(state.to));
		}
		if (state.selection)
			place.set("selected", `${Math.round(state.selection.from)}-${Math.round(state.selection.to)}`);
		if (state.group !== "process")
			place.set("tracks", state.group);
		if (state.order !== "count")
			place.set("order", state.order);
		if (byId("search").value)
			place.set("search", byId("search").value);
		const text = place.toString();
		history.replaceState(null, "", text ? `#${text}` : location.pathname);
	}

	let placeTimer = 0;

	function keepPlaceSoon() {
		clearTimeout(placeTimer);
		placeTimer = setTimeout(keepPlace, 300);
	}

	function readPlace() {
		const place = new URLSearchParams(location.hash.slice(1));
		const from = Number(place.get("from")), to = Number(place.get("to"));
		const selected = /^(-?\d+)-(-?\d+)$/.exec(place.get("selected") ?? "");

		if (Tracks.groups.includes(place.get("tracks")))
			state.group = byId("group").value = place.get("tracks");
		if (Tracks.orders.includes(place.get("order")))
			state.order = byId("order").value = place.get("order");
		byId("order").disabled = Tracks.isNumbered(state.group);
		if (place.get("search"))
			byId("search").value = place.get("search");
		return () => {
			if (to > from)
				View.setSpan(from, to);
			if (selected)
				View.select(Number(selected[1]), Number(selected[2]));
			if (byId("search").value)
				search();
		};
	}

	// ---- keys -------------------------------------------------------------------------------

	function escape() {
		if (Tooltip.close())
			return;
		if (state.selection)
			View.select(0, 0);
		else if (byId("search").value) {
			byId("search").value = "";
			search();
		}
	}

	const inText = (event) => event.target.matches("input, select");

	function onKey(event) {
		const tab = byId("tabs").querySelectorAll("button")[Number(event.key) - 1];

		if (byId("help").open)
			return;
		if ((event.ctrlKey || event.metaKey) && event.key === "f" || event.key === "/" && !inText(event)) {
			event.preventDefault();
			byId("search").select();
		} else if (event.key === "Enter" && event.target === byId("search")) {
			Timeline.goToMatch(event.shiftKey ? -1 : 1);
		} else if (event.key === "Escape" && event.target === byId("search")) {
			byId("search").value = "";
			search();
			byId("timeline").focus();
		} else if (inText(event) || event.ctrlKey || event.metaKey || event.altKey) {
			return;
		} else if (Flames.press(event)) {
			event.preventDefault();
		} else if (event.key === "Escape") {
			escape();
		} else if (event.key === "?") {
			byId("help").showModal();
		} else if (tab) {
			Panels.open(tab.dataset.panel);
		} else if (event.target.closest("button, .panel") === null && Timeline.press(event)) {
			event.preventDefault();
		}
	}

	// ---- starting ---------------------------------------------------------------------------

	function measure() {
		const { start, time, count } = Data.events;
		let first = count ? Infinity : 0;

		for (let i = 0; i < count; i++)
			first = Math.min(first, start[i]);
		state.first = state.from = first;
		state.last = state.to = Math.max(count ? time[count - 1] : 0, first + 1000);
	}

	function listen() {
		byId("group").addEventListener("change", arrange);
		byId("order").addEventListener("change", arrange);
		byId("search").addEventListener("input", search);
		byId("all").addEventListener("click", () => View.setSpan(state.first, state.last));
		byId("help-button").addEventListener("click", () => byId("help").showModal());
		byId("divider").addEventListener("pointerdown", dragDivider);
		window.addEventListener("keydown", onKey);
		window.addEventListener("resize", () => Panels.refresh());
		View.on("colours", markTypes);
		for (const name of ["span", "selection", "group"])
			View.on(name, keepPlaceSoon);
	}

	async function begin() {
		await Data.load();
		View.readColours();
		measure();
		showHeading();
		byId("types").append(...Data.tables.types.map(typeButton));
		const goToPlace = readPlace();
		listen();
		Timeline.begin();
		Panels.begin(Flames.begin());
		goToPlace();
		byId("loading").hidden = true;
	}

	const ready = begin().catch((error) => {
		byId("loading").classList.add("failed");
		byId("loading").textContent = `cannot show the events: ${error.message}`;
		throw error;
	});

	return { ready, search };
})();
