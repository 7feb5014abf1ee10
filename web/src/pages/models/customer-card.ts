const FOR_CUSTOMERS = /^known /i;
/** Sentences for developers who train and measure models, which mention scripts and commands of the repository. */
const FOR_DEVELOPERS = /\.py\b|npm run|scripts\//;
const BLOCKS = /\n(?=- |\n)/;
const SENTENCES = /(?<=[.!?])\s+(?=\p{Lu})/u;

/**
 * The part of a model's documentation that matters to customers: its known weaknesses. Empty when none are documented.
 */
export function customerCard(markdown: string): string {
  return markdown
    .split(/^## /m)
    .filter((section) => FOR_CUSTOMERS.test(section))
    .map((section) => `## ${section.trim().split(BLOCKS).flatMap(withoutScripts).join('\n')}`)
    .join('\n\n');
}

/** The block without developer sentences; empty when no others remain. */
function withoutScripts(block: string): string[] {
  const kept = block.split(SENTENCES).filter((sentence) => !FOR_DEVELOPERS.test(sentence));
  return kept.length === 0 ? [] : [kept.join(' ')];
}
