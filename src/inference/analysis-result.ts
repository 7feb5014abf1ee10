/**
 * The result of an analyse stage for one image. The maps stay on the device; this is a handle to them, valid
 * for one render, which frees them when it ends.
 */
export class AnalysisResult {
  private open = true;

  constructor(
    /** The analyse stage that produced the result. */
    readonly stageId: string,
    private readonly analysis: number,
    private readonly forget: (analysis: number) => void,
  ) {}

  /**
   * Returns the id with which a render finds the maps.
   * @throws Error when the maps are already freed
   */
  claim(): number {
    if (!this.open) throw new Error('An analysis serves one render; analyse the image again.');
    return this.analysis;
  }

  /** Frees the maps; call it when no render follows. Idempotent. */
  release(): void {
    if (this.open) this.forget(this.analysis);
    this.open = false;
  }
}
