import classes from './photo-preview.module.css';

export interface PhotoPreviewProps {
  readonly url: string;
  readonly name: string;
  /** Whether something is being done with it. */
  readonly isBusy: boolean;
  readonly onReadable: () => void;
  readonly onUnreadable: () => void;
}

/** The chosen photo in the place where the comparison will be, so that nothing jumps. */
export function PhotoPreview({ url, name, isBusy, onReadable, onUnreadable }: PhotoPreviewProps) {
  return (
    <div className={classes['frame']} data-busy={isBusy}>
      <img src={url} alt={name} className={classes['photo']} onLoad={onReadable} onError={onUnreadable} />
    </div>
  );
}
