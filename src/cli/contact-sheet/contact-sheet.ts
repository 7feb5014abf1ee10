import { writeFile } from 'node:fs/promises';
import { Jimp, JimpMime, type JimpInstance, ResizeStrategy } from 'jimp';
import { drawLabel, type Fonts, loadFonts } from './contact-sheet-label.js';
import { mostChangedRegion, type Region } from './contact-sheet-region.js';

export interface ContactSheetRow {
  /** What was done, for example `upscale, high`. */
  readonly title: string;
  /** Details of the run: sizes, times, model. */
  readonly subtitle: string;
  /** PNG or JPEG bytes. Rows may share one Buffer; it is decoded once. */
  readonly before: Buffer;
  readonly after: Buffer;
  /** What `before` and `after` are, for their captions. Default: Before and After. */
  readonly names?: readonly [string, string];
}

const MARGIN = 56;
const GAP = 24;
const CELL_WIDTH = 360;
const CELL_HEIGHT = { least: 160, most: 540 } as const;
const HEADING = 84;
const CAPTION = 30;
const ROW_GAP = 56;
const COLUMNS = 4;
/** How many times the pixels of `before` are enlarged in the crop. */
const MAGNIFICATION = 4;
const CHECK = 12;

const PAPER = 0xfaf9f7ff;
const TITLE_GRAY = 0x2b;
const TEXT_GRAY = 0x70;
const LINE = 0xe0deda;

/** Photos from phones exceed the decoder's default limits. The files are the user's own, so higher limits are safe. */
const READ_OPTIONS = { 'image/jpeg': { maxMemoryUsageInMB: 4096, maxResolutionInMP: 1000 } } as const;

/**
 * RGB without alpha, and one filter (Paeth) for every row. This takes half the time of trying all five filters, and
 * files are no larger.
 */
const PNG_OPTIONS = { colorType: 2, filterType: 4 } as const;

interface Cell {
  readonly width: number;
  readonly height: number;
}

interface Pair {
  readonly before: JimpInstance;
  readonly after: JimpInstance;
}

/** A decoded picture and its rendering for the cell. All rows with the same source share it. */
interface Source {
  readonly image: JimpInstance;
  readonly cell: Cell;
  readonly whole: JimpInstance;
}

/**
 * Writes one PNG with a row for each result: the whole picture before and after, and the region that changed most in
 * both, enlarged so that single pixels are visible. Transparency is shown as a checkerboard. The two pictures of a row
 * may differ in size, but not in aspect ratio.
 * @throws when a buffer is neither PNG nor JPEG.
 */
export async function writeContactSheet(path: string, rows: readonly ContactSheetRow[]): Promise<void> {
  const fonts = await loadFonts();
  const sources = new Map<Buffer, Source>();
  const strips: JimpInstance[] = [];
  for (const row of rows) {
    const source = sources.get(row.before) ?? sourceOf(await read(row.before));
    sources.set(row.before, source);
    strips.push(drawRow(row, source, await read(row.after), fonts));
  }
  const width = 2 * MARGIN + COLUMNS * CELL_WIDTH + (COLUMNS - 1) * GAP;
  const height = 2 * MARGIN + strips.reduce((sum, strip) => sum + strip.bitmap.height + ROW_GAP, -ROW_GAP);
  const sheet = blank(width, Math.max(height, 2 * MARGIN));
  let y = MARGIN;
  for (const [index, strip] of strips.entries()) {
    if (index > 0) fill(sheet, { x: MARGIN, y: y - ROW_GAP / 2, width: width - 2 * MARGIN, height: 1 }, LINE);
    paste(sheet, strip, MARGIN, y);
    y += strip.bitmap.height + ROW_GAP;
  }
  await writeFile(path, await sheet.getBuffer(JimpMime.png, PNG_OPTIONS));
}

async function read(bytes: Buffer): Promise<JimpInstance> {
  return (await Jimp.fromBuffer(bytes, READ_OPTIONS)) as JimpInstance;
}

function sourceOf(image: JimpInstance): Source {
  const cell = cellFor(image);
  return { image, cell, whole: fitted(image, cell) };
}

function drawRow(row: ContactSheetRow, source: Source, after: JimpInstance, fonts: Fonts): JimpInstance {
  const { cell } = source;
  const strip = blank(COLUMNS * CELL_WIDTH + (COLUMNS - 1) * GAP, HEADING + cell.height + CAPTION);
  drawLabel(strip, fonts.large, row.title, { x: 0, y: 0, width: strip.bitmap.width }, TITLE_GRAY);
  drawLabel(strip, fonts.small, row.subtitle, { x: 0, y: 44, width: strip.bitmap.width }, TEXT_GRAY);
  const whole: Pair = { before: source.whole, after: fitted(after, cell) };
  const region = regionFor(source.image, whole, cell);
  const sizeOf = ({ bitmap }: JimpInstance): string => `${bitmap.width} × ${bitmap.height}`;
  const [first, second] = row.names ?? ['Before', 'After'];
  const cells: readonly (readonly [JimpInstance, string])[] = [
    [marked(onCheckerboard(whole.before), region), `${first}, ${sizeOf(source.image)}`],
    [marked(onCheckerboard(whole.after), region), `${second}, ${sizeOf(after)}`],
    [onCheckerboard(enlarged(source.image, region, cell)), `${first}, enlarged`],
    [onCheckerboard(enlarged(after, region, cell)), `${second}, same place`],
  ];
  for (const [column, [picture, caption]] of cells.entries()) {
    const x = column * (CELL_WIDTH + GAP);
    const y = HEADING;
    const left = x + Math.floor((cell.width - picture.bitmap.width) / 2);
    const top = y + Math.floor((cell.height - picture.bitmap.height) / 2);
    paste(strip, picture, left, top);
    drawLabel(strip, fonts.small, caption, { x, y: y + cell.height + 8, width: CELL_WIDTH }, TEXT_GRAY);
  }
  return strip;
}

