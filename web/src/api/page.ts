/** One page of any list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** Given back as `cursor` it asks for the next page. */
  readonly nextCursor: string | null;
}
