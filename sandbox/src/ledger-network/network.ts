import { LRUCache } from 'lru-cache';
import type { Clock } from '@holdfast/kernel/context';
import type { ContractCall } from '../contract-calls/contract-call.js';
import { ledgerHeadKey, type LandedTransaction, type LedgerHead } from '../store/records.js';
import type { Store } from '../store/store.js';
import { applyContractCall } from './apply-contract-call.js';
import { networkIdOf, parseEnvelope } from './envelope.js';
import type { Genesis } from './genesis.js';
import { createVerifier } from './keys.js';
import { land, type Landing } from './land.js';
import { createPreparedCalls, type PreparedCalls } from './prepared-calls.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { feeOf, requireValid } from './validity.js';

export type Network = {
  readonly passphrase: string;
  readonly genesis: Genesis;
  readonly store: Store;
  readonly clock: Clock;
  readonly prepare: PreparedCalls['prepare'];
  readonly parse: (envelopeXdr: string) => SubmittedTransaction;
  /** Returns the landed transaction, successful or failed; throws InvalidTransaction where it cannot land. */
  readonly submit: (transaction: SubmittedTransaction) => LandedTransaction;
  /** Throws the contract's refusal if the call fails on the current state; changes nothing. */
  readonly simulate: (call: ContractCall) => void;
  /** The last closed ledger. Closes an empty one when the second has changed since. */
  readonly closedLedger: () => LedgerHead;
};

export type NetworkOptions = Pick<Landing, 'store' | 'onContractChange'> & {
  readonly clock: Clock;
  readonly genesis: Genesis;
  readonly passphrase: string;
};

export function createNetwork({ store, clock, genesis, passphrase, onContractChange }: NetworkOptions): Network {
  const rules = { feesAddress: genesis.fees.address, deployerContractId: genesis.deployerContractId };
  const landing = { store, rules, onContractChange };
  const networkId = networkIdOf(passphrase);
  const { prepare, takePrepared } = createPreparedCalls(networkId);
  const verify = createVerifier();
  if (store.find('ledger', ledgerHeadKey) === undefined) writeGenesis(store, genesis, clock);

  const submit = (transaction: SubmittedTransaction): LandedTransaction => {
    const known = store.find('transactions', transaction.hash);
    if (known !== undefined) return known;
    const head = headOf(store);
    const closedAtMs = Math.max(head.closedAtMs, clock.epochMs());
    const account = store.find('accounts', transaction.source);
    requireValid(transaction, { account, closeTime: Math.floor(closedAtMs / 1_000), verify });
    const feeUnits = feeOf(transaction);
    const next = {
      sequence: head.sequence + 1,
      closedAtMs,
      feePoolUnits: head.feePoolUnits + feeUnits,
      transactions: head.transactions + 1,
    };
    return land(landing, transaction, feeUnits, { head: next, closedAt: isoTime(closedAtMs) });
  };

  return {
    passphrase,
    genesis,
    store,
    clock,
    prepare,
    parse: (envelopeXdr) => takePrepared(envelopeXdr) ?? parseEnvelope(envelopeXdr, networkId),
    submit,
    simulate: (call) => void applyContractCall(store.begin(), call, rules, isoTime(clock.epochMs())),
    closedLedger: () => closedLedger(store, clock.epochMs()),
  };
}

function writeGenesis(store: Store, genesis: Genesis, clock: Clock): void {
  const storeTransaction = store.begin();
  for (const account of genesis.accounts) storeTransaction.put('accounts', account.id, account);
  storeTransaction.put('ledger', ledgerHeadKey, { sequence: 1, closedAtMs: clock.epochMs(), feePoolUnits: 0n, transactions: 0 });
  storeTransaction.commit();
}

function headOf(store: Store): LedgerHead {
  const head = store.find('ledger', ledgerHeadKey);
  if (head === undefined) throw new Error('the network must have a ledger since its genesis');
  return head;
}

/** Close times have a resolution of seconds and never decrease, so an expired transaction can never land later. */
function closedLedger(store: Store, nowMs: number): LedgerHead {
  const head = headOf(store);
  if (Math.floor(nowMs / 1_000) <= Math.floor(head.closedAtMs / 1_000)) return head;
  const next = { ...head, sequence: head.sequence + 1, closedAtMs: nowMs };
  const storeTransaction = store.begin();
  storeTransaction.put('ledger', ledgerHeadKey, next);
  storeTransaction.commit();
  return next;
}

const secondsMax = 1_000;
/** The same seconds are formatted many times. */
const seconds = new LRUCache<number, string>({
  max: secondsMax,
  memoMethod: (second) => `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`,
});

/** ISO 8601 without milliseconds, as in Horizon's API. */
export function isoTime(epochMs: number): string {
  return seconds.memo(Math.floor(epochMs / 1_000));
}
