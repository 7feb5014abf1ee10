import type { ModelFile } from '../files/model-file.js';
import { MalformedModel } from './wire.js';

/** The messages that can contain a tensor; see `MESSAGES`. */
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

/** Maximum nesting. Deeper than the runtime reads, because protobuf stops at 100. */
const MAX_DEPTH = 128;

/** Longer than any path. A longer text is truncated, so it still matches no file in the folder. */
const MAX_TEXT_BYTES = 4096;

const WINDOW_BYTES = 2 ** 16;

/** Maximum length of a number in protobuf. */
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
  await walk.message('model').catch((error: unknown) => {
    if (!(error instanceof MalformedModel)) throw error;
  });
  return [...walk.locations];
}

/** Why a location cannot be used, and how to fix it. Completes "the file x …". */
export function locationFault(location: string): string {
  const name = JSON.stringify(location.slice(0, 100));
  return isFileName(location)
    ? `keeps weights in ${name}, which the manifest does not list; add it to external with its sha256`
    : `keeps weights in ${name}, which is not a plain file name of letters, digits, dots, dashes and underscores; export it with its weights beside it`;
}

/** Whether a location names a file of the same folder, without a path. */
export function isFileName(location: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(location);
}

/** A message whose fields have not all been read yet. */
interface OpenMessage {
  readonly inside: Readonly<Record<number, string>>;
  readonly end: number;
  readonly keys: string[];
  readonly values: string[];
}

/** The position of a key or a value, and the list to which it belongs. */
interface Text {
  readonly from: number;
  readonly length: number;
  readonly list: string[];
}

/** Awaits only file reads: an await for each of many thousand numbers took longer than everything else. */
class LocationWalk {
  readonly locations = new Set<string>();
  private readonly window = Buffer.alloc(WINDOW_BYTES);
  private windowStart = 0;
  private windowEnd = 0;
  private at = 0;
  /** Open messages, outermost first. */
  private readonly open: OpenMessage[] = [];

  constructor(private readonly file: ModelFile) {}

  /** Walks the file, which consists of one message. */
  async message(name: MessageName): Promise<void> {
    this.enter(name, this.file.sizeBytes);
    for (let message = this.open.at(-1); message !== undefined; message = this.open.at(-1)) {
      if (this.at >= message.end) {
        this.leave(message);
        continue;
      }
      if (!this.isInWindow()) await this.fillWindow();
      const text = this.field(message);
      if (text !== undefined) text.list.push(await this.text(text));
    }
  }

  private enter(name: MessageName, end: number): void {
    if (this.open.length > MAX_DEPTH) throw malformed();
    this.open.push({ inside: MESSAGES[name], end, keys: [], values: [] });
  }

  private leave({ keys, values }: OpenMessage): void {
    if (keys.includes('location')) for (const value of values) this.locations.add(value);
    this.open.pop();
  }

  /** Reads the tag and the length of a field, and enters or skips its content. @returns a text to be read */
  private field(message: OpenMessage): Text | undefined {
    // Other readers keep 32 bits of a tag and ignore the rest, so this one does the same.
    const tag = this.varint() % 2 ** 32;
    const number = Math.floor(tag / 8);
    if (number === 0) throw malformed();
    const length = this.payloadBytes(tag % 8);
    const from = this.at;
    if (from + length > message.end) throw malformed();
    const child = tag % 8 === WIRE.lengthDelimited ? message.inside[number] : undefined;
    if (child !== undefined && child !== 'key' && child !== 'value') {
      this.enter(child as MessageName, from + length);
      return undefined;
    }
    this.at = from + length;
    if (child === undefined) return undefined;
    return { from, length, list: child === 'key' ? message.keys : message.values };
  }

  private payloadBytes(wireType: number): number {
    switch (wireType) {
      case WIRE.varint:
        this.varint();
        return 0;
      case WIRE.eightBytes:
        return 8;
      case WIRE.fourBytes:
        return 4;
      case WIRE.lengthDelimited:
        return this.varint();
      case WIRE.groupStart:
      case WIRE.groupEnd:
        // Other readers skip groups. Reading a group's fields as if they were outside it finds more, never less.
        return 0;
      default:
        throw malformed();
    }
  }

  /** Whether the tag and the length of the next field are in the window. */
  private isInWindow(): boolean {
    if (this.at < this.windowStart || this.at >= this.windowEnd) return false;
    return this.at + 2 * VARINT_BYTES <= this.windowEnd || this.windowEnd >= this.file.sizeBytes;
  }

  private async fillWindow(): Promise<void> {
    this.windowStart = this.at;
    this.windowEnd = this.at + (await this.file.read(this.window, this.at));
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1, count = 0; count < VARINT_BYTES; factor *= 128, count++) {
      if (this.at >= this.windowEnd) throw malformed();
      const byte = this.window[this.at - this.windowStart]!;
      this.at++;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw malformed();
  }

  private async text({ from, length }: Text): Promise<string> {
    const bytes = Buffer.alloc(Math.min(length, MAX_TEXT_BYTES));
    const count = await this.file.read(bytes, from);
    return bytes.toString('utf8', 0, count);
  }
}

function malformed(): MalformedModel {
  return new MalformedModel('the file is not an ONNX model, or it is cut off');
}
