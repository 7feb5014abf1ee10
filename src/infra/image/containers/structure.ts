import { setImmediate as others } from 'node:timers/promises';
import { damaged } from '../codec/refusals.js';

/** The result of walking the structure of a file, without decoding pixels. */
export interface ImageStructure {
  /** More than one frame. A file that only *could* contain more (an animation with one frame) is a still image. */
  readonly animated: boolean;
  /** Stored size, before EXIF orientation, if the format's header states it in a fixed place. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /**
   * The offset of the coded pixels: the library reads no further for a header. Default: it may read the whole file.
   */
  readonly headerBytes?: number;
  /** Bytes of coded pixels, if the walk counts them. */
  readonly dataBytes?: number;
  /** Minimum bytes of an image of this size in this format, if there is such a bound. */
  readonly minDataBytes?: number;
}

/** Real files have at most a few thousand parts; millions of empty ones would block the event loop. */
const MAX_PARTS = 65_536;

/** The number of parts examined before other events are processed. */
const PARTS_A_TURN = 2_048;

/** Counts the parts (segments, chunks, boxes, extents) of one file. */
export class PartCount {
  private parts = 0;

  /** @throws AppError `undecodable_image` when there are more parts than in any real file */
  async add(): Promise<void> {
    this.parts += 1;
    if (this.parts > MAX_PARTS) throw damaged(`it has more than ${MAX_PARTS} parts`);
    if (this.parts % PARTS_A_TURN === 0) await others();
  }
}
