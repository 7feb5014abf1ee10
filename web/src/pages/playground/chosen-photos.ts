import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../../api/session/session.js';
import { CHOSEN_PHOTOS_KEY, USER_STORAGE } from '../../api/session/user-storage.js';
import type { GivenPhotos } from '../../components/photo/photo-file.js';
import type { Photo } from '../../components/photo/use-photo.js';
import type { OrderKey } from '../../lib/use-order-key.js';
import type { ManyItem } from './many/many-item.js';

/** The photos on the playground before they are in a job or batch. */
export type ChosenPhotos =
  | { readonly kind: 'one'; readonly photo: Photo }
  | {
      readonly kind: 'many';
      readonly photos: GivenPhotos;
      readonly items: readonly ManyItem[];
      /** Of a batch that may have been created from them, so that it is not created again. */
      readonly orderKey: OrderKey | null;
    };

interface Kept {
  /** The user and the account. The next user of the tab may be another one. */
  readonly owner: string;
  readonly chosen: ChosenPhotos;
}

/** What is still known about the photos after a reload, when the files are gone. */
export interface LostPhotos {
  /** Of the photo or the folder; null for photos without a folder. */
  readonly name: string | null;
  readonly count: number;
}

/** Keeps the chosen photos in memory while the user visits other pages, or signs in again. */
export function useChosenPhotos() {
  const client = useQueryClient();
  const { user, account } = useSession().data ?? {};
  const owner = user && account ? `${user.id} ${account.id}` : null;
  return useMemo(() => {
    const read = () => {
      const kept = client.getQueryData<Kept>(CHOSEN_PHOTOS_KEY);
      return kept !== undefined && kept.owner === owner ? kept.chosen : null;
    };
    return {
      read,
      keep: (chosen: ChosenPhotos): void => {
        if (owner === null) return;
        client.setQueryDefaults(CHOSEN_PHOTOS_KEY, { gcTime: Infinity, structuralSharing: false });
        client.setQueryData<Kept>(CHOSEN_PHOTOS_KEY, { owner, chosen });
        keepLost(chosen);
      },
      forget: (): void => {
        client.removeQueries({ queryKey: CHOSEN_PHOTOS_KEY });
        sessionStorage.removeItem(USER_STORAGE.chosen);
      },
      /** Photos that were chosen before a reload; null if there are none. */
      readLost: (): LostPhotos | null => {
        const text = read() === null ? sessionStorage.getItem(USER_STORAGE.chosen) : null;
        return text === null ? null : (JSON.parse(text) as LostPhotos);
      },
    };
  }, [client, owner]);
}

function keepLost(chosen: ChosenPhotos): void {
  const lost: LostPhotos =
    chosen.kind === 'many'
      ? { name: chosen.photos.folder, count: chosen.items.length }
      : { name: chosen.photo.name, count: 1 };
  // A stored photo has no file that could be lost.
  if (chosen.kind === 'one' && chosen.photo.file === null) sessionStorage.removeItem(USER_STORAGE.chosen);
  else sessionStorage.setItem(USER_STORAGE.chosen, JSON.stringify(lost));
}
