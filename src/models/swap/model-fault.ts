/** Why a version cannot serve. */
export interface ModelFault {
  /** Completes "… is not served: ", without a period. */
  readonly reason: string;
  /** Whether the cause is temporary, such as too little memory or time. The next worker then retries the version. */
  readonly isTransient: boolean;
  /**
   * The version could not be checked, because the inference server of a stage is unavailable or lacks its model. It is
   * retried soon.
   */
  readonly remote?: 'away' | 'absent' | undefined;
}
