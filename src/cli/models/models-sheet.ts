import { mkdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import type { ModelVersion } from '../../models/repository/model-version.js';
import type { Enhancer } from '../../inference/enhancer.js';
import { AppError } from '../../kernel/app-error.js';
import { LEVELS } from '../../kernel/operations.js';
import type { RawImage } from '../../kernel/pixels.js';
import { enhanced } from '../../models/check/enhanced.js';
import { UsageError } from '../command-line.mjs';
import type { ContactSheetRow } from '../contact-sheet/contact-sheet.js';
import { type ModelsAnswer, type ModelsCommand, type ModelsContext, ModelsError } from './models-command.js';
import { withEnhancer } from './open-enhancer.js';
import { asPng, contactSheets, readSubject } from './sheet/sheet-files.js';
import { HARD_CASES } from './sheet/hard-cases.js';

interface SheetOptions {
  readonly operation?: string;
  /** Path of the PNG, or of the folder with `cases`. */
  readonly out?: string;
  /** Use drawn pictures instead of a given picture. */
  readonly cases?: true;
}

/** A picture and its label on the sheet. */
interface Subject {
  readonly name: string;
  readonly image: RawImage;
}

/**
 * `models sheet <image>`: the result of every operation and level for one picture, before and after with a magnified
 * crop, as one PNG. With `--cases` instead of a picture: drawn hard cases, one PNG for each operation.
 */
export function sheetOfModels(path: string | undefined, options: SheetOptions): ModelsCommand {
  if (path === undefined && options.cases !== true) throw new UsageError("Missing required argument 'image'");
  return (context) => drawn(context, path, options);
}

async function drawn(
  context: ModelsContext,
  path: string | undefined,
  { operation: wanted, out: wantedOut, cases: isOfCases }: SheetOptions,
): Promise<ModelsAnswer> {
  const { config, progress } = context;
  const catalog = await loadCatalog(config.modelsDir);
  const versions = catalog
    .loaded()
    .filter(({ manifest }) => wanted === undefined || manifest.operation === wanted);
  if (versions.length === 0)
    throw new ModelsError(`No model serves ${wanted ?? 'any operation'} in ${config.modelsDir}.`);
  if (path === undefined || isOfCases === true) {
    const cases = Object.entries(HARD_CASES).map(([name, draw]) => ({ name, image: draw() }));
    const folder = resolve(wantedOut ?? 'sheets');
    await mkdir(folder, { recursive: true });
    const sheets: string[] = [];
    for (const version of versions) {
      const out = join(folder, `${version.manifest.operation}-${version.version}.png`);
      await sheetOf(context, [version], cases, out);
      sheets.push(out);
    }
    progress.end();
    return { json: { sheets }, text: sheets.map((sheet) => `Written: ${sheet}`).join('\n') };
  }
  const out = resolve(wantedOut ?? `${basename(path, extname(path))}-models.png`);
  const rows = await sheetOf(
    context,
    versions,
    [{ name: '', image: await readSubject(path, config.maxInputPixels) }],
    out,
  );
  progress.end();
  return {
    json: { sheet: out, rows: rows.map(({ title, subtitle: text }) => ({ title, text })) },
    text: `Written: ${out}`,
  };
}

async function sheetOf(
  { config, progress }: ModelsContext,
  versions: readonly ModelVersion[],
  subjects: readonly Subject[],
  out: string,
): Promise<readonly ContactSheetRow[]> {
  const routes = versions.flatMap((version) => LEVELS.map((level) => version.routes[level]));
  const rows: ContactSheetRow[] = [];
  progress.begin(routes.length * subjects.length, 'loading');
  await withEnhancer(config, versions, async (enhancer) => {
    for (const subject of subjects) {
      const before = await asPng(subject.image);
      for (const route of routes) {
        progress.to(rows.length, `${route.operation}, ${route.level} ${subject.name}`);
        rows.push({ before, ...(await rowOf(enhancer, route, subject, before)) });
      }
    }
  });
  progress.to(rows.length, 'writing the sheet');
  const { writeContactSheet } = await contactSheets();
  await writeContactSheet(out, rows);
  return rows;
}

async function rowOf(
  enhancer: Enhancer,
  route: ModelRoute,
  { name, image }: Subject,
  before: Buffer,
): Promise<Omit<ContactSheetRow, 'before'>> {
  const title = [name, route.operation, route.level].filter((part) => part !== '').join(', ');
  const startMs = performance.now();
  try {
    const result = await enhanced(enhancer, route, image);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(2);
    return { title, subtitle: subtitle(route, result, seconds), after: await asPng(result) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { title, subtitle: `refused: ${error.code}`, after: before };
  }
}

function subtitle({ model, scale }: ModelRoute, { width, height }: RawImage, seconds: string): string {
  return `${model.name} version ${model.version}, ×${scale}, ${width} × ${height}, ${seconds} s`;
}
