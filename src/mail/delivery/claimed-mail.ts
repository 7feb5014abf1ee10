import type { MailContent } from '../letter.js';

/** An email that this dispatcher may send until its lease ends. */
export interface ClaimedMail {
  readonly id: string;
  /** The number of this claim. A result is stored only if the claim is still the latest. */
  readonly claim: number;
  readonly kind: string;
  readonly to: string;
  readonly sealedContent: Buffer;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly isExpired: boolean;
  readonly createdAt: Date;
}

/** @param text the content as sealed by `MailOutbox` */
export function contentOf(text: string): MailContent {
  return JSON.parse(text) as MailContent;
}
