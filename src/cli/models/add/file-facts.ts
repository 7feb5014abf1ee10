import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readUpstream, UPSTREAM_CATALOG } from '../pull/upstream-catalog.js';
import type { GivenReading } from './readings/given-reading.js';
import { KNOWN_MODELS } from './known-models.js';

/** What is known about a model before it runs, and the source of that knowledge. */
export interface FileFacts {
  readonly reading: GivenReading;
  /** The source, for display: `preprocessor_config.json`, the file's metadata, or the catalog entry. */
  readonly from: string;
  /** Origin of the model: `name`, `license`, `source`, `trainedOn`, where known. */
  readonly origin?: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;
const PREPROCESSOR = 'preprocessor_config.json';
/** Larger files are ignored. Configurations take a few hundred bytes. */
const MAX_BYTES = 1_000_000;

/**
 * Finds out how a model expects its input: from the catalog (a published model with the same hash), the metadata of the
 * file, or a Hugging Face configuration in the file's folder or its parent folder.
 */
export async function fileFacts(
  path: string,
  sha256: string,
  metadata: Readonly<Record<string, string>>,
): Promise<FileFacts | null> {
  const published = (await readUpstream(UPSTREAM_CATALOG)).find(
    ({ file, manifest }) => file.sha256 === sha256 && manifest !== undefined,
  );
  if (published !== undefined)
    return {
      reading: publishedReading(published.manifest!),
      from: `the catalog (${published.title})`,
      origin: published.manifest!,
    };
  const known = KNOWN_MODELS.find((model) => model.sha256 === sha256);
  if (known !== undefined)
    return {
      reading: known.reading,
      from: `the list of known models (${known.title})`,
      origin: { license: known.license, source: known.source, trainedOn: known.trainedOn },
    };
  const told = metadataReading(metadata);
  if (told !== null) return { reading: told, from: "the file's metadata" };
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    const reading = preprocessorReading(await jsonFile(join(folder, PREPROCESSOR)));
    if (reading !== null) return { reading, from: join(folder, PREPROCESSOR) };
  }
  return null;
}

function publishedReading(manifest: Json): GivenReading {
  const stages = Object.values(manifest['stages'] as Record<string, Json>);
  const { input, output } = stages.find((stage) => stage['input'] !== undefined) as {
    readonly input: GivenReading & { readonly channels: 'RGB' | 'BGR' };
    readonly output: { readonly meaning: GivenReading['meaning']; readonly activation?: string };
  };
  const { range, mean, std, channels } = input;
  const { meaning, activation } = output;
  return {
    ...(range && { range }),
    ...(mean && { mean }),
    ...(std && { std }),
    channels,
    ...(meaning && { meaning }),
    ...(activation === 'minmax' && { activation }),
  };
}

/** Keys of https://onnx.ai/onnx/repo-docs/MetadataProps.html (in any case), and `mean`, `std` and `range`. */
function metadataReading(metadata: Readonly<Record<string, string>>): GivenReading | null {
  const props = new Map(Object.entries(metadata).map(([key, value]) => [key.toLowerCase(), value]));
  const nominal = props.get('image.nominalpixelrange')?.toLowerCase();
  const ranges: Readonly<Record<string, readonly [number, number]>> = {
    nominalrange_0_255: [0, 255],
    normalized_0_1: [0, 1],
    normalized_1_1: [-1, 1],
  };
  const [mean, std] = [numbersOf(props.get('mean')), numbersOf(props.get('std'))];
  const pair = numbersOf(props.get('range'));
  const told = pair?.length === 2 && pair[0]! < pair[1]! ? ([pair[0]!, pair[1]!] as const) : undefined;
  const range = told ?? ranges[nominal ?? ''] ?? ((mean ?? std) ? ([0, 1] as const) : undefined);
  if (range === undefined) return null;
  const format = props.get('image.bitmappixelformat')?.toLowerCase() ?? '';
  const channels = format.startsWith('bgr') ? 'BGR' : format.startsWith('rgb') ? 'RGB' : undefined;
  return { range, ...(mean && { mean }), ...(std && { std }), ...(channels && { channels }) };
}

/** Parses `[0.5, 0.5, 0.5]`, `0.5,0.5,0.5`, or `0.5`. */
function numbersOf(text: string | undefined): readonly number[] | undefined {
  if (text === undefined || text.length > 200) return undefined;
  const found = text
    .replace(/^\s*[[(]|[\])]\s*$/g, '')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
  return found.length > 0 && found.length <= 3 && found.every(Number.isFinite) ? found : undefined;
}

/** Configuration of a Hugging Face Transformers image processor: rescale, then normalize. */
function preprocessorReading(config: Json | null): GivenReading | null {
  if (config === null) return null;
  const factor = config['do_rescale'] === false ? 1 : (config['rescale_factor'] ?? 1 / 255);
  if (typeof factor !== 'number' || !(factor > 0)) return null;
  const range = [0, Number((factor * 255).toPrecision(6))] as const;
  const isNormalized = config['do_normalize'] !== false;
  const [mean, std] = [config['image_mean'], config['image_std']];
  if (isNormalized && isChannels(mean) && isChannels(std)) return { range, mean, std };
  return config['do_normalize'] === false || config['do_rescale'] !== undefined ? { range } : null;
}

function isChannels(value: unknown): value is readonly number[] {
  return Array.isArray(value) && (value.length === 1 || value.length === 3) && value.every(Number.isFinite);
}

/** Null when the file does not exist or is not of this kind. */
async function jsonFile(path: string): Promise<Json | null> {
  try {
    const text = await readFile(path, 'utf8');
    const value: unknown = text.length > MAX_BYTES ? null : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
