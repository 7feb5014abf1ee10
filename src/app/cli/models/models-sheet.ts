import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { loadCatalog } from '../../../catalog/load-catalog.js';
import type { ModelRoute } from '../../../catalog/model-route.js';
import { decodeImage } from '../../../infra/image/decode.js';
import { encodeImage } from '../../../infra/image/encode.js';
import { LEVELS } from '../../../kernel/operations.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { enhanced } from '../../model-check/enhanced.js';
import { UsageError } from '../arguments.js';
import { type ContactSheetRow, writeContactSheet } from '../contact-sheet.js';
import { type ModelsCommand, ModelsError } from './models-command.js';
import { withEnhancer } from './open-enhancer.js';

/**
 * `models sheet <image>`: what every operation and level makes of one picture, before and after with a magnified
 * crop, as one PNG.
 */
export const sheetOfModels: ModelsCommand = async ({ config, given, progress }) => {
  const path = given.positionals[0];
  if (path === undefined) throw new UsageError('Which picture? models sheet <image>');
  const out = resolve(given.options['out'] ?? `${basename(path, extname(path))}-models.png`);
  const image = await decoded(path, config.maxInputPixels);
  const catalog = await loadCatalog(config.modelsDir);
  const wanted = given.options['operation'];
  const versions = catalog
    .loaded()
    .filter(({ manifest }) => wanted === undefined || manifest.operation === wanted);
  if (versions.length === 0)
    throw new ModelsError(`No model serves ${wanted ?? 'any operation'} in ${config.modelsDir}.`);
  const routes = versions.flatMap((version) => LEVELS.map((level) => version.routes[level]));
  const before = await asPng(image);
  const rows: ContactSheetRow[] = [];
  progress.begin(routes.length, 'loading');
  await withEnhancer(config, versions, async (enhancer) => {
    for (const [index, route] of routes.entries()) {
      progress.to(index, `${route.operation}, ${route.level}`);
      const startMs = performance.now();
      const result = await enhanced(enhancer, route, image);
      const seconds = ((performance.now() - startMs) / 1000).toFixed(2);
      rows.push({
        title: `${route.operation}, ${route.level}`,
        subtitle: subtitle(route, result, seconds),
        before,
        after: await asPng(result),
      });
    }
  });
  progress.to(routes.length, 'writing the sheet');
  await writeContactSheet(out, rows);
  progress.end();
  return {
    json: { sheet: out, rows: rows.map(({ title, subtitle: text }) => ({ title, text })) },
    text: `Written: ${out}`,
  };
};

function subtitle({ model, scale }: ModelRoute, { width, height }: RawImage, seconds: string): string {
  return `${model.name} version ${model.version}, ×${scale}, ${width} × ${height}, ${seconds} s`;
}

async function decoded(path: string, maxPixels: number): Promise<RawImage> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The picture ${path} cannot be read (${error.code}).`);
  });
  return decodeImage(bytes, { maxPixels }).catch((error: unknown) => {
    throw new ModelsError(`The picture ${path} cannot be used: ${(error as Error).message}`);
  });
}

async function asPng(image: RawImage): Promise<Buffer> {
  const { data } = await encodeImage(image, { format: 'png', avifEffort: 0, webpEffort: 0, pngLevel: 1 });
  return data;
}
