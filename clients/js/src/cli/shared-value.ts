import { isVerdict } from '../http/unacknowledged-attempts.js';

/** A value that all images of a run share. After a failure that may pass, it is read again for the next image. */
export class SharedValue<T> {
  private value: Promise<T> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    if (this.value !== undefined) return this.value;
    const value = this.read();
    this.value = value;
    // What the service refuses for good stays: thousands of images would ask for the same answer.
    value.catch((error: unknown) => {
      if (!isVerdict(error)) this.value = undefined;
    });
    return value;
  }
}
