import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ConnectionError, InvalidImageError } from 'image-enhancement-client';
import { createBatch } from '../../../api/batches/batches.js';
import { untilReachable } from '../../../api/connection.js';
import { isGone, problemOf } from '../../../api/problem.js';
import { useMaxPixels } from '../../../api/session/session.js';
import { uploadOneOfMany } from '../../../api/uploads/upload.js';
import { abortOf } from '../../../lib/async/abort-of.js';
import { inParallel } from '../../../lib/async/in-parallel.js';
import { useOrderKey } from '../../../lib/use-order-key.js';
import { type GivenPhotos, sizeFault } from '../../../components/photo/photo-file.js';
import { photoSize } from '../../../components/photo/photo-size.js';
import { type ChosenPhotos, useChosenPhotos } from '../chosen-photos.js';
import type { RecipeOrder } from '../recipe/recipe.js';
import { showCreated, showNotCreated } from './late-batch.js';
import { itemsOf, type ManyItem } from './many-item.js';

const UPLOADS_AT_ONCE = 3;
const MAX_FOLDER_NAME = 200;
/** Lost connections that the upload of one photo survives. */
const MAX_OUTAGES = 5;

/** The phase. `stopped`: some photos could not be uploaded, and the user has to decide how to continue. */
export type ManyPhase = 'choosing' | 'uploading' | 'creating' | 'stopped';

/**
 * Uploads several photos and creates a batch from them. If the user leaves the page, uploads end, but a batch that is
 * being created is still created. A notification then reports the outcome.
 * @param onCreated called with the id of the batch, unless the user has left the page
 */
export function useManyPhotos(photos: GivenPhotos, onCreated: (batchId: string) => void) {
  const client = useQueryClient();
  const { folder } = photos;
  const chosen = useChosenPhotos();
  const [kept] = useState(() => keptOf(chosen.read(), photos));
  const [items, setItems] = useState(() => kept?.items ?? itemsOf(photos.photos));
  const [phase, setPhase] = useState<ManyPhase>('choosing');
  const [error, setError] = useState<Error | null>(null);
  const current = useRef<AbortController | null>(null);
  const isShown = useRef(false);
  const maxPixels = useMaxPixels();
  const { keyOf, forget, read: readKey } = useOrderKey(kept?.orderKey);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      current.current?.abort();
    };
  }, []);

  // Photos that a request may already have put into a batch are not offered again.
  const isOffered = phase !== 'creating';
  useEffect(() => {
    if (isOffered) chosen.keep({ kind: 'many', photos, items, orderKey: readKey() });
  }, [chosen, isOffered, items, photos, readKey]);

  const create = useCallback(
    async (stored: readonly ManyItem[], order: RecipeOrder) => {
      // Now, with its effects: a late one would keep the photos again, and the guard would stop the way to the batch.
      flushSync(() => setPhase('creating'));
      chosen.forget();
      const sourceUrls = stored.flatMap(({ sourceUrl }) => (sourceUrl === null ? [] : [sourceUrl]));
      const metadata = folder === null ? undefined : { folder: metadataText(folder) };
      const request = { sourceUrls, ...order, ...(metadata !== undefined && { metadata }) };
      try {
        const { id } = await createBatch(request, keyOf(request));
        forget();
        void client.invalidateQueries({ queryKey: ['usage'] });
        if (isShown.current) onCreated(id);
        else showCreated();
      } catch (fault) {
        if (isGone(fault)) forget();
        if (!isShown.current) {
          showNotCreated(asError(fault));
          if (chosen.read() === null)
            chosen.keep({ kind: 'many', photos, items: stored, orderKey: readKey() });
        }
        setError(asError(fault));
        setPhase('choosing');
      }
    },
    [chosen, client, folder, forget, keyOf, onCreated, photos, readKey],
  );

  /** Uploads photos that are not stored yet. If all succeed, creates the batch. */
  const start = useCallback(
    async (order: RecipeOrder) => {
      const controller = new AbortController();
      current.current = controller;
      const { signal } = controller;
      const done = new Map(items.map((item) => [item.id, item]));
      const note = (item: ManyItem) => {
        done.set(item.id, item);
        if (!signal.aborted) setItems([...done.values()]);
      };
      setError(null);
      setPhase('uploading');
      try {
        const open = items.filter(({ state }) => state !== 'stored');
        await inParallel(open, UPLOADS_AT_ONCE, (item) => upload(item, { maxPixels, signal, note }));
        signal.throwIfAborted();
        if ([...done.values()].some(({ state }) => state === 'failed')) setPhase('stopped');
        else await create([...done.values()], order);
      } catch (fault) {
        // Photos in progress return to waiting. Stored photos stay stored.
        setItems([...done.values()].map((item) => (item.state === 'uploading' ? waiting(item) : item)));
        if (!signal.aborted) setError(asError(fault));
        setPhase('choosing');
      }
    },
    [create, items, maxPixels],
  );

  /** Creates the batch from the photos that were uploaded. */
  const proceed = (order: RecipeOrder) =>
    create(
      items.filter(({ state }) => state === 'stored'),
      order,
    );
  const stop = useCallback(() => current.current?.abort(), []);
  /** Leaves out all but the first photos, of those that can be uploaded. */
  const keepFirst = (count: number) => {
    setItems((before) => before.filter(({ state }) => state !== 'failed').slice(0, count));
    setError(null);
    setPhase('choosing');
  };
  return { items, phase, error, start, proceed, stop, keepFirst };
}

interface UploadOptions {
  readonly maxPixels: number;
  readonly signal: AbortSignal;
  readonly note: (item: ManyItem) => void;
}

/** A rejected photo is recorded. Other errors, such as full storage, would also affect all other photos. */
async function upload(item: ManyItem, { maxPixels, signal, note }: UploadOptions): Promise<void> {
  signal.throwIfAborted();
  note({ ...item, state: 'uploading', reason: null });
  const size = await photoSize(item.file);
  const fault = size === null ? null : sizeFault(item.file.name, size, maxPixels);
  if (fault !== null) return note({ ...item, state: 'failed', reason: fault });
  try {
    const { url } = await despiteOutages(() => uploadOneOfMany(item.file, item.key, signal), signal);
    note({ ...item, state: 'stored', sourceUrl: url, reason: null });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InvalidImageError)) throw error;
    note({ ...item, state: 'failed', reason: problemOf(error).detail });
  }
}

/** Waits while the connection is lost, and then continues. */
async function despiteOutages<Answer>(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let outages = 1; ; outages += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ConnectionError) || outages > MAX_OUTAGES) throw error;
      await Promise.race([untilReachable(), abortOf(signal)]);
    }
  }
}

/** The photos and the order of an earlier visit of the page. Uploads have ended with it. */
function keptOf(kept: ChosenPhotos | null, photos: GivenPhotos) {
  if (kept?.kind !== 'many' || kept.photos !== photos) return null;
  const { items, orderKey } = kept;
  return { items: items.map((item) => (item.state === 'uploading' ? waiting(item) : item)), orderKey };
}

const waiting = (item: ManyItem): ManyItem => ({ ...item, state: 'waiting' });

function metadataText(folder: string): string {
  return folder.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_FOLDER_NAME);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
