import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { LedgerHistory } from '../network/ledger-history.js';
import type { Deposit, PlaceOf } from './legs.js';
import type { QuarantinedRecord } from './quarantine.js';
import { completeTransactions, positionAfter } from './transactions.js';
import { findingsOf, type Findings } from './findings.js';

/** Moves a cursor of the history; it applies only if the cursor is still at `from`. */
export type CursorMove = { readonly name: string; readonly from: string; readonly to: string };

/** What one commit has published. */
export type Published = { readonly deposits: readonly Deposit[]; readonly quarantined: readonly QuarantinedRecord[] };

export type WatcherStore = {
  /** Empty at the beginning. */
  readonly cursor: (name: string) => Promise<string>;
  /** Stores where the history begins for us, unless there is a cursor. */
  readonly begin: (name: string, cursor: string) => Promise<void>;
  readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
  /** Returns the hashes of transactions that this service created. */
  readonly ownHashes: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Moves the cursor and publishes what was not published before, in one commit. Undefined where another process has moved the
   * cursor; then nothing was written.
   */
  readonly publish: (findings: Findings, move: CursorMove) => Promise<Published | undefined>;
};

export type WatcherDeps = {
  readonly history: LedgerHistory;
  readonly store: WatcherStore;
  readonly log: Log;
  readonly metrics: {
    readonly onQuarantined: (records: number) => void;
    /** Records that could not be understood and name nobody of ours. */
    readonly onSkipped: (records: number) => void;
    /** The history was read up to its end. */
    readonly onEnd: () => void;
  };
};

/** Reads the new history once. Returns the deposits that it published. */
export type Poll = (signal: AbortSignal) => Promise<readonly Deposit[]>;

const pagesMax = 100;
const networkCursor = 'network';

/** Where a platform that has read nothing yet begins: at the network's first operation, or at its newest one. */
export type HistoryBeginning = 'first' | 'newest';

/** Must have ended before the platform does anything on the network, because nothing before the beginning is ever read. */
export async function beginHistory(
  { history, store }: Pick<WatcherDeps, 'history' | 'store'>,
  beginning: HistoryBeginning,
): Promise<void> {
  if (beginning === 'first' || (await store.cursor(networkCursor)) !== '') return;
  await store.begin(networkCursor, await history.newestPosition());
}

/** Reads the history of the whole network, so the number of calls does not depend on the number of wallets. */
export function pollNetwork(deps: WatcherDeps): Poll {
  return async (signal) => {
    const published: Deposit[] = [];
    for (let page = 0; page < pagesMax && !signal.aborted; page += 1) {
      const { deposits, isLast } = await publishPage(deps);
      published.push(...deposits);
      if (!isLast) continue;
      deps.metrics.onEnd();
      break;
    }
    return published;
  };
}

type PublishedPage = { readonly deposits: readonly Deposit[]; readonly isLast: boolean };

async function publishPage(deps: WatcherDeps): Promise<PublishedPage> {
  const { history, store } = deps;
  const from = await store.cursor(networkCursor);
  const page = await history.all(from);
  const transactions = completeTransactions(page);
  const to = positionAfter(from, transactions);
  if (to === from && !page.isLast) throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
  const findings = await findingsOf(deps, transactions);
  if (to === from && findings.quarantined.length === 0) return { deposits: [], isLast: true };
  const published = await store.publish(findings, { name: networkCursor, from, to });
  // Another process has published this page and may have published more, so the next page begins at its cursor.
  if (published === undefined) return { deposits: [], isLast: false };
  report(deps, published, findings.skipped);
  return { deposits: published.deposits, isLast: page.isLast };
}

function report({ log, metrics }: WatcherDeps, { deposits, quarantined }: Published, skipped: number): void {
  for (const { userId, operationId, asset } of deposits) log.info({ userId, operationId, asset }, 'deposit published');
  for (const { id, reason, userIds } of quarantined) log.error({ recordId: id, reason, userIds }, 'ledger record quarantined');
  metrics.onQuarantined(quarantined.length);
  metrics.onSkipped(skipped);
}
