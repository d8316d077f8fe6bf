// Identifiers to paste, and files to choose or drop.
import { useRef, useState } from "preact/hooks";
import { describe, type Texts } from "./references";

const ACCEPTED = ".bib,.ris,.tex,.ltx,.csv,.tsv,.txt";
const BINARY: [string, string][] = [
  ["%PDF", "a PDF file"],
  ["PK\u0003\u0004", "a compressed file, such as one of a word processor"],
  ["\u00d0\u00cf\u0011\u00e0", "a file of a word processor"],
];

export interface Action {
  label: string;
  run: (texts: Texts) => void;
}

interface Props {
  actions: Action[];
  text?: string;
  busy?: boolean;
}

export function ReferenceBox({ actions, text: given = "", busy = false }: Props) {
  const [text, setText] = useState(given);
  const [files, setFiles] = useState<Texts>({});
  const [over, setOver] = useState(false);
  const [message, setMessage] = useState("");
  const chooser = useRef<HTMLInputElement>(null);

  const add = async (list: FileList | null | undefined) => {
    setMessage("");
    const read: Texts = {};
    for (const file of [...(list ?? [])]) { // a copy: the list is emptied meanwhile
      try {
        read[file.name] = await readText(file);
      } catch (error) {
        setMessage(describe(error));
      }
    }
    if (text === given) setText(""); // of the list before
    setFiles((now) => ({ ...now, ...read }));
  };
  const start = (action: Action) => {
    const texts = { ...files, ...(text.trim() ? { "": text } : {}) };
    if (Object.keys(texts).length === 0) {
      setMessage("Paste DOIs or other identifiers, or choose a file.");
      return;
    }
    setMessage("");
    try {
      action.run(texts);
    } catch (error) {
      setMessage(describe(error));
    }
  };
  return (
    <form
      class={over ? "references over" : "references"} aria-label="References"
      onSubmit={(event) => event.preventDefault()}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer?.files);
      }}
    >
      <label>
        DOIs, PMIDs, ids or titles, in any order
        <textarea
          name="ids" rows={4} value={text} placeholder={"10.1534/g3.118.200605\nPMID: 29867128"}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p class="note">
        Or drop a file here: .bib, .ris, .tex, .csv, .txt; a manuscript together with its .bib file.{" "}
        <button type="button" onClick={() => chooser.current?.click()}>Choose files</button>
        <input
          ref={chooser} class="hidden" type="file" multiple accept={ACCEPTED} tabIndex={-1} aria-label="Files with references"
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </p>
      {Object.keys(files).length > 0 && (
        <ul class="files">
          {Object.entries(files).map(([name, content]) => (
            <li key={name}>
              {name} <small>{content.length.toLocaleString("en")} characters</small>{" "}
              <button
                type="button" aria-label={`Remove ${name}`}
                onClick={() => setFiles(Object.fromEntries(Object.entries(files).filter(([own]) => own !== name)))}
              >×</button>
            </li>
          ))}
        </ul>
      )}
      <p>
        {actions.map((action) => (
          <button key={action.label} type="button" class="act" disabled={busy} onClick={() => start(action)}>{action.label}</button>
        ))}
      </p>
      {message && <p class="error" role="alert">{message}</p>}
    </form>
  );
}

// UTF-8; what is not, is read as Windows-1252, which older reference managers write.
async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  const start = String.fromCharCode(...new Uint8Array(bytes.slice(0, 4)));
  const binary = BINARY.find(([sign]) => start.startsWith(sign));
  if (binary) throw new Error(`${file.name} is ${binary[1]}; expected text, such as .bib, .ris or .tex.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
