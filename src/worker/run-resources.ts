import type { AnalysisResult } from '../inference/analysis-result.js';
import type { PixelFile } from '../infra/image/codec/pixel-file.js';

/** The open files and device memory of one run. Releasing is idempotent. */
export class RunResources {
  private readonly files: PixelFile[] = [];
  private readonly analyses: AnalysisResult[] = [];

  /** @returns the file, closed when the run ends */
  file(file: PixelFile): PixelFile {
    this.files.push(file);
    return file;
  }

  /** @returns the analysis, freed on the device when the run ends */
  analysis(analysis: AnalysisResult): AnalysisResult {
    this.analyses.push(analysis);
    return analysis;
  }

  /** Never throws. */
  async release(): Promise<void> {
    for (const analysis of this.analyses) analysis.release();
    await Promise.allSettled(this.files.map((file) => file.close()));
  }
}
