import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { ROOT } from '../lib/paths.mjs';

const MAX_DEFAULT_LENGTH = 40;
const CHART = join(ROOT, 'docker', 'helm');

/** README of the chart: `readme-head.md`, and a table of `values.yaml` made from its `# --` comments. */
export function chartReadme() {
  const head = readFileSync(join(import.meta.dirname, 'readme-head.md'), 'utf8');
  const values = parseDocument(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
  const rows = valueRows(values.contents).map(
    ({ path, value, text }) => `| \`${path}\` | ${shown(value)} | ${text} |`,
  );
  return `${head}\n## Values\n\n| value | default | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

/**
 * The documented values of a map, depth first.
 * @param {import('yaml').YAMLMap} map
 * @param {string} [parent] path with a trailing dot
 * @returns {{ path: string, value: unknown, text: string }[]}
 */
export function valueRows(map, parent = '') {
  return map.items.flatMap((pair, index) => {
    const path = `${parent}${pair.key.value}`;
    const text = documentation(pair.key.commentBefore ?? (index === 0 ? map.commentBefore : undefined));
    if (text !== undefined) return [{ path, value: pair.value.toJSON(), text }];
    if (!isMap(pair.value))
      throw new Error(`docker/helm/values.yaml: "${path}" has no comment that begins with "# --".`);
    return valueRows(pair.value, `${path}.`);
  });
}

function shown(value) {
  const text = JSON.stringify(value);
  return text.length > MAX_DEFAULT_LENGTH ? 'see values.yaml' : `\`${text}\``;
}

function documentation(comment) {
  const match = /(?:^|\n) -- ([\s\S]*)$/.exec(comment ?? '');
  return match?.[1].replaceAll(/\n\s*/g, ' ').trim();
}
