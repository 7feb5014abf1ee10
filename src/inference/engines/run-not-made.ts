/** A run did not take place, so nothing is known about its items: they may be run again, here or elsewhere. */
export class RunNotMade extends Error {
  override readonly name: string = 'RunNotMade';
}
