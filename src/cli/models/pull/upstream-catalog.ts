import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../../../models/manifest/parse-json.js';
import { listOf, matching, object, sentence, type Shape, whole } from '../../../models/manifest/shape.js';
import { fileName } from '../../../models/manifest/stage-shapes.js';
import { OPERATION_NAME } from '../../../models/manifest/manifest-shape.js';
import { ModelsError } from '../models-command.js';

export const UPSTREAM_CATALOG = fileURLToPath(new URL('../../../../models/upstream.json', import.meta.url));

/** A model that others publish, and how to turn it into a version. */
export interface UpstreamModel {
  readonly name: string;
  readonly title: string;
  readonly operation: string;
  readonly license: {
    /** SPDX identifier. */
    readonly id: string;
    /** The license allows commercial use and changes. Otherwise the user must agree first. */
    readonly permissive: boolean;
    readonly address: string;
  };
  readonly file: {
    readonly name: string;
    readonly address: string;
    /** Further addresses of the same bytes. */
    readonly mirrors?: readonly string[];
    /** Null when the size is not stated. */
    readonly bytes: number | null;
    /** Null when no hash is stated. Then it comes from the server or the user. */
    readonly sha256: string | null;
  };
  /** Whether `models pull recommended` includes it. */
  readonly recommended?: boolean;
  /** A manifest without the facts that come from the file itself: the stage's file, hash, and tensor names. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Instead of a manifest, for weights that scripts/convert turns into a graph. */
  readonly convert?: {
    readonly source: string;
    readonly trainedOn: string;
    readonly range: readonly [number, number];
  };
}

const bool: Shape = {
  schema: { type: 'boolean' },
  faults: (value, path) => (typeof value === 'boolean' ? [] : [`${path} must be true or false`]),
};
const number: Shape = {
  schema: { type: 'number' },
  faults: (value, path) => (typeof value === 'number' ? [] : [`${path} must be a number`]),
};
const anything: Shape = { schema: {}, faults: () => [] };
const maybe = (shape: Shape): Shape => ({
  schema: shape.schema,
  faults: (value, path) => (value === null ? [] : shape.faults(value, path)),
});
const address = matching(/^https?:\/\//, 'an address');

const ENTRY = object(
  {
    name: matching(/^[a-z0-9][a-z0-9-]*$/, 'lowercase letters, digits and dashes'),
    title: sentence('For people.'),
    operation: matching(OPERATION_NAME, 'the name of an operation'),
    license: object({ id: sentence('SPDX identifier.'), permissive: bool, address }),
    file: object(
      {
        name: fileName('Name beside the manifest.'),
        address,
        bytes: maybe(whole(1, Number.MAX_SAFE_INTEGER, 'Length.')),
        sha256: maybe(matching(/^[0-9a-f]{64}$/, '64 lowercase hex digits, or null')),
      },
      { mirrors: listOf(address, 1, 10, 'Further addresses.') },
    ),
  },
  {
    recommended: bool,
    manifest: anything,
    convert: object({
      source: address,
      trainedOn: sentence('Training data.'),
      range: listOf(number, 2, 2, 'What bytes 0 and 255 become.'),
    }),
  },
);
const CATALOG = object({ models: listOf(ENTRY, 1, 1_000, 'The models.') });

/** @throws ModelsError when the file is not a catalog */
export async function readUpstream(path: string): Promise<readonly UpstreamModel[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The catalog ${path} cannot be read (${error.code}).`);
  });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new ModelsError(`The catalog ${path} is not JSON (${(error as Error).message}).`);
  }
  const faults = CATALOG.faults(value, '');
  if (faults.length > 0) throw new ModelsError(`In the catalog ${path} ${faults.join('; ')}.`);
  const { models } = value as { models: readonly UpstreamModel[] };
  const odd = models.find(({ manifest, convert }) => (manifest === undefined) === (convert === undefined));
  if (odd !== undefined)
    throw new ModelsError(`In the catalog ${path} ${odd.name} must have either a manifest or convert.`);
  return models;
}
