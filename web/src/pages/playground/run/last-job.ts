import { USER_STORAGE } from '../../../api/session/user-storage.js';

const KEY = USER_STORAGE.lastJob;

/** The job of this tab that the playground shows again after a reload or after visiting another page. */
export const lastJob = {
  read: (): string | null => sessionStorage.getItem(KEY),
  keep: (id: string): void => sessionStorage.setItem(KEY, id),
  forget: (): void => sessionStorage.removeItem(KEY),
};
