const FOR_CUSTOMERS = /^known /i;
/** Sentences for those who train and measure models: they name scripts and commands of the repository. */
const FOR_DEVELOPERS = /\.py\b|npm run|scripts\//;
const BLOCKS = /\n(?=- |\n)/;
const SENTENCES = /(?<=[.!?])\s+(?=\p{Lu})/u;

/** What customers want to know of a model beside its description: its known weaknesses. Empty when none are written down. */
export function customerCard(markdown: string): string {
  return markdown
    .split(/^## /m)
    .filter((section) => FOR_CUSTOMERS.test(section))
    .map((section) => `## ${section.trim().split(BLOCKS).flatMap(withoutScripts).join('\n')}`)
    .join('\n\n');
}

/** The block without such sentences; nothing when no other is in it. */
function withoutScripts(block: string): string[] {
  const kept = block.split(SENTENCES).filter((sentence) => !FOR_DEVELOPERS.test(sentence));
  return kept.length === 0 ? [] : [kept.join(' ')];
}
