import { plural, t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { type Dispatch, useMemo, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SessionJob } from '../../../api/schema.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Notice } from '../../../components/notices/notice.js';
import { localPath } from '../../../lib/file-path.js';
import { maskUrlOf, showsCutout } from './can-refine.js';
import { MissingMarks } from './missing-marks.js';
import { MaskCanvas } from './mask-canvas.js';
import { marksOf } from './mask-drawing.js';
import { BRUSH_SIZES, RefineToolbar, type Tool, ZOOMS } from './refine-toolbar.js';
import classes from './refine.module.css';
import { maskSize, NO_STROKES, type Strokes, type StrokesAction, strokesReducer } from './strokes.js';
import { usePictureElement } from './use-picture-element.js';
import { useRefine } from './use-refine.js';
import { useZoomCenter } from './use-zoom-center.js';

export interface RefineModalProps {
  readonly job: SessionJob;
  readonly onClose: () => void;
}

/** Marks what a cutout must keep or omit, and runs the job again with the marks. */
export function RefineModal({ job: current, onClose }: RefineModalProps) {
  // The job at the time of opening. Each read signs the URLs again, and new pictures would discard the marks.
  const [job, setJob] = useState(current);
  const [attempt, setAttempt] = useState(1);
  const [startsOver, setStartsOver] = useState(false);
  const source = usePictureElement(localPath(job.sourceUrl));
  const maskUrl = startsOver ? null : maskUrlOf(job);
  const mask = usePictureElement(maskUrl === null ? null : localPath(maskUrl), attempt);
  const [strokes, change] = useReducer(strokesReducer, NO_STROKES);
  const { refine, isUploading } = useRefine(job.id);
  const [isAsking, setIsAsking] = useState(false);
  const hasMarks = strokes.done.length > 0;
  const close = hasMarks ? () => setIsAsking(true) : onClose;
  const discarding = {
    title: t`Discard your marks?`,
    text: t`The areas that you painted are lost.`,
    action: t`Discard marks`,
  };
  const retry = () => {
    // The URLs may have expired. The page has read the job again since.
    setJob(current);
    setAttempt(attempt + 1);
  };
  return (
    <Dialog title={t`Refine the cutout`} size="64rem" onClose={close}>
      {source === 'failed' && (
        <Notice tone="warn">{t`The photo of this job was deleted, so the job can't run again.`}</Notice>
      )}
      {(source === 'loading' || mask === 'loading') && <Loading height={420} />}
      {source instanceof HTMLImageElement && mask === 'failed' && (
        <MissingMarks onRetry={retry} onStartOver={() => setStartsOver(true)} />
      )}
      {source instanceof HTMLImageElement && mask !== 'loading' && mask !== 'failed' && (
        <Editor
          job={job}
          source={source}
          mask={mask}
          strokes={strokes}
          onStrokes={change}
          refine={refine}
          onRefined={onClose}
          onCancel={close}
        />
      )}
      {isAsking && (
        <ConfirmModal
          {...discarding}
          isBusy={false}
          error={null}
          onConfirm={onClose}
          onClose={() => setIsAsking(false)}
        />
      )}
      {/* A job that is being created is created anyway, and opens without a question. */}
      <LeaveGuard
        isOn={hasMarks && (!refine.isPending || isUploading)}
        isSending={refine.isPending}
        {...discarding}
      />
    </Dialog>
  );
}

interface EditorProps {
  readonly job: SessionJob;
  readonly source: HTMLImageElement;
  /** The mask of the job. */
  readonly mask: HTMLImageElement | null;
  readonly strokes: Strokes;
  readonly onStrokes: Dispatch<StrokesAction>;
  readonly refine: ReturnType<typeof useRefine>['refine'];
  readonly onRefined: () => void;
  readonly onCancel: () => void;
}

function Editor(props: EditorProps) {
  const { job, source, mask, strokes, onStrokes: change, refine } = props;
  const navigate = useNavigate();
  const { naturalWidth, naturalHeight } = source;
  const size = useMemo(
    () => maskSize({ width: naturalWidth, height: naturalHeight }),
    [naturalWidth, naturalHeight],
  );
  const base = useMemo(() => mask && marksOf(mask, size.width, size.height), [mask, size]);
  const [tool, setTool] = useState<Tool>('keep');
  const [brushSize, setBrushSize] = useState<number>(BRUSH_SIZES.start);
  const [zoom, setZoom] = useState<number>(ZOOMS[0]);
  const { done, undone } = strokes;
  const undo = done.length === 0 ? undefined : () => change({ kind: 'undo' });
  const redo = undone.length === 0 ? undefined : () => change({ kind: 'redo' });
  const frame = useRef<HTMLDivElement>(null);
  const keepCenter = useZoomCenter(frame);
  const step = (direction: 1 | -1) => {
    const next = ZOOMS[ZOOMS.findIndex((one) => one === zoom) + direction];
    if (next === undefined) return;
    keepCenter();
    setZoom(next);
  };
  const send = () =>
    refine.mutate(
      { ...size, strokes: done, base: mask },
      { onSuccess: ({ id }) => (props.onRefined(), void navigate(`/jobs/${id}`)) },
    );
  const shortcuts = (event: React.KeyboardEvent) => {
    const action = shortcutOf(event);
    if (action === undefined) return;
    event.preventDefault();
    if (action === 'undo') undo?.();
    else if (action === 'redo') redo?.();
    else if (action === 'larger' || action === 'smaller')
      setBrushSize((now) => clampSize(now * (action === 'larger' ? 1.2 : 1 / 1.2)));
    else step(action === 'in' ? 1 : -1);
  };
  const cost = plural(job.operations.length, { one: '# enhancement', other: '# enhancements' });
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts of the buttons in it
    <div onKeyDown={shortcuts}>
      <Text size="sm" c="dimmed" mb="sm">
        {t`Paint over the areas to keep and the areas to remove. Everything else stays as it is.`}
      </Text>
      <RefineToolbar
        tool={tool}
        onTool={setTool}
        size={brushSize}
        onSize={setBrushSize}
        zoom={zoom}
        onZoom={step}
        onUndo={undo}
        onRedo={redo}
      />
      <div ref={frame} className={classes['frame']} data-frame>
        <div className={classes['picture']} style={placed(size, zoom)}>
          <img src={source.src} alt="" className={classes['faded']} draggable={false} />
          {showsCutout(job) && job.resultUrl !== undefined && (
            <img src={localPath(job.resultUrl)} alt="" draggable={false} />
          )}
          <MaskCanvas
            {...size}
            strokes={done}
            base={base}
            brush={tool === 'move' ? null : tool}
            radius={(Math.max(size.width, size.height) * brushSize) / 2_000}
            onStroke={(stroke) => change({ kind: 'add', stroke })}
          />
        </div>
      </div>
      {refine.error !== null && <ErrorState error={refine.error} />}
      <Group justify="space-between" mt="md" gap="sm">
        <Text size="xs" c="dimmed">
          {t`Creates a new result and uses ${cost}.`}
        </Text>
        <DialogButtons
          action={t`Refine`}
          isBusy={refine.isPending}
          isDisabled={done.length === 0}
          onConfirm={send}
          onCancel={props.onCancel}
        />
      </Group>
    </div>
  );
}

/** The size that fits into the frame, multiplied by the zoom. */
function placed({ width, height }: { readonly width: number; readonly height: number }, zoom: number) {
  const share = `${zoom * 100}%`;
  return {
    aspectRatio: `${width} / ${height}`,
    width: `min(${share}, calc(${zoom} * var(--frame-height) * ${width / height}))`,
  };
}

const clampSize = (size: number): number =>
  Math.round(Math.min(BRUSH_SIZES.max, Math.max(BRUSH_SIZES.min, size)));

type Shortcut = 'undo' | 'redo' | 'larger' | 'smaller' | 'in' | 'out';

const KEYS: Readonly<Record<string, Shortcut>> = {
  '[': 'smaller',
  ']': 'larger',
  '+': 'in',
  '=': 'in',
  '-': 'out',
};

function shortcutOf({ key, ctrlKey, metaKey, shiftKey }: React.KeyboardEvent): Shortcut | undefined {
  if (!ctrlKey && !metaKey) return KEYS[key];
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' ? 'redo' : undefined;
}
