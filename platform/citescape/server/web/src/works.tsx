// Pages of works on the web, by their ids.
import type { ComponentChildren } from "preact";

const ADDRESSES: Record<string, string> = {
  doi: "https://doi.org/",
  pmid: "https://pubmed.ncbi.nlm.nih.gov/",
  pmcid: "https://pmc.ncbi.nlm.nih.gov/articles/",
};

export interface Link {
  href?: string;
  target?: string;
  rel?: string;
}

// Nothing for ids of other kinds than `doi:10.1/x`.
export function linkWork(id: string): Link {
  const [kind = "", ...rest] = id.split(":");
  const address = ADDRESSES[kind];
  if (!address) return {};
  const path = rest.join(":").split("/").map(encodeURIComponent).join("/");
  return { href: address + path, target: "_blank", rel: "noopener noreferrer" };
}

export const WorkLink = ({ id, children = id }: { id: string; children?: ComponentChildren }) => <a {...linkWork(id)}>{children}</a>;
