/** About 30 days: enough for many attempts before an entry is archived. */
const shortLifeLedgers = 518_400;

/** Entries without a last ledger live for ever. */
export function lifeIsShort(liveUntilLedger: number | undefined, latestLedger: number): boolean {
  return liveUntilLedger !== undefined && liveUntilLedger - latestLedger < shortLifeLedgers;
}

/** No later ledger has the entry, although a node may still show it. */
export function lifeIsOver(liveUntilLedger: number | undefined, latestLedger: number): boolean {
  return liveUntilLedger !== undefined && liveUntilLedger <= latestLedger;
}
