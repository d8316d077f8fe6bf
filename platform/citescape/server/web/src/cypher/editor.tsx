// The editor, in a shadow tree: its styles are adopted sheets there, which a strict
// Content-Security-Policy allows, in place of <style> elements, which it does not.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import type { ConsoleState } from "./console";
import { colours, cypher, suggest } from "./language";

export interface Place {
  line: number;
  column: number;
}

const markPlace = StateEffect.define<Place | null>();
const WRONG = Decoration.line({ class: "cm-wrong" });

const wrongLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    if (transaction.docChanged) marks = Decoration.none;
    for (const effect of transaction.effects) {
      if (!effect.is(markPlace)) continue;
      const place = effect.value;
      const isInside = place && place.line <= transaction.state.doc.lines;
      marks = isInside ? Decoration.set([WRONG.range(transaction.state.doc.line(place.line).from)]) : Decoration.none;
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: "14px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", maxHeight: "20rem", minHeight: "9rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--edge-0) !important" },
  ".cm-wrong": { textDecoration: "underline wavy var(--error) 1px", textUnderlineOffset: "4px" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.75" },
  ".cm-completionInfo": { maxWidth: "24rem", padding: ".3rem .6rem" },
});

// Typed text goes into the document directly. A browser that edits the coloured text itself would
// give the new text the style of the old one, which the Content-Security-Policy reports.
const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data } = event;
    if (event.inputType !== "insertText" || event.isComposing || data === null) return false;
    event.preventDefault();
    const { from, to } = view.state.selection.main;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

export interface Handle {
  read: () => string;
  replace: (text: string) => void;
  insert: (text: string) => void;
  mark: (place: Place | null) => void;
  goTo: (place: Place) => void;
}

interface Props {
  state: ConsoleState;
  first: string;
  onRun: () => void;
  onChange: (text: string) => void;
  onReady: (handle: Handle) => void;
}

export function Editor({ state, first, onRun, onChange, onReady }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const run = useRef(onRun);
  run.current = onRun;

  useEffect(() => {
    const own = host.current;
    if (!own) return;
    const root = own.shadowRoot ?? own.attachShadow({ mode: "open" });
    const runKey = { key: "Mod-Enter", run: () => (run.current(), true) };
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: first,
        extensions: [
          Prec.highest(keymap.of([runKey])),
          lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(),
          EditorView.lineWrapping, cypher, syntaxHighlighting(colours), theme, wrongLine, typing,
          autocompletion({ override: [suggest(state)] }),
          placeholder("MATCH (p:Paper)-[c:CITES]->(q:Paper) RETURN p, c, q LIMIT 25"),
          // Tab leaves the editor, as everywhere on the page.
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "Cypher query" }),
          EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
        ],
      }),
    });
    const offset = ({ line, column }: Place) => {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      return Math.min(at.from + Math.max(column - 1, 0), at.to);
    };
    onReady({
      read: () => view.state.doc.toString(),
      replace: (text) => {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
        view.focus();
      },
      insert: (text) => {
        view.dispatch(view.state.replaceSelection(text));
        view.focus();
      },
      mark: (place) => view.dispatch({ effects: markPlace.of(place) }),
      goTo: (place) => {
        view.dispatch({ selection: { anchor: offset(place) }, scrollIntoView: true });
        view.focus();
      },
    });
    return () => view.destroy();
  }, [state]);

  return <div class="editor" ref={host} />;
}
