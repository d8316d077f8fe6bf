// Description of a paper or topic: a line beside the pointer, a card when it is selected.

function element(name, text = "") {
  const node = document.createElement(name);
  if (text !== "") node.textContent = text;
  return node;
}

function link(text, follow) {
  const button = element("button", text);
  Object.assign(button, { className: "link", type: "button", dir: "auto", onclick: follow });
  return button;
}

function list(facts) {
  const definitions = element("dl");
  for (const [name, value] of facts) definitions.append(element("dt", name), element("dd", String(value)));
  return definitions;
}

function number(value) {
  const digits = Number.isInteger(value) || value >= 1000 ? 0 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function heading(text) {
  const node = element("h2", text);
  node.dir = "auto";
  return node;
}

function nameOf(data, row) {
  return data.titles[row] || data.ids[row];
}

function describePaper(data, row) {
  const { columns, topics, weight } = data;
  const topic = topics[columns.topic[row]];
  const parts = [columns.year[row] || "", topic?.label ?? ""];
  if (weight !== "none") parts.push(`${weight} ${number(columns.received[row])}`);
  if (weight !== "none") parts.push(`cited by ${number(columns.cited[row])}`);
  return [nameOf(data, row), parts.filter(Boolean).join(" \u00b7 ")];
}

function describeTopic(data, row) {
  const topic = data.topics[row];
  const parts = [`${number(topic.size)} papers`, topic.field ?? ""];
  if (topic.year !== null) parts.push(`mean year ${topic.year.toFixed(1)}`);
  return [topic.label, parts.filter(Boolean).join(" \u00b7 ")];
}

// Title and details of a paper or topic.
function describe(data, [kind, row]) {
  return kind === "papers" ? describePaper(data, row) : describeTopic(data, row);
}

function paperCard(page, row) {
  const { data } = page;
  const { columns, topics, ids, weight } = data;
  const facts = [["year", columns.year[row] || "unknown"]];
  if (weight !== "none") {
    facts.push([`${weight} received`, number(columns.received[row])]);
    facts.push(["cited by", number(columns.cited[row])], ["cites", number(columns.cites[row])]);
  }
  const parts = [heading(nameOf(data, row)), list(facts)];
  const topic = columns.topic[row];
  if (topics[topic]) {
    parts.push(element("h3", "Topic"), link(topics[topic].label, () => page.openTopic(topic)));
  }
  return [...parts, identity(ids[row])];
}

// The id and its link; the only address in the page is that of a DOI.
function identity(id) {
  const shown = element("p");
  shown.append(element("code", id));
  if (/^doi:10\./i.test(id)) {
    const doi = element("a", "open by DOI");
    doi.href = "https://doi.org/" + id.slice(4).split("/").map(encodeURIComponent).join("/");
    Object.assign(doi, { target: "_blank", rel: "noopener noreferrer" });
    shown.append(" ", doi);
  }
  return shown;
}

function topicCard(page, row) {
  const { data } = page;
  const topic = data.topics[row];
  const facts = [["papers", number(topic.size)]];
  if (topic.year !== null) facts.push(["mean year", topic.year.toFixed(1)]);
  if (topic.field) facts.push(["main field", topic.field]);
  if (topic.diversity !== null) facts.push(["DIV", topic.diversity.toFixed(4)]);
  if (topic.importance !== null) facts.push([`${data.weight} received`, number(topic.importance)]);
  facts.push(["name", topic.name]);
  const parts = [heading(topic.label), list(facts)];
  if (topic.terms.length) parts.push(element("h3", "Terms"), element("p", topic.terms.join(", ")));
  if (page.view === "topics") {
    parts.push(element("h3", "Papers"), link("show on the map of papers", () => page.openTopic(row)));
  }
  const best = bestPapers(data, row);
  if (!best.length) return parts;
  const papers = element("ol");
  for (const paper of best) {
    const item = element("li");
    item.append(link(nameOf(data, paper), () => page.select(["papers", paper], { fly: true })));
    papers.append(item);
  }
  return [...parts, element("h3", data.weight === "none" ? "Some papers" : `Most ${data.weight} received`), papers];
}

// The papers of a topic with the highest values: papers are in ascending order of the value.
function bestPapers(data, topic) {
  const papers = [];
  for (let k = data.ids.length - 1; k >= 0 && papers.length < 5; k--) {
    if (data.columns.topic[k] === topic) papers.push(k);
  }
  return papers;
}
