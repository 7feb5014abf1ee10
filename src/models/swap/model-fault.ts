/** Why a version cannot serve. */
export interface ModelFault {
  /** Completes "… is not served: ", without a full stop. */
  readonly reason: string;
  /** Memory or time was short, or something else that may pass: the next worker tries it again. */
  readonly isTransient: boolean;
}
