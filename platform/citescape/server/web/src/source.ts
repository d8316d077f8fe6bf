// Where components get their data, and where papers link to: the server of the explorer, or the
// kernel of a notebook.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { call, type Explanation, paperAddress } from "./api";
import type { Link } from "./works";

export interface Source {
  explain: (citing: string, cited: string, signal: AbortSignal) => Promise<Explanation>;
  link: (id: string) => Link;
}

const server: Source = {
  explain: (citing, cited, signal) => call("explain", { citing, cited }, signal),
  link: (id) => ({ href: paperAddress(id) }),
};

export const SourceContext = createContext(server);
export const useSource = (): Source => useContext(SourceContext);
