/** What a command answers: an object, or rows of a table. */
export type CommandAnswer = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
