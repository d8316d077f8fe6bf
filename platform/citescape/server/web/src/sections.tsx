// Types of sections, and mentions in them as a bar.

export const SECTIONS = {
  I: "introduction",
  M: "methods",
  R: "results",
  D: "discussion",
  other: "other sections",
};

export type SectionName = keyof typeof SECTIONS;

export const sectionNames = Object.keys(SECTIONS) as SectionName[];

interface Props {
  // what is counted
  label: string;
  count: (section: SectionName) => number | null;
}

// Nothing without mentions.
export function SectionBar({ label, count }: Props) {
  const parts = sectionNames.map((name) => ({ name, count: count(name) ?? 0 })).filter((part) => part.count > 0);
  const sum = parts.reduce((total, part) => total + part.count, 0);
  if (!sum) return null;
  const text = `${label}: ${parts.map((part) => `${SECTIONS[part.name]} ${part.count}`).join(", ")}`;
  let end = 0;
  return (
    <svg class="sections" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={text}>
      <title>{text}</title>
      {parts.map((part) => {
        const width = (100 * part.count) / sum;
        end += width;
        return <rect key={part.name} class={`section-${part.name}`} x={end - width} width={width} height="6" />;
      })}
    </svg>
  );
}
