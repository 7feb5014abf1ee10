/**
 * The result of an analyse stage for one image. The maps stay on the device; this is a handle to them, valid
 * for one render, which frees them when it ends.
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
   * The id from which a render is fed.
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
