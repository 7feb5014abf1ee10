/**
 * What an analyse stage found in one image. The maps themselves stay on the device; this is the claim to them.
 * It is good for one render, which frees them when it ends, however it ends.
 */
export class AnalysisResult {
  private open = true;

  constructor(
    /** The analyse stage that made it. */
    readonly stageId: string,
    private readonly analysis: number,
    private readonly forget: (analysis: number) => void,
  ) {}

  /**
   * The number to feed a render from.
   * @throws Error when the maps are freed already
   */
  claim(): number {
    if (!this.open) throw new Error('An analysis serves one render; analyse the image again.');
    return this.analysis;
  }

  /** Frees the maps; call it when no render will follow. May be called twice. */
  release(): void {
    if (this.open) this.forget(this.analysis);
    this.open = false;
  }
}
