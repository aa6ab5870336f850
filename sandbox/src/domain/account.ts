import { isIssuer, nativeAsset, type AssetKey } from './assets.js';
import type { Offer } from './offer.js';
import { OperationFailure } from './operation-failure.js';

/** The balance of an issued asset in an account, and the most that the account accepts. */
export type TrustLine = {
  readonly units: bigint;
  readonly limitUnits: bigint;
  /** The account that pays its reserve. */
  readonly sponsor?: string | undefined;
};

export type Account = {
  readonly id: string;
  /** The sequence number of the last transaction; the next one must have the number after it. */
  readonly sequence: bigint;
  readonly nativeUnits: bigint;
  readonly lines: Readonly<Record<AssetKey, TrustLine>>;
  /** By their ids; absent means none. */
  readonly offers?: Readonly<Record<string, Offer>> | undefined;
  /** The account that pays the reserve of the account itself. */
  readonly sponsor?: string | undefined;
  /** How many reserves of others the account pays; absent means none. */
  readonly sponsoring?: number | undefined;
  /** How many of its own reserves others pay; absent means none. */
  readonly sponsored?: number | undefined;
};

/**
 * The reserve that an account cannot spend: 0.5 XLM for each trustline and offer, for two entries of the account itself, and for what it
 * sponsors; without what others sponsor.
 */
const reserveUnitsPerEntry = 5_000_000n;
const ownEntries = 2;

export const unitsMax = 2n ** 63n - 1n;

export function newAccount(id: string, startsAtLedger: number, nativeUnits: bigint): Account {
  return { id, sequence: BigInt(startsAtLedger) << 32n, nativeUnits, lines: {} };
}

/** The account itself counts as two reserves, which its sponsor pays if it has one. */
export function sponsoredAccount(account: Account, sponsor: string): Account {
  return { ...account, sponsor, sponsored: ownEntries };
}

/** Changes how many reserves of others the account pays. */
export function sponsor(account: Account, reserves: number): Account {
  const changed = { ...account, sponsoring: (account.sponsoring ?? 0) + reserves };
  if (reserves > 0) requireReserve(changed);
  return changed;
}

/** The number of reserves of an account itself. */
export const accountReserves = ownEntries;

/** How many other entries the account owns. */
export function subEntriesOf({ lines, offers = {} }: Account): number {
  return Object.keys(lines).length + Object.keys(offers).length;
}

function reserveOf(account: Account): bigint {
  const { sponsoring = 0, sponsored = 0 } = account;
  return BigInt(ownEntries + subEntriesOf(account) + sponsoring - sponsored) * reserveUnitsPerEntry;
}

export function requireReserve(account: Account): void {
  if (account.nativeUnits < reserveOf(account)) throw new OperationFailure('op_low_reserve');
}

/** How much of an asset the account can spend. An issuer has no limit of its own asset. */
function spendable(account: Account, asset: AssetKey): bigint {
  if (isIssuer(account.id, asset)) return unitsMax;
  if (asset !== nativeAsset) return account.lines[asset]?.units ?? 0n;
  return availableUnits(account);
}

/** The native balance without the reserve. */
export function availableUnits(account: Account): bigint {
  const free = account.nativeUnits - reserveOf(account);
  return free > 0n ? free : 0n;
}

export function debit(account: Account, asset: AssetKey, units: bigint): Account {
  if (isIssuer(account.id, asset)) return account;
  if (asset !== nativeAsset && account.lines[asset] === undefined) throw new OperationFailure('op_src_no_trust');
  if (spendable(account, asset) < units) throw new OperationFailure('op_underfunded');
  return transferred(account, asset, -units);
}

export function credit(account: Account, asset: AssetKey, units: bigint): Account {
  if (isIssuer(account.id, asset)) return account;
  if (asset === nativeAsset) return transferred(account, asset, units);
  const line = account.lines[asset];
  if (line === undefined) throw new OperationFailure('op_no_trust');
  if (line.units + units > line.limitUnits) throw new OperationFailure('op_line_full');
  return transferred(account, asset, units);
}

function transferred(account: Account, asset: AssetKey, units: bigint): Account {
  if (asset === nativeAsset) return { ...account, nativeUnits: account.nativeUnits + units };
  const line = account.lines[asset] ?? { units: 0n, limitUnits: unitsMax };
  return { ...account, lines: { ...account.lines, [asset]: { ...line, units: line.units + units } } };
}

/** Opens, changes or (with a limit of zero) closes a trustline. The sponsor pays the reserve of a new one. */
export function withTrust(account: Account, asset: AssetKey, limitUnits: bigint, sponsorOfNew?: string): Account {
  const line = account.lines[asset];
  if (isIssuer(account.id, asset)) throw new OperationFailure('op_self_not_allowed');
  if (line !== undefined && limitUnits < line.units) throw new OperationFailure('op_invalid_limit');
  if (limitUnits === 0n) return withoutTrust(account, asset);
  if (line !== undefined) return withLine(account, asset, { ...line, limitUnits });
  if (sponsorOfNew !== undefined) {
    const opened = withLine(account, asset, { units: 0n, limitUnits, sponsor: sponsorOfNew });
    return { ...opened, sponsored: (account.sponsored ?? 0) + 1 };
  }
  const opened = withLine(account, asset, { units: 0n, limitUnits });
  requireReserve(opened);
  return opened;
}

function withLine(account: Account, asset: AssetKey, line: TrustLine): Account {
  return { ...account, lines: { ...account.lines, [asset]: line } };
}

function withoutTrust(account: Account, asset: AssetKey): Account {
  const { [asset]: closed, ...lines } = account.lines;
  if (closed === undefined) throw new OperationFailure('op_invalid_limit');
  return closed.sponsor === undefined ? { ...account, lines } : { ...account, lines, sponsored: (account.sponsored ?? 0) - 1 };
}
