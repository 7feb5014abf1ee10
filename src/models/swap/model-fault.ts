/** Why a version cannot serve. */
export interface ModelFault {
  /** Completes "… is not served: ", without a full stop. */
  readonly reason: string;
  /** Memory or time was short, or something else that may pass: the next worker tries it again. */
  readonly isTransient: boolean;
  /**
   * Nothing is known about the version yet, because the inference server of a stage is away or does not have its
   * model: it is tried again soon.
   */
  readonly remote?: 'away' | 'absent' | undefined;
}
