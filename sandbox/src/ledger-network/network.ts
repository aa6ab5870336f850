import type { Clock } from '@holdfast/kernel/context';
import type { ContractCall, Invocation } from '../contract-calls/contract-call.js';
import type { ContractVersion } from '../contract-calls/contract-versions.js';
import { firstLedgerKey, ledgerHeadKey, type LandedTransaction, type LedgerHead } from '../store/records.js';
import { keepPreviousLedger } from './previous-ledger.js';
import { createTransaction, type Store } from '../store/store.js';

import { applyContractCall, readCall, type ContractEffect, type ContractRules } from './apply-contract-call.js';
import { networkIdOf, parseEnvelope } from './envelope.js';
import type { Genesis } from './genesis.js';
import { isoTime } from './iso-time.js';
import type { Landing } from './land.js';
import type { LedgerView } from './ledger-view.js';
import { createLedgers, headOf, viewOf } from './ledgers.js';
import { createSubmissions, type Submissions } from './submissions.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { feeUnitsPerOperation } from './validity.js';

/** Calls restore archived entries of their footprint, and contract events are part of the operations, since this version. */
export const protocolVersion = 23;

export type Network = Pick<Submissions, 'queue' | 'submit' | 'minimumBid' | 'setMinimumBid'> & {
  readonly passphrase: string;
  readonly genesis: Genesis;
  readonly store: Store;
  readonly clock: Clock;
  readonly contractVersion: ContractVersion;
  readonly parse: (envelopeXdr: string) => SubmittedTransaction;
  /** Closes its own ledger with the transaction, whatever it bids; for the faucet. */
  readonly landAtOnce: (transaction: SubmittedTransaction) => LandedTransaction;
  /** Reads a call by the functions of the called contract, or throws the refusal. */
  readonly readCall: (view: Pick<LedgerView, 'find'>, invocation: Invocation) => ContractCall;
  /** The effect of a call on the current state or on a view, or throws the contract's refusal; changes nothing. */
  readonly simulate: (call: ContractCall, view?: Pick<LedgerView, 'find'>) => ContractEffect;
  /** The last closed ledger. Without a ledger timer it closes an empty one when the second has changed since. */
  readonly closedLedger: () => LedgerHead;
  /** The last closed ledger and its records. */
  readonly view: () => LedgerView;
  /** The ledger before the last closed one. It advances with time, too. */
  readonly previousView: () => LedgerView;
  /** Stops the ledger timer and those who wait for a ledger. */
  readonly stop: () => void;
};

export type NetworkOptions = Pick<Landing, 'store' | 'onContractChange'> & {
  readonly clock: Clock;
  readonly genesis: Genesis;
  readonly passphrase: string;
  readonly contractVersion: ContractVersion;
  /** Zero closes a ledger with each transaction. */
  readonly ledgerMs: number;
};

export function createNetwork({
  store,
  clock,
  genesis,
  passphrase,
  contractVersion,
  ledgerMs,
  onContractChange,
}: NetworkOptions): Network {
  const { contracts, tokens, fees } = genesis;
  const networkId = networkIdOf(passphrase);
  const rules: ContractRules = {
    version: contractVersion,
    networkId,
    contracts,
    tokens,
    feesAddress: fees.address,
  };
  const previous = keepPreviousLedger(store);
  if (store.find('ledger', ledgerHeadKey) === undefined) writeGenesis(store, genesis, clock);
  const ledgers = createLedgers({ clock, landing: { store: { ...store, begin: previous.begin }, rules, onContractChange } });
  const submissions = createSubmissions({ store, ledgers, hasTimer: ledgerMs > 0 });
  const timer = ledgerMs > 0 ? setInterval(submissions.closeLedger, ledgerMs) : undefined;
  const advance = (secondsMin: number): void => {
    if (timer === undefined && secondsSince(headOf(store), clock) >= secondsMin) submissions.closeLedger();
  };

  return {
    passphrase,
    genesis,
    store,
    clock,
    contractVersion,
    ...submissions,
    parse: (envelopeXdr) => parseEnvelope(envelopeXdr, { passphrase, networkId }),
    landAtOnce: (transaction) => ledgers.closeWith(transaction, feeUnitsPerOperation),
    readCall: (view, invocation) => readCall(view, invocation, rules),
    simulate: (call, { find } = store) =>
      applyContractCall(createTransaction(find, refuseCommit, refuseCommit), call, rules, isoTime(clock.epochMs())),
    closedLedger: () => {
      advance(1);
      return headOf(store);
    },
    view: () => {
      advance(1);
      return viewOf(store.find);
    },
    previousView: () => {
      advance(laggingSeconds);
      return viewOf(previous.find);
    },
    stop: () => {
      clearInterval(timer);
      submissions.stop();
    },
  };
}

function refuseCommit(): never {
  throw new Error('a simulation must not be committed');
}

function writeGenesis(store: Store, genesis: Genesis, clock: Clock): void {
  const storeTransaction = store.begin();
  for (const account of genesis.accounts) storeTransaction.put('accounts', account.id, account);
  const first = { sequence: 1, closedAtMs: clock.epochMs(), feePoolUnits: 0n, transactions: 0 };
  storeTransaction.put('ledger', firstLedgerKey, first);
  storeTransaction.put('ledger', ledgerHeadKey, first);
  storeTransaction.commit();
}

/** A lagging node gets the next ledger after this time, even without another read. */
const laggingSeconds = 2;

/** Close times have a resolution of seconds. */
function secondsSince({ closedAtMs }: LedgerHead, clock: Clock): number {
  return Math.floor(clock.epochMs() / 1_000) - Math.floor(closedAtMs / 1_000);
}
