export type DueWork<Item> = {
  /** Takes at most this many items. What it returns is not due again for a while, so that no other call returns it meanwhile. */
  readonly take: (batchMax: number) => Promise<readonly Item[]>;
  /** Called concurrently for the items of a batch. */
  readonly handle: (item: Item) => Promise<unknown>;
  readonly batchMax: number;
  readonly signal: AbortSignal;
};

/** Handles everything that is due, in batches, until nothing is left or the signal is aborted. */
export async function handleAllDue<Item>({ take, handle, batchMax, signal }: DueWork<Item>): Promise<void> {
  let items: readonly Item[];
  do {
    if (signal.aborted) return;
    items = await take(batchMax);
    await Promise.all(items.map(handle));
  } while (items.length === batchMax);
}
