import sharp, { type Sharp } from 'sharp';

/**
 * The loaders an untrusted file may reach: the four accepted formats, each from a file (the probe reads the
 * upload where it lies, without a copy in memory) and from a buffer (the worker decodes what the object store
 * gave it). Everything else stays blocked (SVG, TIFF, PDF, GIF, "ultra HDR", raw matrices, ...): a file of
 * another kind must not reach a parser by naming itself .jpg, and this holds even if our own sniffing had a
 * hole.
 */
const ALLOWED_LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif'].flatMap((format) => [
  `VipsForeignLoad${format}File`,
  `VipsForeignLoad${format}Buffer`,
]);

/**
 * What reads a file of ours (`pixel-file.ts`). Opened on first use, hence never in a process that serves
 * requests; in a worker, which uses it, the bytes of strangers come as buffers only and cannot reach a loader
 * of files.
 */
const OWN_FILE_LOADER = 'VipsForeignLoadTiffFile';

/** libvips has one configuration per process. */
let configured = false;

/**
 * The image library, configured for hostile input. Only this module imports `sharp`, so no file is opened
 * before the loaders are blocked.
 */
export function libvips(): typeof sharp {
  if (configured) return sharp;
  configured = true;
  // Every image is decoded once: a cache would only keep pixels of customers in memory.
  sharp.cache(false);
  // One thread per operation: several images are processed at once, and more threads were not faster.
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ALLOWED_LOADERS });
  return sharp;
}

let readsOwnFiles = false;

/**
 * The image library over a sealed pixel file, which it reads from top to bottom, strip by strip. Its pixels
 * are sRGB already: converting them to what they are would take longer than encoding them.
 */
export function readOwnFile(path: string): Sharp {
  const library = libvips();
  if (!readsOwnFiles) library.unblock({ operation: [OWN_FILE_LOADER] });
  readsOwnFiles = true;
  return library(path, { limitInputPixels: false, sequentialRead: true, ignoreIcc: true });
}
