/** The fields that name the next page. They are added to the query of the list. */
export type NextPage = { readonly cursor?: string; readonly page?: number; readonly as_of?: string };

export type Page<Item> = {
  readonly records: readonly Item[];
  /** Undefined after the last page. */
  readonly next: NextPage | undefined;
};

/** The records of a list, page by page. Each loop over it begins with the first page. */
export type List<Item> = AsyncIterable<Item> & {
  /** One page, for a table that a person turns over. */
  readonly page: () => Promise<Page<Item>>;
};
