/** A file of a model version cannot be read. The message completes "the file x …". */
export class UnreadableModelFile extends Error {
  override readonly name = 'UnreadableModelFile';

  /** @param remedy how to fix it; omitted when that depends on the purpose of the file */
  constructor(
    readonly fault: string,
    readonly remedy?: string,
    options?: ErrorOptions,
  ) {
    super(remedy === undefined ? fault : `${fault}; ${remedy}`, options);
  }
}
