/** In pixels, upright. */
export interface PhotoSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a photo, without decoding its pixels. Null if the browser cannot read it. */
export async function photoSize(file: Blob): Promise<PhotoSize | null> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', reject);
      image.src = url;
    });
    return { width: image.naturalWidth, height: image.naturalHeight };
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Larger photos are not painted as they are: decoding them again and again would freeze the page for seconds. */
const MAX_PAINTED_PIXELS = 16e6;
/** Enough for the stage on a screen with two pixels per CSS pixel. */
const REDUCED_SIDE = 2_048;

export function isPaintable({ width, height }: PhotoSize): boolean {
  return width * height <= MAX_PAINTED_PIXELS;
}

/** A photo in the size of a preview, decoded in the background. @throws DOMException if it cannot be decoded */
export function reducedPhoto(file: Blob, { width, height }: PhotoSize): Promise<ImageBitmap> {
  const scale = Math.min(1, REDUCED_SIDE / Math.max(width, height));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return createImageBitmap(file, {
    resizeWidth: side(width),
    resizeHeight: side(height),
    resizeQuality: 'low',
  });
}
