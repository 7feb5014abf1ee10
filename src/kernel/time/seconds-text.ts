/** A number of seconds in words, for sentences: `1 second`, `12 seconds`. */
export const secondsText = (seconds: number): string => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
