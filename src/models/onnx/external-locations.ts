import type { ModelFile } from '../files/model-file.js';
import { MalformedModel } from './wire.js';

/** The fields that lead to a tensor: the kind of message behind each field number. */
type MessageName = keyof typeof MESSAGES;

/** Field numbers of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). */
const MESSAGES = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  training: { 1: 'graph', 2: 'graph' },
  function: { 7: 'node', 11: 'attribute' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparseTensor' },
  node: { 5: 'attribute' },
  attribute: {
    5: 'tensor',
    6: 'graph',
    10: 'tensor',
    11: 'graph',
    22: 'sparseTensor',
    23: 'sparseTensor',
  },
  sparseTensor: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'entry' },
  entry: { 1: 'key', 2: 'value' },
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;

const WIRE = {
  varint: 0,
  eightBytes: 1,
  lengthDelimited: 2,
  groupStart: 3,
  groupEnd: 4,
  fourBytes: 5,
} as const;

/** Deeper than the runtime reads: protobuf stops at 100. */
const MAX_DEPTH = 128;

/** Longer than any path. A longer text is cut, so it still names no file of the folder. */
const MAX_TEXT_BYTES = 4096;

const WINDOW_BYTES = 2 ** 16;

/** The longest number that protobuf writes. */
const VARINT_BYTES = 10;

/**
 * The external locations of an ONNX file: the `location` of every tensor, including those in sparse tensors,
 * attributes, subgraphs, and functions. Reads only the descriptive part and skips weights in the file, so memory stays
 * bounded. For a truncated file or one that is not protobuf, returns what it has found: the runtime refuses such a file
 * before it opens another.
 * @returns each location once, unchanged: it may be a path that leads anywhere
 * @throws UnreadableModelFile
 */
export async function externalLocations(file: ModelFile): Promise<readonly string[]> {
  const walk = new LocationWalk(file);
  await walk.message('model', 0, file.sizeBytes, 0).catch((error: unknown) => {
    if (!(error instanceof MalformedModel)) throw error;
  });
  return [...walk.locations];
}

/** Why a location cannot be followed; completes "the file x …" and says what to do. */
export function locationFault(location: string): string {
  const name = JSON.stringify(location.slice(0, 100));
  return isFileName(location)
    ? `keeps weights in ${name}, which the manifest does not list; add it to external with its sha256`
    : `keeps weights in ${name}, which is not the name of a file in the same folder; export it with its weights beside it`;
}

/** Whether a location names a file of the same folder, without a path. */
export function isFileName(location: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(location);
}

class LocationWalk {
  readonly locations = new Set<string>();
  private readonly window = Buffer.alloc(WINDOW_BYTES);
  private windowStart = 0;
  private windowBytes = 0;
  private at = 0;

  constructor(private readonly file: ModelFile) {}

  /** Walks one message in the bytes from `start` to `end`. */
  async message(name: MessageName, start: number, end: number, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw malformed();
    const inside: Readonly<Record<number, string>> = MESSAGES[name];
    const entry = { keys: [] as string[], values: [] as string[] };
    this.at = start;
    while (this.at < end) {
      // Other readers keep 32 bits of a tag and ignore the rest, so this one does, too.
      const tag = (await this.varint()) % 2 ** 32;
      const field = Math.floor(tag / 8);
      if (field === 0) throw malformed();
      const length = await this.payloadBytes(tag % 8);
      const from = this.at;
      if (from + length > end) throw malformed();
      const child = tag % 8 === WIRE.lengthDelimited ? inside[field] : undefined;
      if (child === 'key') entry.keys.push(await this.text(from, length));
      else if (child === 'value') entry.values.push(await this.text(from, length));
      else if (child !== undefined) await this.message(child as MessageName, from, from + length, depth + 1);
      this.at = from + length;
    }
    if (entry.keys.includes('location')) for (const value of entry.values) this.locations.add(value);
  }

  private async payloadBytes(wireType: number): Promise<number> {
    switch (wireType) {
      case WIRE.varint:
        await this.varint();
        return 0;
      case WIRE.eightBytes:
        return 8;
      case WIRE.fourBytes:
        return 4;
      case WIRE.lengthDelimited:
        return this.varint();
      case WIRE.groupStart:
      case WIRE.groupEnd:
        // Other readers skip a group. Its fields are read as if they were outside, which finds more, never less.
        return 0;
      default:
        throw malformed();
    }
  }

  private async varint(): Promise<number> {
    if (this.at < this.windowStart || this.at + VARINT_BYTES > this.windowStart + this.windowBytes) {
      this.windowStart = this.at;
      this.windowBytes = await this.file.read(this.window, this.at);
    }
    let value = 0;
    for (let factor = 1, count = 0; count < VARINT_BYTES; factor *= 128, count++) {
      const offset = this.at - this.windowStart;
      if (offset >= this.windowBytes) throw malformed();
      const byte = this.window[offset]!;
      this.at++;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw malformed();
  }

  private async text(from: number, length: number): Promise<string> {
    const bytes = Buffer.alloc(Math.min(length, MAX_TEXT_BYTES));
    const count = await this.file.read(bytes, from);
    return bytes.toString('utf8', 0, count);
  }
}

function malformed(): MalformedModel {
  return new MalformedModel('the file is not an ONNX model, or it is cut off');
}
