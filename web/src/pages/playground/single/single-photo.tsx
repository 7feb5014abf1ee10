import { t } from '@lingui/core/macro';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { hasEnded } from '../../../api/jobs/job.js';
import type { SessionJob } from '../../../api/schema.js';
import { useMaxPixels } from '../../../api/session/session.js';
import { uploadPhoto } from '../../../api/uploads/upload.js';
import { useResultInView } from '../../../components/compare/use-result-in-view.js';
import { IntakeMessages } from '../../../components/photo/intake-messages.js';
import { PhotoDrop } from '../../../components/photo/photo-drop.js';
import {
  type GivenPhotos,
  sizeFault,
  sortFiles,
  unreadableText,
} from '../../../components/photo/photo-file.js';
import { type Photo, usePhoto } from '../../../components/photo/use-photo.js';
import { usePhotoIntake } from '../../../components/photo/use-photo-intake.js';
import { useSample } from '../../../components/photo/use-sample.js';
import { LostChoice } from '../lost-choice.js';
import classes from '../playground-layout.module.css';
import { isMadeWith, orderOf } from '../recipe/recipe.js';
import type { RecipeEditing } from '../recipe/use-recipe.js';
import { isRunning } from '../run/enhancement-state.js';
import { lastJob } from '../run/last-job.js';
import { RunControls } from '../run/run-controls.js';
import { useAllowance } from '../run/use-allowance.js';
import { useEnhancement } from '../run/use-enhancement.js';
import { useEstimate } from '../run/use-estimate.js';
import { useLastJob } from '../run/use-last-job.js';
import { RecentResults } from './recent-results.js';
import { Stage } from './stage.js';
import { UnopenedPhoto } from './unopened-photo.js';
import { shareUpload } from './share-upload.js';
import { useGivenPhoto } from './use-given-photo.js';
import { useKeptPhoto } from './use-kept-photo.js';
import { usePhotoStoring } from './use-photo-storing.js';

const NOTHING = { fault: null, note: null };
const BUSY = t`Wait until this enhancement ends, or cancel it, before you add another photo.`;

export interface SinglePhotoProps {
  readonly editing: RecipeEditing;
  readonly editor: ReactNode;
  /** Called when several photos were added at once. */
  readonly onMany: (photos: GivenPhotos) => void;
  readonly onName: (name: string | null) => void;
}

/** One photo and its results. */
export function SinglePhoto({ editing, editor, onMany, onName }: SinglePhotoProps) {
  const { recipe } = editing;
  const allowance = useAllowance(recipe.steps.length);
  const maxPixels = useMaxPixels();
  const [results, setResults] = useState<readonly SessionJob[]>([]);
  const [shown, setShown] = useState<SessionJob | null>(null);
  const [said, setSaid] = useState<{ readonly fault: string | null; readonly note: string | null }>(NOTHING);
  const choice = usePhoto();
  const { photo, choose, restore, clear, keepSource, confirm } = choice;
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => onName(photo?.name ?? null), [onName, photo?.name]);
  const onCompleted = useCallback((job: SessionJob) => {
    setResults((before) => [job, ...before]);
    setShown(job);
  }, []);
  const [upload] = useState(() => shareUpload(uploadPhoto));
  const given = useGivenPhoto({ onStored: restore, onFile: choose });
  const { forget: forgetChosen, forgetSame } = useKeptPhoto(
    choice,
    !given.isAsked && lastJob.read() === null,
  );
  const { drop } = given;
  const onCreated = useCallback(() => {
    drop();
    forgetChosen();
  }, [drop, forgetChosen]);
  const { run, uncanceled, start, resume, stop, cancel, reset } = useEnhancement({
    upload,
    onUploaded: keepSource,
    onCreated,
    onCreatedAway: forgetSame,
    onCompleted,
  });
  const isBusy = isRunning(run);
  const renew = useCallback(() => {
    lastJob.forget();
    forgetChosen();
    drop();
    reset();
    setShown(null);
    setResults([]);
    setSaid(NOTHING);
  }, [drop, forgetChosen, reset]);
  const take = useCallback(
    (files: readonly File[], folder: string | null = null, unread: readonly string[] = []) => {
      if (isBusy) return setSaid({ fault: BUSY, note: null });
      const sorted = sortFiles(files, folder, unread);
      const [file, second] = sorted.photos;
      const [refused] = sorted.refused;
      if (second !== undefined) {
        renew();
        return onMany(sorted);
      }
      if (file === undefined) return setSaid({ fault: refused?.reason ?? null, note: null });
      renew();
      choose(file);
      const count = files.length + unread.length;
      const note = refused === undefined ? null : t`You added ${count} files. Using ${file.name}.`;
      setSaid({ fault: null, note });
    },
    [choose, isBusy, onMany, renew],
  );
  usePhotoIntake(take);
  useLastJob(!given.isAsked, (job) => {
    restore(job.sourceUrl, job.sourceName);
    if (!editing.isChosen) editing.takeFrom(job);
    if (!hasEnded(job)) void resume(job);
    else if (job.status === 'completed') onCompleted(job);
  });
  useResultInView(stage, shown?.id);
  const sample = useSample(take);
  const storing = usePhotoStoring(photo, upload, keepSource);
  const order = orderOf(recipe);
  const estimate = useEstimate(photo?.sourceUrl ?? null, order, !isBusy && allowance.refusal === null);
  const begin = () => {
    if (photo === null) return;
    setShown(null);
    setSaid(NOTHING);
    storing.forgetError();
    void start(photo, order);
  };
  const refuse = ({ name, file }: Photo, fault = unreadableText(name)) => {
    renew();
    clear();
    // The photo of an earlier job was deleted in the meantime.
    if (file !== null) setSaid({ fault, note: null });
  };
  const isReady = photo?.isReadable === true;
  return (
    <div className={classes['layout']}>
      <div ref={stage} className={classes['stage']}>
        {photo === null ? (
          <>
            <LostChoice />
            <PhotoDrop
              onFiles={take}
              onSample={sample.load}
              isSampleLoading={sample.isLoading || given.isLoading}
            />
          </>
        ) : (
          <Stage
            photo={photo}
            run={run}
            shown={shown}
            onReadable={(read, size) => {
              const fault = read.file === null ? null : sizeFault(read.name, size, maxPixels);
              if (fault === null) confirm(read.file);
              else refuse(read, fault);
            }}
            onUnreadable={(unread) => refuse(unread)}
            onOther={() => {
              renew();
              clear();
            }}
          />
        )}
        {given.error !== null && <UnopenedPhoto error={given.error} onRetry={given.retry} />}
        <IntakeMessages {...said} />
        <RecentResults results={results} shown={shown} onShow={setShown} />
      </div>
      <form
        className={classes['controls']}
        aria-label={t`Enhancement`}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && allowance.refusal === null && !isBusy) begin();
        }}
      >
        {editor}
        <RunControls
          run={run}
          hasPhoto={photo !== null}
          isReady={isReady}
          allowance={allowance}
          isRepeated={results.some((job) => isMadeWith(job, recipe))}
          estimate={{ ...estimate, error: storing.error ?? estimate.error }}
          onEstimate={isReady && photo.sourceUrl === null ? storing.start : undefined}
          isStoring={storing.isBusy}
          onStart={begin}
          onStop={stop}
          uncanceled={uncanceled}
          onCancel={(jobId) => void cancel(jobId)}
        />
      </form>
    </div>
  );
}
