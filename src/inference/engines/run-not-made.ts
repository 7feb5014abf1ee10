/** A run did not take place. Nothing is known about its items, so they may be run again, here or elsewhere. */
export class RunNotMade extends Error {
  override readonly name: string = 'RunNotMade';
}
