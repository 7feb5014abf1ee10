import type { InputAdapter, OutputAdapter, SizeRule } from '../../../models/manifest/adapter.js';
import { type ModelValue, valueText } from '../../../models/onnx/model-head.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { ModelsError } from '../models-command.js';
import { maxBatch } from './batch-rule.js';
import {
  type Candidate,
  type Choice,
  choose,
  isSame,
  type Reading,
  rootMeanSquare,
} from './readings/candidates.js';
import { drawnPictures, drawnSubjects, type Extent, firstDrawnPicture } from './readings/drawn-pictures.js';
import type { GivenReading } from './readings/given-reading.js';
import { innerPicture } from './readings/inner-part.js';
import { MAP_BOUNDS, mapCandidates } from './readings/map-readings.js';
import type { Normalization } from './readings/normalization.js';
import { PICTURE_BOUNDS, pictureCandidates } from './readings/picture-readings.js';
import { isNativeInput, type Ports } from './ports.js';
import type { Probe } from './probe.js';
import { receptiveField } from './receptive-field.js';
import { missingOperator } from './require-loadable.js';
import { blankPicture, extentOf, sizeRule } from './size-rule.js';

/** Everything that was found out about a file by running it. */
export interface Inspection {
  readonly input: InputAdapter;
  readonly output: OutputAdapter;
  /** Output pixels per input pixel. */
  readonly scale: number;
  /** Receptive field: pixels that a result depends on, to each side; null when it depends on the whole image. */
  readonly reach: number | null;
  readonly maxBatch: number;
  /** Declared outputs that are not used. */
  readonly leftOut: readonly ModelValue[];
  /** How many common normalizations give the same maps for the drawings; 1 for models that output pictures. */
  readonly alike: number;
  /** Whether the order of red and blue could not be determined. */
  readonly isOrderOpen: boolean;
  /** Other usual inputs with which a residual makes a plausible, but different picture. */
  readonly otherInputs: readonly Normalization[];
  /** Evidence against a reading that was given; null if there is none. */
  readonly doubt: string | null;
}

/** Several readings are plausible, and the user has to choose. */
export interface OpenQuestion {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** The pictures that the model was run on. */
  readonly pictures: readonly RawImage[];
  readonly scale: number;
}

/**
 * Edge length of a test picture, in pixels, for models that accept any size. It is small, because some models need
 * seconds for it.
 */
const EDGE = 128;
/** Edge length of the picture for measuring the receptive field. */
const WIDE_EDGE = 192;
const WHOLE_EDGE = 320;

/** Reports the current step, for progress display. */
export type OnStep = (doing: string) => void;

/**
 * Finds out what input an unknown model expects and what it outputs: from the declared shapes, then by running it on
 * drawn pictures in one session. Closes the probe.
 * @param leftOut declared outputs that are not used
 * @throws ModelsError that says what could not be found out
 */
export async function inspect(
  probe: Probe,
  leftOut: readonly ModelValue[],
  given: GivenReading,
  onStep: OnStep,
): Promise<Inspection | OpenQuestion> {
  try {
    return await new Inspector(probe, given, onStep).inspect(leftOut);
  } finally {
    await probe.close();
  }
}

class Inspector {
  private readonly ports: Ports;

  constructor(
    private readonly probe: Probe,
    private readonly given: GivenReading,
    private readonly onStep: OnStep,
  ) {
    this.ports = probe.ports;
  }

  async inspect(leftOut: readonly ModelValue[]): Promise<Inspection | OpenQuestion> {
    const { ports, probe, given } = this;
    const { size, first } = await this.sizes(leftOut);
    const isMap = this.isMap(first.channels);
    const extent = extentOf(size, isMap ? WHOLE_EDGE : EDGE);
    const scale = isMap ? 1 : scaleOf(first, extentOf(size, EDGE));
    const subjects = isMap ? drawnSubjects(extent) : [];
    const pictures = isMap ? subjects.map(({ image }) => image) : drawnPictures(extent);
    this.onStep('trying how it is fed');
    const candidates = isMap
      ? await mapCandidates(probe, subjects, given)
      : await pictureCandidates(probe, pictures, scale, given);
    const choice = choiceOf(candidates, given, isMap);
    if (choice.kind === 'unclear')
      return {
        candidates: choice.candidates,
        pictures: isMap ? pictures : pictures.map(innerPicture),
        scale,
      };
    const { reading, fault } = choice.best;
    const alike = isMap ? choice.alike : 1;
    const otherInputs = await this.otherInputs(choice.best, candidates, pictures, scale);
    const order = await this.orderOf(choice.best, pictures, scale, isMap);
    const input: InputAdapter = { ...ports.input, ...reading.input, channels: order.channels, size };
    const output = outputAdapter(ports, reading, order.channels);
    const reach = isMap ? null : await this.reach(input, output, scale, size);
    this.onStep('trying a batch');
    const batch = await maxBatch(probe, { input, output }, pictures[0]!);
    const openness = { isOrderOpen: order.isOpen, alike, otherInputs, doubt: fault };
    return { input, output, scale, reach, maxBatch: batch, leftOut, ...openness };
  }

