// The citations as a table, which shows and selects what the picture does.
import { useMemo } from "preact/hooks";
import type { Paper } from "./api";
import { Badge } from "./badges";
import { formatScore, isAdding, shortName } from "./format";
import { sectionNames, SECTIONS } from "./sections";
import { useSource } from "./source";
import type { Edge } from "./state";
import { type Column, DataTable } from "./table";

const ROWS = 500;

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
  const columns = useMemo((): Column<Edge>[] => {
    const name = (id: string) => {
      const paper = papers.get(id);
      return paper ? shortName(paper) : id;
    };
    // The cited work; for citations of the papers in the middle, the citing paper.
    const other = ({ citing, cited }: Edge["citation"]) => papers.get(papers.get(cited)?.hops === 0 ? citing : cited);
    return [
      { name: "importance", label: "importance", isNumber: true, value: ({ score }) => score, show: ({ score }) => formatScore(score) },
      {
        name: "citing", label: "citing", value: ({ citation }) => citation.citing,
        show: ({ citation }) => <a {...link(citation.citing)}>{name(citation.citing)}</a>,
      },
      {
        name: "cited", label: "cited", value: ({ citation }) => citation.cited,
        show: ({ citation }) => <a {...link(citation.cited)}>{name(citation.cited)}</a>,
      },
      {
        name: "other_title", label: "title of the other paper", value: ({ citation }) => other(citation)?.title ?? null,
        show: ({ citation }) => (
          <>{other(citation)?.title} <Badge work={papers.get(citation.cited)} timing={citation.timing} /></>
        ),
      },
      {
        name: "mentions", label: sectionNames.join("·"), isNumber: true, help: `Mentions: ${Object.values(SECTIONS).join(", ")}`,
        value: ({ citation }) => citation.mentions,
        show: ({ citation }) => sectionNames.map((section) => citation[`f_${section}`] ?? "-").join("·"),
      },
      { name: "self", label: "self", isNumber: true, value: ({ citation }) => citation.self, show: ({ citation }) => (citation.self ? "yes" : "") },
      ...sectionNames.map((section): Column<Edge> => (
        { name: `f_${section}`, label: section, value: ({ citation }) => citation[`f_${section}`], isHidden: true }
      )),
      { name: "notice", label: "notice", value: ({ citation }) => papers.get(citation.cited)?.notice ?? null, isHidden: true },
      { name: "timing", label: "timing", value: ({ citation }) => citation.timing ?? null, isHidden: true },
    ];
  }, [papers, link]);
  const select = (key: string) => (event: MouseEvent | KeyboardEvent) => {
    if (!(event.target as Element).closest("a")) onSelect(key, isAdding(event));
  };
  return (
    <DataTable
      title="Citations" file="citations" className="edges" rows={edges} columns={columns} size={ROWS} keyOf={({ key }) => key}
      rowProps={({ key }) => ({
        tabIndex: 0,
        "aria-selected": key === selected || Boolean(marked?.has(key)),
        onClick: select(key),
        onKeyDown: (event) => event.key === "Enter" && select(key)(event),
      })}
    />
  );
}
