/** A signal has ended a program that this process ran. The same signal ends this process, after its cleanup. */
export class Interruption extends Error {
  name = 'Interruption';

  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}
