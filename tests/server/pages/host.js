// Stands in for a notebook: a model with the interface of anywidget's. `window.kernel` takes
// changed traits or a message and answers with the state and messages of the widget in Python.
import widget from "/widget.js";

const callbacks = new Map();
const call = (event, content) => [...(callbacks.get(event) ?? [])].forEach((callback) => callback(content));
const state = {};
let changed = {};

async function exchange(content) {
  const answer = await window.kernel(content);
  if (answer === null) return; // the kernel is gone
  for (const [name, value] of Object.entries(answer.state)) {
    if (JSON.stringify(value) !== JSON.stringify(state[name])) state[name] = value;
  }
  call("change");
  answer.messages.forEach((message) => call("msg:custom", message));
}

const model = {
  get: (name) => state[name],
  set(name, value) {
    state[name] = value;
    changed[name] = value;
    call("change");
  },
  save_changes() {
    const traits = changed;
    changed = {};
    exchange({ traits });
  },
  send: (message) => exchange({ message }),
  on: (event, callback) => callbacks.set(event, [...(callbacks.get(event) ?? []), callback]),
  off: (event, callback) =>
    callbacks.set(event, (callbacks.get(event) ?? []).filter((own) => own !== callback)),
};

window.pull = () => exchange({});
await window.pull();
window.remove = widget.render({ model, el: document.getElementById("output") });
window.listeners = () => [...callbacks.values()].flat().length;

window.describe = () => ({
  box: document.querySelector(".network svg").getAttribute("viewBox"),
  circle: [...document.querySelectorAll(".papers circle")].map(
    (one) => [one.cx.baseVal.value, one.cy.baseVal.value, one.r.baseVal.value],
  ),
  text: [...document.querySelectorAll(".labels text")].map((one) => one.textContent),
  path: [...document.querySelectorAll(".line")].map((one) => one.getAttribute("d")),
});
const list = (rules) => [...rules].flatMap((rule) => rule.selectorText ?? list(rule.cssRules));
window.selectors = () => list(document.styleSheets[0].cssRules);
