/** What this tab stores for its user, by its key in the session storage. */
export const USER_STORAGE = { recipe: 'playground-recipe', lastJob: 'playground-job' } as const;

/** Removes it, because the next user of the tab may be another one. */
export function clearUserStorage(): void {
  for (const key of Object.values(USER_STORAGE)) sessionStorage.removeItem(key);
}
