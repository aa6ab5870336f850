import { isIssuer, nativeAsset, type AssetKey } from './assets.js';
import { OperationFailure } from './operation-failure.js';

/** The balance of an issued asset in an account, and the most that the account accepts. */
export type TrustLine = { readonly units: bigint; readonly limitUnits: bigint };

export type Account = {
  readonly id: string;
  /** The sequence number of the last transaction; the next one must have the number after it. */
  readonly sequence: bigint;
  readonly nativeUnits: bigint;
  readonly lines: Readonly<Record<AssetKey, TrustLine>>;
};

/** The reserve that an account cannot spend: 0.5 XLM for each trustline, and for two entries of the account itself. */
const reserveUnitsPerEntry = 5_000_000n;
const ownEntries = 2n;

export const unitsMax = 2n ** 63n - 1n;

export function newAccount(id: string, startsAtLedger: number, nativeUnits: bigint): Account {
  return { id, sequence: BigInt(startsAtLedger) << 32n, nativeUnits, lines: {} };
}

function reserveOf(account: Account): bigint {
  return (ownEntries + BigInt(Object.keys(account.lines).length)) * reserveUnitsPerEntry;
}

export const newAccountReserve = ownEntries * reserveUnitsPerEntry;

/** How much of an asset the account can spend. An issuer has no limit of its own asset. */
function spendable(account: Account, asset: AssetKey): bigint {
  if (isIssuer(account.id, asset)) return unitsMax;
  if (asset !== nativeAsset) return account.lines[asset]?.units ?? 0n;
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

/** Opens, changes or (with a limit of zero) closes a trustline. */
export function withTrust(account: Account, asset: AssetKey, limitUnits: bigint): Account {
  const line = account.lines[asset];
  if (isIssuer(account.id, asset)) throw new OperationFailure('op_self_not_allowed');
  if (line !== undefined && limitUnits < line.units) throw new OperationFailure('op_invalid_limit');
  if (limitUnits === 0n) return withoutTrust(account, asset);
  const changed = { ...account, lines: { ...account.lines, [asset]: { units: line?.units ?? 0n, limitUnits } } };
  if (line === undefined && changed.nativeUnits < reserveOf(changed)) throw new OperationFailure('op_low_reserve');
  return changed;
}

function withoutTrust(account: Account, asset: AssetKey): Account {
  if (account.lines[asset] === undefined) throw new OperationFailure('op_invalid_limit');
  const { [asset]: _closed, ...lines } = account.lines;
  return { ...account, lines };
}
