import sharp, { type Sharp } from 'sharp';

/**
 * The loaders that an untrusted file may reach: the four accepted formats, each from a file (the probe reads an upload
 * in place, without a copy in memory) and from a buffer (the worker decodes what the object store returned). Everything
 * else is blocked (SVG, TIFF, PDF, GIF, "ultra HDR", raw matrices, …): a file of another kind must not reach a parser
 * by its name, even if our own format detection had a bug.
 */
const ALLOWED_LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif'].flatMap((format) => [
  `VipsForeignLoad${format}File`,
  `VipsForeignLoad${format}Buffer`,
]);

/**
 * The loader of our own files (`pixel-file.ts`). Enabled on first use, so never in a process that serves requests. In a
 * worker, which uses it, untrusted bytes arrive only as buffers and cannot reach a file loader.
 */
const OWN_FILE_LOADER = 'VipsForeignLoadTiffFile';

/** libvips has one configuration per process. */
let configured = false;

/**
 * The image library, configured for hostile input. Only this module imports `sharp`, so no file is opened before the
 * loaders are blocked.
 */
export function libvips(): typeof sharp {
  if (configured) return sharp;
  configured = true;
  // Every image is decoded once: a cache would only keep customers' pixels in memory.
  sharp.cache(false);
  // One thread per operation: several images are processed at once, and more threads were not faster.
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ALLOWED_LOADERS });
  return sharp;
}

let readsOwnFiles = false;

/**
 * The image library over a sealed pixel file, read from top to bottom in strips. Its pixels are sRGB already: a
 * redundant conversion would take longer than encoding.
 */
export function readOwnFile(path: string): Sharp {
  const library = libvips();
  if (!readsOwnFiles) library.unblock({ operation: [OWN_FILE_LOADER] });
  readsOwnFiles = true;
  return library(path, { limitInputPixels: false, sequentialRead: true, ignoreIcc: true });
}
