/** What an operator requests of a worker. `drain`: it finishes its jobs and takes no others. `restart`: it exits. */
export const WANTED = ['serve', 'drain', 'restart'] as const;
export type Wanted = (typeof WANTED)[number];