function cellFor({ bitmap }: JimpInstance): Cell {
  const height = Math.round((CELL_WIDTH * bitmap.height) / bitmap.width);
  return { width: CELL_WIDTH, height: Math.min(CELL_HEIGHT.most, Math.max(CELL_HEIGHT.least, height)) };
}

/** The whole picture, scaled to fit the cell. */
function fitted(image: JimpInstance, cell: Cell): JimpInstance {
  const scale = Math.min(cell.width / image.bitmap.width, cell.height / image.bitmap.height);
  const w = Math.max(1, Math.round(image.bitmap.width * scale));
  const h = Math.max(1, Math.round(image.bitmap.height * scale));
  // Downscaling averages areas. Upscaling a tiny picture keeps its pixels.
  const small =
    scale > 1
      ? image.clone().resize({ w, h, mode: ResizeStrategy.NEAREST_NEIGHBOR })
      : image.clone().resize({ w, h });
  return small as JimpInstance;
}

function regionFor({ bitmap }: JimpInstance, whole: Pair, cell: Cell): Region {
  return mostChangedRegion(whole.before, whole.after, {
    width: Math.min(1, cell.width / MAGNIFICATION / bitmap.width),
    height: Math.min(1, cell.height / MAGNIFICATION / bitmap.height),
  });
}

/** A region of a picture, enlarged to the cell without interpolation. */
function enlarged(image: JimpInstance, region: Region, cell: Cell): JimpInstance {
  const { width, height } = image.bitmap;
  const w = Math.max(1, Math.round(region.width * width));
  const h = Math.max(1, Math.round(region.height * height));
  const x = Math.min(width - w, Math.round(region.left * width));
  const y = Math.min(height - h, Math.round(region.top * height));
  return fitted(image.clone().crop({ x, y, w, h }) as JimpInstance, cell);
}

/** Marks the cropped region on the whole picture: a white frame with a dark border, visible on any background. */
function marked(image: JimpInstance, region: Region): JimpInstance {
  const result: JimpInstance = image.clone();
  const { width, height } = result.bitmap;
  const x = Math.round(region.left * width);
  const y = Math.round(region.top * height);
  const w = Math.round(region.width * width);
  const h = Math.round(region.height * height);
  frame(result, { x: x - 1, y: y - 1, width: w + 2, height: h + 2 }, 0x2b2b2b);
  frame(result, { x, y, width: w, height: h }, 0xffffff);
  return result;
}

interface Rectangle extends Cell {
  readonly x: number;
  readonly y: number;
}

function frame(image: JimpInstance, { x, y, width, height }: Rectangle, color: number): void {
  fill(image, { x, y, width, height: 1 }, color);
  fill(image, { x, y: y + height - 1, width, height: 1 }, color);
  fill(image, { x, y, width: 1, height }, color);
  fill(image, { x: x + width - 1, y, width: 1, height }, color);
}

/** Fills the part of the rectangle that lies within the image. */
function fill({ bitmap }: JimpInstance, { x, y, width, height }: Rectangle, color: number): void {
  for (let row = Math.max(0, y); row < Math.min(bitmap.height, y + height); row++) {
    for (let column = Math.max(0, x); column < Math.min(bitmap.width, x + width); column++) {
      bitmap.data.writeUInt32BE(((color << 8) | 0xff) >>> 0, (row * bitmap.width + column) * 4);
    }
  }
}

function onCheckerboard(image: JimpInstance): JimpInstance {
  const { width, height } = image.bitmap;
  if (isOpaque(image)) return image;
  const board = blank(width, height);
  for (let y = 0; y < height; y += CHECK) {
    for (let x = 0; x < width; x += CHECK) {
      const isDark = (x / CHECK + y / CHECK) % 2 === 1;
      fill(board, { x, y, width: CHECK, height: CHECK }, isDark ? 0xdcdcdc : 0xffffff);
    }
  }
  return board.composite(image, 0, 0) as JimpInstance;
}

function isOpaque({ bitmap }: JimpInstance): boolean {
  for (let at = 3; at < bitmap.data.length; at += 4) if (bitmap.data[at] !== 255) return false;
  return true;
}

function blank(width: number, height: number): JimpInstance {
  const paper = Buffer.alloc(4);
  paper.writeUInt32BE(PAPER);
  return Jimp.fromBitmap({ data: Buffer.alloc(width * height * 4, paper), width, height }) as JimpInstance;
}

/**
 * Copies an opaque picture onto another one that it fits into, row by row. This takes a tenth of the time of blending.
 */
function paste(sheet: JimpInstance, picture: JimpInstance, x: number, y: number): void {
  const [to, from] = [sheet.bitmap, picture.bitmap];
  for (let row = 0; row < from.height; row++) {
    const at = row * from.width * 4;
    from.data.copy(to.data, ((y + row) * to.width + x) * 4, at, at + from.width * 4);
  }
}
