import type { InputAdapter, OutputMeaning } from '../../../../models/manifest/adapter.js';
import { UsageError } from '../../../command-line.mjs';

/** Facts that are given and need not be determined. */
export interface GivenReading {
  readonly range?: InputAdapter['range'];
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
  readonly channels?: 'RGB' | 'BGR';
  readonly meaning?: OutputMeaning;
  readonly outputRange?: InputAdapter['range'];
  readonly outputChannels?: 'RGB' | 'BGR';
  /** For a map that is stretched to 0–1. */
  readonly activation?: 'minmax';
}

/** The options of `models add` that specify how to prepare the input, as text. */
export interface ReadingOptions {
  readonly range?: string;
  readonly mean?: string;
  readonly std?: string;
  readonly channels?: 'RGB' | 'BGR';
  readonly meaning?: OutputMeaning;
  readonly outputRange?: string;
  readonly outputChannels?: 'RGB' | 'BGR';
}

/** @throws UsageError */
export function givenReading(options: ReadingOptions): GivenReading {
  const { channels, meaning, outputChannels } = options;
  const range = options.range === undefined ? undefined : rangeOf('--range', options.range);
  const mean = options.mean === undefined ? undefined : channelNumbers('--mean', options.mean);
  const std = options.std === undefined ? undefined : channelNumbers('--std', options.std);
  if (std?.some((value) => value <= 0) === true)
    throw new UsageError(`--std must be above 0, not "${options.std}".`);
  const outputRange =
    options.outputRange === undefined ? undefined : rangeOf('--output-range', options.outputRange);
  const isNormalized = mean !== undefined || std !== undefined;
  return {
    ...(range !== undefined ? { range } : isNormalized && { range: [0, 1] as const }),
    ...(mean && { mean }),
    ...(std && { std }),
    ...(channels && { channels }),
    ...(meaning && { meaning }),
    ...(outputRange && { outputRange }),
    ...(outputChannels && { outputChannels }),
  };
}

/**
 * What a file says about itself, overridden by the options. Range, mean and std are one normalization: an option for one
 * of them replaces all three. A model that takes bytes needs none, although its repository may have a configuration.
 */
export function mergedReading(
  known: GivenReading,
  given: GivenReading,
  dtype: InputAdapter['dtype'],
): GivenReading {
  const { range: _range, mean: _mean, std: _std, ...rest } = known;
  return { ...(given.range !== undefined || dtype === 'uint8' ? rest : known), ...given };
}

/** The TensorFlow.js engine passes RGB in a range and nothing else. @throws UsageError */
export function requireRangesOnly({ mean, std, channels, outputChannels }: ReadingOptions): void {
  const flags = [
    ...(mean === undefined ? [] : ['--mean']),
    ...(std === undefined ? [] : ['--std']),
    ...(channels === 'BGR' ? ['--channels BGR'] : []),
    ...(outputChannels === 'BGR' ? ['--output-channels BGR'] : []),
  ];
  if (flags.length === 0) return;
  throw new UsageError(
    `${flags.join(' and ')} cannot be used with a TensorFlow.js model, which gets and gives RGB in --range and --output-range alone.`,
  );
}

function rangeOf(flag: string, text: string): InputAdapter['range'] {
  const [low, high, ...rest] = numbers(text);
  if (low === undefined || high === undefined || rest.length > 0 || !(low < high))
    throw new UsageError(`${flag} must be two numbers, the lower first, such as 0,1; not "${text}".`);
  return [low, high];
}

function channelNumbers(flag: string, text: string): readonly number[] {
  const found = numbers(text);
  if (found.length === 1 || found.length === 3) return found;
  throw new UsageError(`${flag} must be one number, or three separated by commas; not "${text}".`);
}

/** Empty if any of the values is not a number. */
function numbers(text: string): readonly number[] {
  const found = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return found.every(Number.isFinite) ? found : [];
}
