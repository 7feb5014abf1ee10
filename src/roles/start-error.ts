/** The service could not start. The message is a complete sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
