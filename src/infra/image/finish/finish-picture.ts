import type { AppliedOutput, BackgroundFit, OutputKind, Shadow } from '../../../kernel/output-options.js';
import type { PixelShape, Region } from '../../../kernel/pixels.js';
import { PixelFile } from '../codec/pixel-file.js';
import { compose, composedShape } from './compose.js';
import type { Matte } from './matte.js';
import { drawMatte } from './matte-picture.js';
import { resizeToFile } from './resize.js';
import { ShadowMap, type ShadowPixels } from './shadow-map.js';
import { subjectFrame } from './subject-frame.js';

/** What to draw from a picture with transparency. */
export interface FinishOptions {
  readonly kind: OutputKind;
  /** Crops to the subject with this padding, as a share of its longer side. Null keeps the whole picture. */
  readonly cropPadding: number | null;
  readonly shadow: Shadow | null;
  readonly background: { readonly picture: PixelFile; readonly fit: BackgroundFit } | null;
}

/** The files that the work uses. */
export interface FinishRoom {
  /** The path of a file with this name. */
  readonly path: (name: string) => string;
  /** Registers a new file, which is closed however the work ends. */
  readonly kept: (file: PixelFile) => PixelFile;
  readonly signal: AbortSignal;
}

export interface FinishedPicture {
  readonly picture: PixelFile;
  readonly applied: Pick<AppliedOutput, 'crop' | 'shadow'>;
}

/**
 * Crops a cutout, draws its shadow, and composites it over a background; or draws its matte. Streams strips of pixels
 * from file to file. Removes the input files when it succeeds.
 * @param image RGBA, sealed
 * @throws AppError `service_unavailable` when the disk is full; the reason of the signal
 */
export async function finishPicture(
  image: PixelFile,
  { subject }: Matte,
  options: FinishOptions,
  room: FinishRoom,
): Promise<FinishedPicture> {
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const { cropPadding, shadow } = options;
  const frame =
    cropPadding === null || subject === null
      ? whole
      : subjectFrame(subject, image, { padding: cropPadding, shadow: shadow ?? undefined });
  const soft = shadow === null || subject === null ? null : inPixels(shadow, subject);
  const picture =
    options.kind === 'image'
      ? await composed(image, frame, { soft, background: options.background }, room)
      : await drawn(image, frame, options.kind, room);
  await image.remove();
  return {
    picture,
    applied: { ...(cropPadding !== null && { crop: frame }), ...(soft !== null && { shadow: soft }) },
  };
}

function inPixels({ opacity, blur, offsetX, offsetY }: Shadow, { width, height }: Region): ShadowPixels {
  const side = Math.max(width, height);
  const pixels = (share: number): number => Math.round(share * side * 10) / 10;
  return {
    opacity,
    blurPixels: pixels(blur),
    offsetXPixels: pixels(offsetX),
    offsetYPixels: pixels(offsetY),
  };
}

async function composed(
  image: PixelFile,
  frame: Region,
  { soft, background }: { readonly soft: ShadowPixels | null } & Pick<FinishOptions, 'background'>,
  room: FinishRoom,
): Promise<PixelFile> {
  const shadow = soft === null ? null : await ShadowMap.of(image, soft, room.signal);
  const behind = background === null ? null : await fitted(background, frame, room);
  const target = await created(room, composedShape(frame, behind));
  await compose(image, frame, { shadow, background: behind }, target, room.signal);
  await behind?.remove();
  await target.seal();
  return target;
}

async function fitted(
  { picture, fit }: NonNullable<FinishOptions['background']>,
  { width, height }: Region,
  room: FinishRoom,
): Promise<PixelFile> {
  const backdrop = await resizeToFile(picture, room.path('backdrop.v'), { width, height, fit });
  await picture.remove();
  return room.kept(backdrop);
}

async function drawn(
  image: PixelFile,
  frame: Region,
  kind: Exclude<OutputKind, 'image'>,
  room: FinishRoom,
): Promise<PixelFile> {
  const target = await created(room, { width: frame.width, height: frame.height, channels: 3 });
  await drawMatte(image, frame, kind, target, room.signal);
  await target.seal();
  return target;
}

const created = async ({ path, kept }: FinishRoom, shape: PixelShape): Promise<PixelFile> =>
  kept(await PixelFile.create(path('finished.tif'), shape));
