/** A record of a list in Horizon's API. */
export type ListedRecord = { readonly paging_token: string } & Readonly<Record<string, unknown>>;

/** The account that a record names as the one that gets something. */
export function receiverOf(record: ListedRecord): unknown {
  const { to, into, account, claimants, asset_balance_changes: changes } = record;
  return to ?? into ?? account ?? fieldOf(claimants, 'destination') ?? fieldOf(changes, 'to');
}

function fieldOf(list: unknown, name: string): unknown {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isRecord(first) ? first[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
