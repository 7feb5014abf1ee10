import { t } from '@lingui/core/macro';
import { Loader } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isPaintable, type PhotoSize, reducedPhoto } from './photo-size.js';
import classes from './photo-preview.module.css';

export interface PhotoPreviewProps {
  readonly url: string;
  readonly name: string;
  /** Null for a stored photo. */
  readonly file: File | null;
  /** Whether the photo is being processed. */
  readonly isBusy: boolean;
  readonly onReadable: (size: PhotoSize) => void;
  readonly onUnreadable: () => void;
}

/** The chosen photo, in the place of the later comparison, so that the layout does not shift. */
export function PhotoPreview({ url, name, file, isBusy, onReadable, onUnreadable }: PhotoPreviewProps) {
  const [painted, setPainted] = useState<'nothing' | 'photo' | ImageBitmap>('nothing');
  const onLoad = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
    onReadable({ width, height });
    if (file === null || isPaintable({ width, height })) return setPainted('photo');
    reducedPhoto(file, { width, height }).then(setPainted, () => setPainted('photo'));
  };
  return (
    <div className={classes['frame']} data-busy={isBusy}>
      {painted === 'nothing' && file !== null && (
        <Loader className={classes['loader'] ?? ''} role="progressbar" aria-label={t`Loading`} />
      )}
      {painted instanceof ImageBitmap ? (
        <Reduced bitmap={painted} name={name} />
      ) : (
        // The size is known before the photo is visible, and thus before it is decoded.
        <img
          src={url}
          alt={name}
          className={classes['photo']}
          data-measured={painted === 'photo' || file === null}
          onLoad={(event) => onLoad(event.currentTarget)}
          onError={onUnreadable}
        />
      )}
    </div>
  );
}

function Reduced({ bitmap, name }: { readonly bitmap: ImageBitmap; readonly name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // The bitmap has no size once the canvas owns it.
  const [{ width, height }] = useState({ width: bitmap.width, height: bitmap.height });
  useEffect(() => {
    if (bitmap.width > 0) canvas.current?.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  }, [bitmap]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      className={classes['photo']}
      role="img"
      aria-label={name}
    />
  );
}
