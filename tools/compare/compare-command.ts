import { resolve } from 'node:path';
import { listOption, numberOption, UsageError } from '#src/cli/command-line.mjs';
import { textTable } from '#src/cli/text-table.js';
import { type ModelsAnswer, type ModelsContext, ModelsError } from '#src/cli/models/models-command.js';
import type { CommandExtension } from '#src/cli/models/models-program.js';
import { withEnhancer } from '#src/cli/models/open-enhancer.js';
import { contactSheets, readSubject } from '#src/cli/models/sheet/sheet-files.js';
import { type Level, LEVELS } from '#src/kernel/operations.js';
import { openVersion, type VersionName, versionName, versionText } from '#src/cli/models/version-name.js';
import { dataFolder } from '../eval/eval-command.js';
import { compareScores, type ScorePair } from './compare-scores.js';
import { type LevelMeasures, PictureComparison, type Unmeasured } from './compare-pictures.js';
import { spreadPictures } from './pictures.js';

interface CompareOptions {
  readonly data: string;
  readonly out?: string;
  readonly level?: readonly Level[];
  readonly limit: number;
}

const DEFAULT_LIMIT = 12;
/** In place of a difference. */
const REASONS: Readonly<Record<Unmeasured, string>> = { size: 'other size', refused: 'refused' };

/**
 * Adds `models compare`: runs two versions on the same pictures, and shows the results as a sheet and a table of
 * measures.
 */
export const addCompareCommand: CommandExtension = (program, choose) => {
  program
    .command('compare')
    .description('compare two versions of an operation on pictures: a sheet and a table of measures')
    .argument('<a>', 'a version, such as upscale@1')
    .argument('<b>', 'another version of the same operation')
    .requiredOption(
      '--data <dir>',
      'pictures, in any folders; scores are added where its layout is that of eval',
    )
    .option('--out <path>', 'the PNG to write')
    .option('--level <list>', 'levels, separated by commas', listOption('--level', LEVELS))
    .option(
      '--limit <n>',
      'the most pictures on the sheet, and of each set of eval',
      numberOption('--limit', { from: 1, to: 1000, whole: true }),
      DEFAULT_LIMIT,
    )
    .action((a: string, b: string, options: CompareOptions) => {
      const names = [versionName(a), versionName(b)] as const;
      if (names[0].operation !== names[1].operation)
        throw new UsageError(`${a} and ${b} are versions of different operations.`);
      choose((context) => compared(context, names, options));
    });
};

async function compared(
  context: ModelsContext,
  names: readonly [VersionName, VersionName],
  { data: path, out: wanted, level: levels = LEVELS, limit }: CompareOptions,
): Promise<ModelsAnswer> {
  const { config, progress } = context;
  const data = await dataFolder(path);
  const versions = [
    await openVersion(config.modelsDir, names[0]),
    await openVersion(config.modelsDir, names[1]),
  ] as const;
  const pictures = await spreadPictures(data, limit);
  if (pictures.length === 0) throw new ModelsError(`There is no PNG, JPEG, WebP or AVIF in ${data}.`);
  const [a, b] = names;
  const out = resolve(wanted ?? `${a.operation}-${a.version}-${b.version}.png`);
  progress.begin(pictures.length * levels.length, 'loading');
  let done = 0;
  const found = await withEnhancer(config, versions, async (enhancer) => {
    const comparison = new PictureComparison(versions, enhancer);
    for (const { name, path: file } of pictures) {
      const source = await readSubject(file, config.maxInputPixels);
      for (const level of levels) {
        progress.to((done += 1), `${name}, ${level}`);
        await comparison.add(name, source, level);
      }
    }
    const onPicture = (text: string): void => progress.to(done, text);
    const scores = await compareScores(versions, {
      data,
      limit,
      enhancer,
      threads: config.inferenceThreads,
      onPicture,
    });
    return { rows: comparison.rows, measures: comparison.measures(), scores };
  });
  progress.to(done, 'writing the sheet');
  await (await contactSheets()).writeContactSheet(out, found.rows);
  progress.end();
  return {
    json: {
      a: versions[0].identity,
      b: versions[1].identity,
      measures: found.measures,
      scores: found.scores,
      sheet: out,
    },
    text: [
      asText(names, found.measures, found.scores),
      `Written: ${out} (left ${versionText(a)}, right ${versionText(b)})`,
    ].join('\n'),
  };
}

function asText(
  [a, b]: readonly [VersionName, VersionName],
  measures: readonly LevelMeasures[],
  scores: readonly ScorePair[],
): string {
  const [left, right] = [versionText(a), versionText(b)];
  const shown = (value: number | null, digits = 2): string => (value === null ? '–' : value.toFixed(digits));
  const reasoned = (value: number | null, reason: Unmeasured | null): string =>
    reason === null ? shown(value) : REASONS[reason];
  const pictures = measures.flatMap(
    ({ level, pictures: count, secondsPerMegapixel, refused, changed, apart, unmeasured }) => [
      [
        level,
        String(count),
        'seconds a megapixel',
        shown(secondsPerMegapixel.a),
        shown(secondsPerMegapixel.b),
        '',
      ],
      [level, String(count), 'refused', String(refused.a), String(refused.b), ''],
      [
        level,
        String(count),
        'change of the source, of 255',
        reasoned(changed.a, unmeasured.changed.a),
        reasoned(changed.b, unmeasured.changed.b),
        '',
      ],
      [level, String(count), 'apart, of 255', '', '', reasoned(apart, unmeasured.apart)],
    ],
  );
  const scored = scores.map(({ level, set, metric, count, a: one, b: other }) => [
    level,
    String(count),
    `${set} ${metric}`,
    shown(one, 3),
    shown(other, 3),
    one === null || other === null ? '' : shown(other - one, 3),
  ]);
  return textTable([['level', 'pictures', 'measure', left, right, 'difference'], ...pictures, ...scored]);
}
