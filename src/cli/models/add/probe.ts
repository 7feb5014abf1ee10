import type { RawImage } from '../../../kernel/pixels.js';
import type { Normalization } from './readings/normalization.js';
import type { Ports } from './ports.js';
import type { RawResult } from './readings/raw-result.js';

/** Runs a model of any kind on pixels under normalizations that may be guesses. */
export interface Probe {
  readonly ports: Ports;
  /** What the runtime said when the model last did not take an image; empty as long as it took all. */
  readonly failure: string;
  /** Of the last run, milliseconds. */
  readonly lastMs: number;
  /** Null when the model does not take the image so. @param copies how many times it goes through in one batch */
  run(image: RawImage, how: Normalization, copies?: number): Promise<RawResult | null>;
  close(): Promise<void>;
}
