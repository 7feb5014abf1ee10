/** What this tab stores for its user, by its key in the session storage. */
export const USER_STORAGE = {
  recipe: 'playground-recipe',
  lastJob: 'playground-job',
  sentOrder: 'playground-order',
  chosen: 'playground-chosen',
} as const;

/** The query key of the photos that the user has chosen, which are kept for the same user in case the session ends. */
export const CHOSEN_PHOTOS_KEY = ['chosen-photos'] as const;

/** Removes it, because the next user of the tab may be another one. */
export function clearUserStorage(): void {
  for (const key of Object.values(USER_STORAGE)) sessionStorage.removeItem(key);
}
