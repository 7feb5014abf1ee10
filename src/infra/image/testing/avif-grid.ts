import { uint32 } from './png-chunks.js';
import { drawSolid, photo, pipelineOf } from './still-images.js';

/** Handmade AVIF grids (ISO/IEC 23008-12 §6.6.2.3), for tile counts that no encoder writes. */

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type, 'latin1'), body]);
};
const fullBox = (type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, uint32((version << 24) | flags), ...parts);

/** Item flags in `iinf`: hidden item. */
const HIDDEN = 1;

export interface AvifGrid {
  /** Width and height of a tile, pixels; at least 64 by the specification. */
  readonly tileSide: number;
  readonly columns: number;
  readonly rows: number;
  /** Tiles of lossless noise, which are the slowest to decode. Default: a gradient. */
  readonly isNoise?: boolean;
  /** Width and height of the visible part, pixels. Default: everything. */
  readonly shown?: number;
  /** Every tile is the same item. Default: a separate item for each tile, at the same bytes. */
  readonly isOneItem?: boolean;
  /** Size of a tile as stated by its properties. Default: the true size. */
  readonly statedSide?: number;
  /** The tiles are stacked (an overlay, `iovl`) instead of adjacent. */
  readonly isOverlay?: boolean;
  /** An AVIF of one item whose coded data every tile has. Default: see `isNoise`. */
  readonly tile?: Buffer;
  /** A property with colors (`colr`), and which items have it. Default: none. */
  readonly colors?: { readonly of: 'grid' | 'tiles'; readonly property: Buffer };
}

/**
 * A valid AVIF of `columns` × `rows` tiles that all share the same bytes, so that a small file makes a decoder decode
 * every tile.
 */
export async function avifOfTiles(grid: AvifGrid): Promise<Buffer> {
  const { tileSide, columns, rows, isNoise, isOneItem, isOverlay, statedSide: side = tileSide } = grid;
  const picture = isNoise === true ? noise(tileSide) : photo(tileSide, tileSide, 'avif');
  const { configuration, data } = codedTile(grid.tile ?? (await picture));
  const tiles = columns * rows;
  const ids = Array.from({ length: isOneItem === true ? 1 : tiles }, (_, index) => index + 1);
  const gridId = ids.length + 1;
  const references = Array.from({ length: tiles }, (_, index) => ids[index % ids.length]!);
  const width = grid.shown ?? (isOverlay === true ? tileSide : tileSide * columns);
  const height = grid.shown ?? (isOverlay === true ? tileSide : tileSide * rows);
  const shown = Buffer.concat([uint16(width), uint16(height)]);
  const descriptor =
    isOverlay === true
      ? Buffer.concat([Buffer.alloc(10), shown, Buffer.alloc(4 * tiles)])
      : Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), shown]);
  const meta = (dataAt: number): Buffer =>
    fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, uint16(gridId)),
      locations(ids, { dataAt, dataBytes: data.length, gridId, gridBytes: descriptor.length }),
      itemTypes(ids, gridId, isOverlay === true ? 'iovl' : 'grid'),
      properties(ids, gridId, [configuration, extent(side, side), extent(width, height)], grid.colors),
      box('idat', descriptor),
      fullBox('iref', 0, 0, box('dimg', uint16(gridId), uint16(tiles), ...references.map(uint16))),
    );
  const head = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));
  const dataAt = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(dataAt), box('mdat', data)]);
}

const extent = (width: number, height: number): Buffer =>
  fullBox('ispe', 0, 0, uint32(width), uint32(height));

function itemTypes(ids: readonly number[], gridId: number, type: string): Buffer {
  const entry = (id: number, flags: number, name: string): Buffer =>
    fullBox('infe', 2, flags, uint16(id), uint16(0), Buffer.from(`${name}\0`, 'latin1'));
  const entries = [...ids.map((id) => entry(id, HIDDEN, 'av01')), entry(gridId, 0, type)];
  return fullBox('iinf', 0, 0, uint16(entries.length), ...entries);
}

/** @param list properties 1 (of the codec, essential: bit 7), 2 (size of a tile), and 3 (size of the image) */
function properties(
  ids: readonly number[],
  gridId: number,
  list: readonly Buffer[],
  colors: AvifGrid['colors'],
): Buffer {
  const depth = fullBox('pixi', 0, 0, Buffer.from([3, 8, 8, 8]));
  const all = [...list, depth, ...(colors === undefined ? [] : [colors.property])];
  const ofItem = (id: number, numbers: readonly number[], isColored: boolean): Buffer => {
    const linked = isColored ? [...numbers, all.length] : numbers;
    return Buffer.concat([uint16(id), Buffer.from([linked.length, ...linked])]);
  };
  const ofTiles = ids.map((id) => ofItem(id, [0x81, 2, 4], colors?.of === 'tiles'));
  const ofGrid = ofItem(gridId, [3, 4], colors?.of === 'grid');
  const associations = fullBox('ipma', 0, 0, uint32(ids.length + 1), ...ofTiles, ofGrid);
  return box('iprp', box('ipco', ...all), associations);
}

function noise(side: number): Promise<Buffer> {
  const pixels = drawSolid(side, side, [0, 0, 0]);
  let state = 1;
  for (let at = 0; at < pixels.data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    pixels.data[at] = state >>> 24;
  }
  return pipelineOf(pixels).avif({ lossless: true, effort: 0 }).toBuffer();
}

interface GridLayout {
  readonly dataAt: number;
  readonly dataBytes: number;
  readonly gridId: number;
  readonly gridBytes: number;
}

/**
 * `iloc` version 1: offsets and lengths of 4 bytes, no base; the grid is in `idat` (construction method 1).
 */
function locations(ids: readonly number[], { dataAt, dataBytes, gridId, gridBytes }: GridLayout): Buffer {
  const item = (id: number, method: number, offset: number, length: number): Buffer =>
    Buffer.concat([uint16(id), uint16(method), uint16(0), uint16(1), uint32(offset), uint32(length)]);
  return fullBox(
    'iloc',
    1,
    0,
    Buffer.from([0x44, 0]),
    uint16(ids.length + 1),
    ...ids.map((id) => item(id, 0, dataAt, dataBytes)),
    item(gridId, 1, 0, gridBytes),
  );
}

/** The configuration box and the coded data of an AVIF of one item. */
function codedTile(file: Buffer): { readonly configuration: Buffer; readonly data: Buffer } {
  const configurationAt = file.indexOf('av1C') - 4;
  const configuration = file.subarray(configurationAt, configurationAt + file.readUInt32BE(configurationAt));
  const dataAt = file.indexOf('mdat') - 4;
  return { configuration, data: file.subarray(dataAt + 8, dataAt + file.readUInt32BE(dataAt)) };
}
