import classes from './photo-preview.module.css';

export interface PhotoPreviewProps {
  readonly url: string;
  readonly name: string;
  /** Whether the photo is being processed. */
  readonly isBusy: boolean;
  readonly onReadable: () => void;
  readonly onUnreadable: () => void;
}

/** The chosen photo, in the place of the later comparison, so that the layout does not shift. */
export function PhotoPreview({ url, name, isBusy, onReadable, onUnreadable }: PhotoPreviewProps) {
  return (
    <div className={classes['frame']} data-busy={isBusy}>
      <img src={url} alt={name} className={classes['photo']} onLoad={onReadable} onError={onUnreadable} />
    </div>
  );
}
