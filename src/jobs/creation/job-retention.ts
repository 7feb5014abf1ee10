/** What happens to the pixels of a job once its result was sent to a reader. Null: they are kept. */
export const RETENTIONS = ['deliver'] as const;
export type JobRetention = (typeof RETENTIONS)[number];
