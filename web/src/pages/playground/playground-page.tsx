import { Text } from '@mantine/core';
import { useCallback, useRef, useState } from 'react';
import { hasEnded, type Level } from '../../api/jobs/job.js';
import { useOperations } from '../../api/models/operations.js';
import type { SessionJob } from '../../api/schema.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { Controls } from './controls.js';
import { isRunning, type Photo } from './run/enhancement-state.js';
import { lastJob } from './run/last-job.js';
import { PhotoDrop } from './photo/photo-drop.js';
import { choosePhoto, unreadableText } from './photo/photo-file.js';
import classes from './playground-page.module.css';
import { RecentResults } from './recent-results.js';
import { SameCall } from './same-call.js';
import { Stage } from './stage.js';
import { useAllowance } from './run/use-allowance.js';
import { useEnhancement } from './run/use-enhancement.js';
import { useLastJob } from './run/use-last-job.js';
import { usePhoto } from './photo/use-photo.js';
import { usePhotoIntake } from './photo/use-photo-intake.js';
import { useResultInView } from './use-result-in-view.js';
import { useSample } from './photo/use-sample.js';

const NOTHING = { fault: null, note: null };

/** One photo, one operation, the result beside it. */
export function PlaygroundPage() {
  const operations = useOperations();
  const allowance = useAllowance();
  const [operation, setOperation] = useState('auto_enhance');
  const [level, setLevel] = useState<Level>('medium');
  const [results, setResults] = useState<readonly SessionJob[]>([]);
  const [shown, setShown] = useState<SessionJob | null>(null);
  const [said, setSaid] = useState<{ readonly fault: string | null; readonly note: string | null }>(NOTHING);
  const { photo, choose, restore, clear, keepSource, confirm } = usePhoto();
  const stage = useRef<HTMLDivElement>(null);
  const onCompleted = useCallback((job: SessionJob) => {
    setResults((before) => [job, ...before]);
    setShown(job);
  }, []);
  const { run, uncanceled, start, resume, stop, cancel, reset } = useEnhancement({
    onUploaded: keepSource,
    onCompleted,
  });
  const renew = useCallback(() => {
    lastJob.forget();
    reset();
    setShown(null);
    setResults([]);
    setSaid(NOTHING);
  }, [reset]);
  const isBusy = isRunning(run);
  const take = useCallback(
    (files: readonly File[]) => {
      if (isBusy) {
        setSaid({
          fault: 'Wait until this enhancement ends, or cancel it, before you add another photo.',
          note: null,
        });
        return;
      }
      const { file, fault, note } = choosePhoto(files);
      if (file !== null) {
        renew();
        choose(file);
      }
      setSaid({ fault, note });
    },
    [choose, isBusy, renew],
  );
  usePhotoIntake(take);
  useLastJob((job) => {
    restore(job);
    setOperation(job.operation);
    setLevel(job.level);
    if (!hasEnded(job)) void resume(job);
    else if (job.status === 'completed') onCompleted(job);
  });
  useResultInView(stage, shown?.id);
  const sample = useSample(take);
  const begin = () => {
    if (photo === null) return;
    setShown(null);
    setSaid(NOTHING);
    void start(photo, { operation, level });
  };
  const refuse = ({ name, file }: Photo) => {
    renew();
    clear();
    // The photo of an earlier job was deleted meanwhile.
    if (file !== null) setSaid({ fault: unreadableText(name), note: null });
  };
  return (
    <>
      <PageHeader title="Playground" description="Try any operation on your own photo." />
      <div className={classes['layout']}>
        <div ref={stage} className={classes['stage']}>
          {photo === null ? (
            <PhotoDrop onFiles={take} onSample={sample.load} isSampleLoading={sample.isLoading} />
          ) : (
            <Stage
              photo={photo}
              run={run}
              shown={shown}
              onReadable={({ file }) => confirm(file)}
              onUnreadable={refuse}
              onOther={() => {
                renew();
                clear();
              }}
            />
          )}
          {said.fault !== null && (
            <Text size="sm" mt="xs" c="var(--mantine-color-error)" role="alert">
              {said.fault}
            </Text>
          )}
          {said.note !== null && (
            <Text size="sm" mt="xs" c="dimmed" role="status">
              {said.note}
            </Text>
          )}
          <RecentResults results={results} shown={shown} onShow={setShown} />
        </div>
        <Controls
          operations={operations.names}
          operation={operation}
          level={level}
          run={run}
          hasPhoto={photo !== null}
          isReady={photo?.isReadable === true}
          isRunning={isBusy}
          allowance={allowance}
          isRepeated={results.some((job) => job.operation === operation && job.level === level)}
          onOperation={setOperation}
          onLevel={setLevel}
          onStart={begin}
          onStop={stop}
          uncanceled={uncanceled}
          onCancel={(jobId) => void cancel(jobId)}
        />
      </div>
      <SameCall
        input={{
          baseUrl: window.location.origin,
          fileName: photo?.name ?? 'photo.jpg',
          operation,
          level,
        }}
      />
    </>
  );
}
