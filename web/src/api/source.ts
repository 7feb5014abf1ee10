import type { ImageFormat } from './job.js';

/** An uploaded photo. */
export interface Source {
  readonly url: string;
  readonly id: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}
