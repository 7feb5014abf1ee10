interface Box {
  readonly type: string;
  /** Offsets of the box, of its content, and of the first byte after it. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** The highest index of a property that fits into one byte. */
const MAX_SHORT_INDEX = 127;

/**
 * The AVIF with a profile for one item, beside its code points, whose matrix and range still apply. A longer
 * description (`meta`) cannot take the place of the old one, because the coded data is found by offsets in the file. It
 * is appended, and the old one becomes free space.
 * @param file whose boxes have been checked
 * @returns undefined when the item has no properties or too many
 */
export function avifWithProfile(file: Buffer, item: number, profile: Buffer): Buffer | undefined {
  const all = boxesOf(file, 0, file.length);
  const [old, last] = [all.find(({ type }) => type === 'meta'), all.at(-1)];
  if (old === undefined || last === undefined) return undefined;
  const meta = describe(file, old, item, profile);
  if (meta === undefined) return undefined;
  // Appended bytes that are no box would hide what follows them.
  const whole = Buffer.concat([file.subarray(0, last.end), meta]);
  whole.write('free', old.at + 4, 'latin1');
  // A size of 0 means: to the end of the file.
  if (whole.readUInt32BE(last.at) === 0) whole.writeUInt32BE(last.end - last.at, last.at);
  return whole;
}

function describe(file: Buffer, meta: Box, item: number, profile: Buffer): Buffer | undefined {
  // `meta` is a full box: version and flags precede its children.
  const children = boxesOf(file, meta.start + 4, meta.end);
  const properties = children.find(({ type }) => type === 'iprp');
  if (properties === undefined) return undefined;
  const parts = boxesOf(file, properties.start, properties.end);
  const container = parts.find(({ type }) => type === 'ipco');
  if (container === undefined) return undefined;
  const number = boxesOf(file, container.start, container.end).length + 1;
  let isLinked = false;
  const newParts = parts.map((part) => {
    const content = file.subarray(part.start, part.end);
    if (part === container) return box('ipco', content, box('colr', Buffer.from('prof'), profile));
    const linked = part.type === 'ipma' && !isLinked ? link(content, item, number) : undefined;
    isLinked ||= linked !== undefined;
    return linked === undefined ? file.subarray(part.at, part.end) : box('ipma', linked);
  });
  if (!isLinked) return undefined;
  const newChildren = children.map((child) =>
    child === properties ? box('iprp', ...newParts) : file.subarray(child.at, child.end),
  );
  return box('meta', file.subarray(meta.start, meta.start + 4), ...newChildren);
}

/**
 * The associations (`ipma`) with one more property of an item.
 * @returns undefined when the item has no entry here, or the number does not fit
 */
function link(content: Buffer, item: number, number: number): Buffer | undefined {
  const idBytes = content[0] === 0 ? 2 : 4;
  const indexBytes = (content[3]! & 1) === 1 ? 2 : 1;
  if (indexBytes === 1 && number > MAX_SHORT_INDEX) return undefined;
  for (let at = 8; at + idBytes + 1 <= content.length;) {
    const countAt = at + idBytes;
    const count = content[countAt]!;
    const end = countAt + 1 + count * indexBytes;
    if (content.readUIntBE(at, idBytes) === item) {
      if (count === 255) return undefined;
      const index = Buffer.alloc(indexBytes);
      index.writeUIntBE(number, 0, indexBytes);
      const before = content.subarray(0, countAt);
      return Buffer.concat([
        before,
        Buffer.from([count + 1]),
        content.subarray(countAt + 1, end),
        index,
        content.subarray(end),
      ]);
    }
    at = end;
  }
  return undefined;
}

/** The boxes within a part of a file, up to the first that is none. */
function boxesOf(file: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end;) {
    const size = file.readUInt32BE(at);
    const isLarge = size === 1 && at + 16 <= end;
    const stated = isLarge ? Number(file.readBigUInt64BE(at + 8)) : size;
    const boxEnd = size === 0 ? end : at + stated;
    const content = at + (isLarge ? 16 : 8);
    if (boxEnd > end || boxEnd < content) break;
    boxes.push({ type: file.toString('latin1', at + 4, at + 8), at, start: content, end: boxEnd });
    at = boxEnd;
  }
  return boxes;
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, head.length));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}