  /** The size rule, and the model's result for one picture whose size satisfies it. */
  private async sizes(
    leftOut: readonly ModelValue[],
  ): Promise<{ readonly size: SizeRule; readonly first: { channels: number } & Extent }> {
    const { ports, probe } = this;
    const how: Normalization = { channels: ports.isGray ? 'Y' : 'RGB', range: [0, 1] };
    this.onStep('trying sizes');
    const size = await sizeRule(ports.value, ports.input.layout, (extent) =>
      probe.run(blankPicture(extent), how),
    );
    const first = size === null ? null : await probe.run(blankPicture(extentOf(size, EDGE)), how);
    if (size !== null && first !== null) return { size, first };
    const missing = missingOperator(probe.failure);
    if (missing !== undefined) throw missing;
    const why =
      probe.failure === ''
        ? 'its results do not have whole multiples of the size of the source'
        : `the runtime says: ${probe.failure}`;
    const others = leftOut.map(valueText).join(', ');
    const hint =
      others === ''
        ? ''
        : ` Only the first output, ${ports.output.name}, was tried. If the result is another one (${others}), export the model with that output alone.`;
    throw new ModelsError(
      `The model runs at none of the sizes that were tried (67, and multiples of 2 to 64); ${why}.${hint}`,
    );
  }

  private isMap(channels: number): boolean {
    const { meaning } = this.given;
    if (meaning !== undefined) return meaning === 'alpha' || meaning === 'logits';
    return channels !== (this.ports.isGray ? 1 : 3);
  }

  /**
   * Added to its source, nearly any residual looks like the source, in a wrong range, too. The smallest error only says
   * in which range the network does least.
   */
  private async otherInputs(
    best: Candidate,
    candidates: readonly Candidate[],
    pictures: readonly RawImage[],
    scale: number,
  ): Promise<readonly Normalization[]> {
    const { meaning } = best.reading.output;
    if (meaning !== 'residual') return [];
    const { range, mean: _mean, std: _std, outputRange: _own, ...rest } = this.given;
    const shown = pictures.slice(0, best.results.length);
    const all =
      range === undefined
        ? candidates
        : await pictureCandidates(this.probe, shown, scale, { ...rest, meaning });
    return all
      .filter(({ reading, fault }) => reading.output.meaning === meaning && fault === null)
      .filter((other) => !isSame(other, best, PICTURE_BOUNDS.same))
      .map(({ reading }) => reading.input);
  }

  /** Swaps red and blue and checks whether the result is closer to its source. Maps have no colors to compare. */
  private async orderOf(
    best: Candidate,
    pictures: readonly RawImage[],
    scale: number,
    isMap: boolean,
  ): Promise<{ readonly channels: Normalization['channels']; readonly isOpen: boolean }> {
    const { input, output } = best.reading;
    const { channels } = input;
    if (output.channels !== undefined && output.channels !== channels)
      return { channels, isOpen: this.given.channels === undefined };
    const isKnown =
      this.ports.engine === 'tensorflow' ||
      channels !== 'RGB' ||
      this.given.channels !== undefined ||
      this.given.outputChannels !== undefined ||
      isNativeInput(this.ports.input);
    if (isKnown || isMap) return { channels, isOpen: !isKnown };
    this.onStep('trying the order of channels');
    const { range, mean, std } = input;
    const swapped = await pictureCandidates(this.probe, pictures.slice(0, best.results.length), scale, {
      ...(mean && { mean }),
      ...(std && { std }),
      range,
      channels: 'BGR',
      meaning: output.meaning,
      outputRange: output.range,
    });
    const other = swapped[0]!;
    if (isAlike(best, other)) return { channels, isOpen: false };
    const { share, more } = PICTURE_BOUNDS;
    const isWorse = (a: number, b: number): boolean => a > b * (1 + share) + more;
    if (other.fault === null && isWorse(best.error, other.error)) return { channels: 'BGR', isOpen: false };
    return { channels, isOpen: !isWorse(other.error, best.error) };
  }

  private async reach(
    input: InputAdapter,
    { range: [low, high] }: OutputAdapter,
    scale: number,
    size: SizeRule,
  ): Promise<number | null> {
    this.onStep('measuring how far a pixel is seen');
    const extent = extentOf(size, WIDE_EDGE);
    const image = firstDrawnPicture(extent);
    return receptiveField(image, (pixels) => this.probe.run(pixels, input), scale, (high - low) / 255);
  }
}

/**
 * A reading that was given completely is accepted regardless of its results for drawn pictures. If the order of the
 * output's channels is still open, the output has the order of the input, which is the first candidate.
 */
function choiceOf(candidates: readonly Candidate[], given: GivenReading, isMap: boolean): Choice {
  const choice = choose(candidates, isMap ? MAP_BOUNDS : PICTURE_BOUNDS);
  if (choice.kind === 'clear' || given.range === undefined) return choice;
  const outputs = new Set(
    candidates.map(({ reading: { output } }) => `${output.meaning} ${output.range.join()}`),
  );
  return outputs.size === 1 ? { kind: 'clear', best: candidates[0]!, alike: 1 } : choice;
}

/** Whether two readings with opposite channel orders give the same picture. */
function isAlike(rgb: Candidate, bgr: Candidate): boolean {
  return rgb.results.every((planes, index) => {
    const other = bgr.results[index];
    if (other === undefined) return false;
    const size = planes.length / 3;
    const swapped = new Float32Array(planes.length);
    for (let channel = 0; channel < 3; channel++)
      swapped.set(other.subarray((2 - channel) * size, (3 - channel) * size), channel * size);
    return rootMeanSquare(planes, swapped) < 1;
  });
}

function outputAdapter(
  ports: Ports,
  { input, output }: Reading,
  channels: Normalization['channels'],
): OutputAdapter {
  const { channels: own, ...rest } = output;
  if (own === undefined) return { ...ports.output, ...rest };
  return { ...ports.output, ...rest, channels: own === input.channels ? channels : own };
}

function scaleOf(made: Extent, image: Extent): number {
  const scale = made.height / image.height;
  if (Number.isInteger(scale) && made.width === image.width * scale && scale <= 8 && scale >= 1) return scale;
  throw new ModelsError(
    `The model makes ${made.height} × ${made.width} of ${image.height} × ${image.width}; a result must be 1 to 8 times as large, in whole steps.`,
  );
}
