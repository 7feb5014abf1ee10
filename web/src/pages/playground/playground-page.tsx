import { useCallback, useState } from 'react';
import type { Level } from '../../api/jobs/job.js';
import { useOperations } from '../../api/models/operations.js';
import type { SessionJob } from '../../api/schema.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { Controls } from './controls.js';
import { isRunning } from './enhancement-state.js';
import { PhotoDrop } from './photo-drop.js';
import classes from './playground-page.module.css';
import { RecentResults } from './recent-results.js';
import { SameCall } from './same-call.js';
import { Stage } from './stage.js';
import { useEnhancement } from './use-enhancement.js';
import { usePhoto } from './use-photo.js';
import { useSample } from './use-sample.js';

/** One photo, one operation, the result beside it. */
export function PlaygroundPage() {
  const operations = useOperations();
  const [operation, setOperation] = useState('auto_enhance');
  const [level, setLevel] = useState<Level>('medium');
  const [results, setResults] = useState<readonly SessionJob[]>([]);
  const [shown, setShown] = useState<SessionJob | null>(null);
  const { photo, choose, clear, keepSource } = usePhoto();
  const onCompleted = useCallback((job: SessionJob) => {
    setResults((before) => [job, ...before]);
    setShown(job);
  }, []);
  const { run, uncanceled, start, stop, cancel, reset } = useEnhancement({
    onUploaded: keepSource,
    onCompleted,
  });
  const renew = useCallback(() => {
    reset();
    setShown(null);
    setResults([]);
  }, [reset]);
  const take = useCallback(
    (file: File) => {
      renew();
      choose(file);
    },
    [choose, renew],
  );
  const sample = useSample(take);
  const begin = () => {
    if (photo === null) return;
    setShown(null);
    void start(photo, { operation, level });
  };
  return (
    <>
      <PageHeader title="Playground" description="Try any operation on your own photo." />
      <div className={classes['layout']}>
        <div className={classes['stage']}>
          {photo === null ? (
            <PhotoDrop onPhoto={take} onSample={sample.load} isSampleLoading={sample.isLoading} />
          ) : (
            <Stage
              photo={photo}
              run={run}
              shown={shown}
              onOther={() => {
                renew();
                clear();
              }}
            />
          )}
          <RecentResults results={results} shown={shown} onShow={setShown} />
        </div>
        <Controls
          operations={operations.names}
          operation={operation}
          level={level}
          run={run}
          isReady={photo !== null}
          isRunning={isRunning(run)}
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
          fileName: photo?.file.name ?? 'photo.jpg',
          operation,
          level,
        }}
      />
    </>
  );
}
