import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { AdoptContracts } from './adopt-contracts.js';
import type { LedgerHistory } from '@holdfast/ledger-network/horizon';
import type { Deposit, LandedTransaction, QuarantinedRecord, Stored, WatcherStore } from './ports.js';
import type { Prove } from './prover.js';
import { completeTransactions, positionAfter } from './transactions.js';
import { findingsOf } from './findings.js';

export type WatcherDeps = {
  readonly history: LedgerHistory;
  readonly store: WatcherStore;
  readonly prove: Prove;
  readonly adoptContracts: AdoptContracts;
  readonly log: Log;
  readonly metrics: {
    readonly onQuarantined: (records: readonly QuarantinedRecord[]) => void;
    /** Records that could not be understood and mention none of our accounts. */
    readonly onSkipped: (records: number) => void;
    /** The history was read up to its end. */
    readonly onEnd: () => void;
  };
};

/** Reads the new history once and proves what is due. Returns the deposits that it published. */
export type Poll = (signal: AbortSignal) => Promise<readonly Deposit[]>;

const pagesMax = 100;
const networkCursor = 'network';

/** Where a platform that has read nothing yet begins: at the network's first operation, or at its newest one. */
export type HistoryBeginning = 'first' | 'newest';

export type BeginningDeps = {
  readonly store: Pick<WatcherStore, 'cursor' | 'begin'>;
  /** What the accounts of the platform itself hold after the newest ledger. */
  readonly readOpening: () => Promise<LandedTransaction>;
};

/**
 * Must have ended before the platform does anything on the network, because nothing before the beginning is ever read. The history
 * begins after the ledger at which the balances were read, so that no transaction is missed or counted twice.
 */
export async function beginHistory({ store, readOpening }: BeginningDeps, beginning: HistoryBeginning): Promise<void> {
  if (beginning === 'first' || (await store.cursor(networkCursor)) !== '') return;
  const opening = await readOpening();
  await store.begin(networkCursor, endOfLedger(opening.ledger), opening);
}

/** The position behind every operation of a ledger: see `ledgerOf`. */
function endOfLedger(ledger: number): string {
  return (((BigInt(ledger) + 1n) << 32n) - 1n).toString();
}

/** Where this process is in the history; undefined if it has to be read. */
type Position = { cursor: string | undefined };

/** Reads the history of the whole network, so the number of calls does not depend on the number of wallets. */
export function pollNetwork(deps: WatcherDeps): Poll {
  const position: Position = { cursor: undefined };
  return async (signal) => {
    for (let page = 0; page < pagesMax && !signal.aborted; page += 1) {
      if (!(await storePage(deps, position))) continue;
      deps.metrics.onEnd();
      break;
    }
    return deps.prove();
  };
}

/** Returns whether the page was the last one. */
async function storePage(deps: WatcherDeps, position: Position): Promise<boolean> {
  const { history, store } = deps;
  const from = (position.cursor ??= await store.cursor(networkCursor));
  const page = await history.all(from);
  const transactions = completeTransactions(page);
  const to = positionAfter(from, transactions);
  if (to === from && !page.isLast) throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
  const findings = await findingsOf(deps, transactions);
  if (to === from && findings.quarantined.length === 0) return true;
  const stored = await store.publish(findings, { name: networkCursor, from, to });
  // Another process has published this page and may have published more, so the next page begins at its cursor.
  position.cursor = stored === undefined ? undefined : to;
  if (stored === undefined) return false;
  report(deps, stored, findings.skipped);
  return page.isLast;
}

function report({ log, metrics }: WatcherDeps, { quarantined }: Stored, skipped: number): void {
  for (const { id, reason, userIds } of quarantined) log.error({ recordId: id, reason, userIds }, 'ledger record quarantined');
  metrics.onQuarantined(quarantined);
  metrics.onSkipped(skipped);
}
