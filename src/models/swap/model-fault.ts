/** Why a version cannot serve. */
export interface ModelFault {
  /** Completes "… is not served: ", without a period. */
  readonly reason: string;
  /** Memory or time was short, or another temporary problem: the next worker tries it again. */
  readonly isTransient: boolean;
  /**
   * The version could not be checked, because the inference server of a stage is unavailable or lacks its model: it is
   * tried again soon.
   */
  readonly remote?: 'away' | 'absent' | undefined;
}
