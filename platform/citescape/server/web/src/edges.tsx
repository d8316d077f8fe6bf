// The citations as a table, which shows and selects what the picture does.
import type { Paper } from "./api";
import { Badge } from "./badges";
import { download, formatScore, isAdding, shortName, toCsv } from "./format";
import { useSource } from "./source";
import type { Edge } from "./state";

interface EdgesProps {
  edges: Edge[];
  papers: Map<string, Paper>;
  selected: string;
  // further citations that are highlighted
  marked?: ReadonlySet<string>;
  onSelect: (key: string, add: boolean) => void;
}

export function Edges({ edges, papers, selected, marked, onSelect }: EdgesProps) {
  const { link } = useSource();
  const name = (id: string) => {
    const paper = papers.get(id);
    return paper ? shortName(paper) : id;
  };
  const save = () => {
    const header = ["citing", "cited", "importance", "self", "mentions", "f_I", "f_M", "f_R", "f_D", "f_other", "notice", "timing"];
    const rows = edges.map(({ citation, score }) => [
      citation.citing, citation.cited, score, citation.self, citation.mentions,
      citation.f_I, citation.f_M, citation.f_R, citation.f_D, citation.f_other,
      papers.get(citation.cited)?.notice ?? null, citation.timing ?? null,
    ]);
    download("citations.csv", new Blob([toCsv(header, rows)], { type: "text/csv" }));
  };
  return (
    <section aria-label="Citations">
      <h2>Citations <button onClick={save}>CSV</button></h2>
      <table class="edges">
        <thead>
          <tr>
            <th>importance</th><th>citing</th><th>cited</th><th>title of the cited work</th>
            <th title="introduction, methods, results, discussion, other">I·M·R·D·other</th><th>self</th>
          </tr>
        </thead>
        <tbody>
          {edges.map(({ key, citation, score }) => (
            <tr
              key={key} tabIndex={0} aria-selected={key === selected || Boolean(marked?.has(key))}
              onClick={(event) => onSelect(key, isAdding(event))}
              onKeyDown={(event) => event.key === "Enter" && onSelect(key, isAdding(event))}
            >
              <td>{formatScore(score)}</td>
              <td>{name(citation.citing)}</td>
              <td><a {...link(citation.cited)}>{name(citation.cited)}</a></td>
              <td>
                {papers.get(citation.cited)?.title} <Badge work={papers.get(citation.cited)} timing={citation.timing} />
              </td>
              <td>{[citation.f_I, citation.f_M, citation.f_R, citation.f_D, citation.f_other].map((n) => n ?? "-").join("·")}</td>
              <td>{citation.self ? "yes" : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
