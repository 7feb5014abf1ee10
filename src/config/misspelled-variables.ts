import type { Descriptor } from './variables/descriptor.js';
import { DESCRIPTORS } from './env.js';
import { fileVariable } from './secrets/secret-files.js';

/** Names shorter than this are too similar to each other. */
const MIN_NAME_LENGTH = 6;
const MAX_EDITS = 2;
/** Short names allow one edit: `PORTS` more likely belongs to another program than being a typing error. */
const SHORT_NAME = 9;

const KNOWN: ReadonlySet<string> = new Set(
  Object.values<Descriptor<unknown>>(DESCRIPTORS).flatMap(({ name, isSecret }) =>
    isSecret === true ? [name, fileVariable(name)] : [name],
  ),
);

/**
 * A warning for each unknown variable whose name is close to a known one, such as `DATABSE_URL`. Other unknown names
 * are ignored, because an environment contains many variables of other programs.
 */
export function misspelledVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  const set = new Set(Object.keys(env));
  const unset = [...KNOWN]
    .filter((known) => known.length >= MIN_NAME_LENGTH && !set.has(known))
    .map((known) => ({ known, characters: charactersIn(known) }));
  const given = [...set].filter((name) => name.length >= MIN_NAME_LENGTH && !KNOWN.has(name));
  return given.toSorted().flatMap((name) => {
    const meant = nearest(name, unset);
    return meant === undefined ? [] : [`unknown variable ${name}, did you mean ${meant}?`];
  });
}

interface KnownName {
  readonly known: string;
  readonly characters: number;
}

/** @param unset A variable that is also set under its correct name was not misspelled */
function nearest(name: string, unset: readonly KnownName[]): string | undefined {
  const allowed = name.length < SHORT_NAME ? 1 : MAX_EDITS;
  const upper = name.toUpperCase();
  const characters = charactersIn(upper);
  return unset
    .filter((one) => bitCount(characters ^ one.characters) <= 2 * MAX_EDITS)
    .map(({ known }) => ({ known, edits: editDistance(upper, known) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits)[0]?.known;
}

/** A bit for each character that occurs, some of which share one. An edit changes at most two of them. */
function charactersIn(text: string): number {
  let bits = 0;
  // A shift uses the lowest five bits of the code.
  for (let index = 0; index < text.length; index += 1) bits |= 1 << text.charCodeAt(index);
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/**
 * The number of insertions, deletions, replacements, and swaps of neighbors that turn one text into the other: the
 * optimal string alignment distance (https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance).
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? beforeLast[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
