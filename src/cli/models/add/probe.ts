import type { RawImage } from '../../../kernel/pixels.js';
import type { Normalization } from './readings/normalization.js';
import type { Ports } from './ports.js';
import type { RawResult } from './readings/raw-result.js';

/** Runs a model of any format on pixels with different normalizations. */
export interface Probe {
  readonly ports: Ports;
  /** The runtime's message when the model last rejected an image; empty if it has accepted all images. */
  readonly failure: string;
  /** Duration of the last run, in milliseconds. */
  readonly lastMs: number;
  /**
   * The result for the image. Null when the model rejects it in this form.
   * @param others images of the same size that follow it in its batch
   */
  run(image: RawImage, how: Normalization, others?: readonly RawImage[]): Promise<RawResult | null>;
  close(): Promise<void>;
}
