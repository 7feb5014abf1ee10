import { libvips } from './libvips.js';

let profile: Promise<Buffer> | undefined;

/** The sRGB profile of the image library, attached to every result. */
export function srgbProfile(): Promise<Buffer> {
  profile ??= read();
  return profile;
}

async function read(): Promise<Buffer> {
  const black = { create: { width: 1, height: 1, channels: 3, background: '#000000' } } as const;
  const file = await libvips()(black).withIccProfile('srgb').png().toBuffer();
  const { icc } = await libvips()(file).metadata();
  if (icc === undefined) throw new Error('the image library has no sRGB profile');
  return icc;
}
