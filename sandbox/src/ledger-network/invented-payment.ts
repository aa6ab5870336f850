import { Asset, Operation } from '@stellar/stellar-sdk';
import type { Fault, Faults } from '../control/faults.js';
import type { LandedTransaction, LedgerHead } from '../store/records.js';
import { withoutEffect, type Closing } from './apply-submitted-operation.js';
import { entryToken, operationToken, type HistoryEntry, type Page } from './history.js';
import { isoTime } from './iso-time.js';
import { landedTransaction } from './land.js';
import type { Network } from './network.js';
import { signedTransaction } from './submit-as.js';
import { feeUnitsPerOperation } from './validity.js';

export type ListedPage = {
  readonly page: Page;
  readonly entries: readonly HistoryEntry[];
  readonly head: LedgerHead;
  /** Set where the list contains the payments of one account only. */
  readonly account?: string | undefined;
};

export type InventDeps = { readonly network: Network; readonly faults: Faults };

/** The page with a payment that never landed; undefined unless a fault strikes. */
export function withInventedPayment({ network, faults }: InventDeps, listed: ListedPage): readonly HistoryEntry[] | undefined {
  const { page, entries, account } = listed;
  const closing = placeIn(listed);
  if (closing === undefined) return undefined;
  const fault = faults.take({
    target: 'ledger-network',
    operation: 'history',
    kinds: ['invented-payment'],
    fits: ({ address }) => account === undefined || account === address,
  });
  if (fault === undefined) return undefined;
  const invented = { transaction: inventedTransaction(network, fault, closing), index: 0 };
  const before = entries.filter((entry) => entryToken(entry) < entryToken(invented));
  return [...before, invented, ...entries.slice(before.length)].slice(0, page.limit);
}

/** The last place of a ledger. No real transaction has it. */
const lastApplicationOrder = 2 ** 20 - 1;

/**
 * Behind the real transactions of the ledger in which the page begins, or of the last closed one if the page is empty. A reader that
 * continues behind it misses nothing: a page with room for it contains all records before it.
 */
function placeIn({ page, entries, head }: ListedPage): Closing | undefined {
  const ledger = ledgerOf(entries[0], head);
  const token = operationToken({ ledger: ledger.sequence, applicationOrder: lastApplicationOrder }, 0);
  const isAfterCursor = page.order === 'asc' && token > (page.cursor ?? 0n);
  const last = entries.at(-1);
  const isBehindFullPage = last !== undefined && entries.length >= page.limit && entryToken(last) < token;
  if (!isAfterCursor || isBehindFullPage) return undefined;
  const { sequence, closedAt } = ledger;
  return { head: { ...head, sequence }, closedAt, applicationOrder: lastApplicationOrder };
}

function ledgerOf(first: HistoryEntry | undefined, head: LedgerHead) {
  if (first === undefined) return { sequence: head.sequence, closedAt: isoTime(head.closedAtMs) };
  return { sequence: first.transaction.ledger, closedAt: first.transaction.closedAt };
}

const amountDefault = '5000';
const validSeconds = 30;

/** A transaction of the stranger that was never submitted. Its envelope is signed and has this hash. */
function inventedTransaction(
  network: Network,
  { address = '', amount = amountDefault }: Fault,
  closing: Closing,
): LandedTransaction {
  const { genesis, passphrase } = network;
  const asset = new Asset('USDC', genesis.issuer.address);
  const signed = signedTransaction({
    passphrase,
    signers: [genesis.stranger],
    operations: [Operation.payment({ destination: address, asset, amount })],
    sequence: BigInt(closing.head.sequence) << 32n,
    maxTime: Math.floor(Date.parse(closing.closedAt) / 1_000) + validSeconds,
  });
  const parsed = network.parse(signed.toXDR());
  return landedTransaction(parsed, feeUnitsPerOperation, closing, { operations: parsed.operations.map(withoutEffect) });
}
