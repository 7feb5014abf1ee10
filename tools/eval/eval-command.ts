import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadCatalog } from '#src/models/repository/load-catalog.js';
import { numberOption } from '#src/cli/command-line.mjs';
import { textTable } from '#src/cli/text-table.js';
import { type ModelsAnswer, type ModelsContext, ModelsError } from '#src/cli/models/models-command.js';
import type { CommandExtension } from '#src/cli/models/models-program.js';
import { withEnhancer } from '#src/cli/models/open-enhancer.js';
import { type EvalRow, isMet, whyNothing } from './eval-row.js';
import { EVALUATIONS } from './evaluations.js';

interface EvalOptions {
  readonly data: string;
  readonly operation?: string;
  /** Maximum pictures of each data set. */
  readonly limit?: number;
}

/** Adds `models eval`: scores every operation and level on photos, and shows simple baselines and published results. */
export const addEvalCommand: CommandExtension = (program, choose) => {
  program
    .command('eval')
    .description('score the models on photos, with plain baselines and published numbers')
    .requiredOption('--data <dir>', 'photos in the layout of models/README.md')
    .option('--operation <name>', 'only this operation')
    .option('--limit <n>', 'the most pictures of each set', numberOption('--limit', { from: 1, whole: true }))
    .action((options: EvalOptions) => choose((context) => evaluated(context, options)));
};

async function evaluated(
  { config, progress }: ModelsContext,
  { data: path, operation: wanted, limit = Infinity }: EvalOptions,
): Promise<ModelsAnswer> {
  const data = await dataFolder(path);
  const catalog = await loadCatalog(config.modelsDir);
  const versions = catalog
    .operations()
    .flatMap(({ operation }) =>
      catalog
        .loaded()
        .filter(({ manifest }) => manifest.operation === operation)
        .slice(0, 1),
    )
    .filter(({ manifest }) => wanted === undefined || manifest.operation === wanted)
    .filter(({ manifest }) => Object.hasOwn(EVALUATIONS, manifest.operation));
  if (versions.length === 0)
    throw new ModelsError(`Nothing to measure: known are ${Object.keys(EVALUATIONS).join(', ')}.`);
  const rows: EvalRow[] = [];
  progress.begin(versions.length, 'loading');
  for (const [index, version] of versions.entries()) {
    let pictures = 0;
    const onPicture = (text: string): void => progress.to(index, `${text} ${(pictures += 1)}`);
    const found = await withEnhancer(config, [version], (enhancer) =>
      EVALUATIONS[version.manifest.operation]!({
        data,
        limit,
        version,
        enhancer,
        threads: config.inferenceThreads,
        onPicture,
      }),
    );
    rows.push(...found);
  }
  progress.end();
  const reason = whyNothing(rows, data);
  if (reason !== null) throw new ModelsError(reason);
  return { json: rows.map((row) => ({ ...row, met: isMet(row) })), text: asText(rows) };
}

/** @throws ModelsError */
export async function dataFolder(path: string): Promise<string> {
  const folder = resolve(path);
  await access(folder).catch(() => {
    throw new ModelsError(`The folder ${folder} cannot be read.`);
  });
  return folder;
}

function asText(rows: readonly EvalRow[]): string {
  const head = [
    'operation',
    'level',
    'set',
    'measure',
    'pictures',
    'ours',
    'baseline',
    '',
    'target',
    'met',
    'published',
  ];
  return textTable([head, ...rows.map((row) => cellsOf(row))]);
}

function cellsOf(row: EvalRow): readonly string[] {
  const { operation, level, set, metric, count, ours, baseline, published, target } = row;
  const digits = metric.includes('dB') ? 2 : 3;
  const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(digits));
  const met = isMet(row);
  return [
    operation,
    level,
    set,
    metric,
    String(count),
    ours === null ? '–' : shown(ours),
    baseline === null ? '–' : shown(baseline.value),
    baseline?.name ?? '',
    target === null ? '' : `${target.at === 'least' ? '≥' : '≤'} ${shown(target.value)}`,
    met === null ? '' : met ? 'yes' : 'no',
    published.map(({ name, value }) => `${name} ${value}`).join(', '),
  ];
}
