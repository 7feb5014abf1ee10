/** Why the service could not be started; the message is a whole sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
