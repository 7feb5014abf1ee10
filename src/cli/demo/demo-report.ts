import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeImage } from '../../infra/image/codec/decode.js';
import { encodeImage } from '../../infra/image/codec/encode.js';
import { type ContactSheetRow, writeContactSheet } from '../contact-sheet/contact-sheet.js';
import type { DemoOutcome } from './demo-jobs.js';
import type { DemoPhoto } from './demo-photos.js';
import { textTable } from '../text-table.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Larger photos would take the contact sheet's JavaScript decoder minutes. */
const SHEET_MAX_PIXELS = 60_000_000;

/** Writes `<operation>-<level>.<jpg|png>` for each result. */
export async function writeResults(outDir: string, outcomes: readonly DemoOutcome[]): Promise<void> {
  await mkdir(outDir, { recursive: true });
  for (const { operation, level, job, result } of outcomes) {
    if (result === undefined) continue;
    const extension = job?.result?.format === 'png' ? 'png' : 'jpg';
    await writeFile(join(outDir, `${operation}-${level}.${extension}`), result);
  }
}

/**
 * Writes one picture that shows all results next to their photos.
 * @returns how many results were too large for it
 */
export async function writeSheet(path: string, outcomes: readonly DemoOutcome[]): Promise<number> {
  const photos = new Map<DemoPhoto, Buffer>();
  for (const { photo } of outcomes.map(({ source }) => source))
    if (!photos.has(photo)) photos.set(photo, await asPng(photo.bytes));
  const rows: ContactSheetRow[] = [];
  let tooLarge = 0;
  for (const { operation, level, source, job, result } of outcomes) {
    if (result === undefined || job?.result === undefined) continue;
    const { photo } = source;
    const { width, height } = job.result;
    if (width * height > SHEET_MAX_PIXELS) {
      tooLarge += 1;
      continue;
    }
    const about = photo.note === '' ? '' : `${photo.note}; `;
    const subtitle = `${about}${milliseconds(job.timings.inferenceMs)} ms inference, ${milliseconds(job.timings.totalMs)} ms in all`;
    rows.push({ title: `${operation} ${level}`, subtitle, before: photos.get(photo)!, after: result });
  }
  if (rows.length > 0) await writeContactSheet(path, rows);
  return tooLarge;
}

/** One line for each job: order, outcome, size, and time. */
export function outcomeTable(outcomes: readonly DemoOutcome[]): string {
  const head = ['operation', 'level', 'status', 'size in → out', 'queued ms', 'inference ms', 'total ms'];
  const rows = outcomes.map(({ operation, level, source, job, fault }) => [
    operation,
    level,
    job?.status ?? 'refused',
    job?.result === undefined ? (fault ?? '–') : `${sizeText(source)} → ${sizeText(job.result)}`,
    milliseconds(job?.timings.queuedMs),
    milliseconds(job?.timings.inferenceMs),
    milliseconds(job?.timings.totalMs),
  ]);
  return textTable([head, ...rows]);
}

/** The photo as the service decodes it (upright, sRGB), in a format that the contact sheet can read. */
async function asPng(photo: Buffer): Promise<Buffer> {
  const image = await decodeImage(photo, { maxPixels: SHEET_MAX_PIXELS });
  const { data } = await encodeImage(image, { format: 'png', pngLevel: 1, avifEffort: 0, webpEffort: 0 });
  return data;
}

function sizeText({ width, height }: Size): string {
  return `${width} × ${height}`;
}

function milliseconds(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : String(Math.round(value));
}
