import type { xdr } from '@stellar/stellar-sdk';
import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { ParsedEnvelope } from '../envelopes/index.js';
import type { ContractCall } from './contract-call.js';
import type { LedgerTransfer } from '../values/index.js';

/** What one response of the network proves about a transaction. */
export type Evidence =
  | { readonly status: 'landed'; readonly ledger: number; readonly transfers: readonly LedgerTransfer[] }
  /** In a ledger, without an effect. */
  | { readonly status: 'failed'; readonly ledger: number; readonly reason: string }
  /** In no ledger, and no later ledger can contain it. */
  | { readonly status: 'never' }
  /** Not found yet, or the node does not have all ledgers that could contain it. `latestLedger` is the latest one of the node. */
  | {
      readonly status: 'pending';
      readonly latestLedger: number;
      /** It cannot land any more and its sequence number is used, but the node has forgotten the ledgers that could contain it. */
      readonly isForgotten?: true;
    };

export type LandedEvidence = Extract<Evidence, { readonly status: 'landed' | 'failed' }>;

/** Tokens that came to an address; negative if they left it. */
export type BalanceChange = { readonly address: string; readonly asset: CustodyAsset; readonly units: bigint };

/** What one operation has changed, in the network's own accounting. */
export type OperationChanges = {
  /** At most one for each address and asset. */
  readonly balances: readonly BalanceChange[];
  /** Tokens that wait for their claimants, once for each of them. */
  readonly claimable: readonly BalanceChange[];
};

/** What one response proves about a transaction, ours or a stranger's. */
export type FoundChanges =
  | { readonly status: 'landed'; readonly ledger: number; readonly operations: readonly OperationChanges[] }
  | { readonly status: 'failed'; readonly ledger: number }
  /** The node has the ledgers from `oldestLedger` to `latestLedger`, and the transaction is in none of them. */
  | { readonly status: 'missing'; readonly oldestLedger: number; readonly latestLedger: number };

/** An account's balances. An asset is missing where the account has no trustline for it. */
export type AccountBalances = {
  readonly balances: Readonly<Partial<Record<CustodyAsset, bigint>>>;
  /** XLM that the account cannot spend: the network's reserve for its entries. */
  readonly reservedUnits: bigint;
};

/** A contract that holds tokens of this token contract. */
export type TokenHolder = { readonly contractId: string; readonly token: string };

export type HeldWanted = {
  readonly addresses: readonly string[];
  readonly contracts: readonly TokenHolder[];
};

export type Held = {
  readonly ledger: number;
  readonly accounts: ReadonlyMap<string, AccountBalances>;
  readonly contractUnits: ReadonlyMap<string, bigint>;
};

/** What is needed to prove that a transaction is in no ledger. */
export type SoughtTransaction = {
  readonly hash: string;
  readonly validUntil: Instant;
  /** A ledger that was closed before the transaction was signed; only later ones can contain it. */
  readonly firstLedger: number;
  readonly sourceAccount: string;
  readonly sequence: bigint;
};

/** A transaction that was stored before it is submitted. */
export type StoredTransaction = SoughtTransaction & { readonly step: string; readonly envelope: string };

/** `decoded` decodes the envelope of a stored transaction at most once, and throws where it cannot be decoded. */
export type SignedTransaction = StoredTransaction & { readonly decoded: () => ParsedEnvelope };

/** The calls of the network's RPC, as they are measured. Repeated look-ups of a transaction are counted apart from the first one. */
export const rpcOperations = ['submit', 'look-up', 'look-up-again', 'contract-read', 'account-read', 'read'] as const;
export type RpcOperation = (typeof rpcOperations)[number];
export type LookUp = Extract<RpcOperation, `look-up${string}`>;

/** The response to a submission. None of them proves anything: a sent transaction may get lost, a refused one may have landed. */
export type Submission =
  | { readonly status: 'sent' }
  /** The node is busy, unreachable, or did not respond in time. */
  | { readonly status: 'try-later'; readonly reason: string }
  /** The code of the transaction inside a fee bump, or of the fee bump where that itself is refused. */
  | { readonly status: 'refused'; readonly resultCode: string };

/** What transactions have paid for each operation lately, apart from resources: the ninetieth percentile, in units of 10^-7 XLM. */
export type InclusionFees = {
  readonly ofCalls: bigint;
  /** Of transactions that call no contract. The network prices the two kinds apart. */
  readonly ofOthers: bigint;
};

/** The network's RPC. Methods throw SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT when it is unreachable; `submit` never throws. */
export type LedgerRpc = {
  /** Takes a signed envelope in base64. */
  readonly submit: (envelopeXdr: string) => Promise<Submission>;
  /** Judges by one response that contains the whole proof. */
  readonly evidenceOf: (transaction: SoughtTransaction, lookUp?: LookUp) => Promise<Evidence>;
  /**
   * For a transaction that the network refuses for its sequence number. If another transaction has used the number, the result is
   * `never`, because no ledger can contain both.
   */
  readonly evidenceOfOvertaken: (transaction: SoughtTransaction) => Promise<Evidence>;
  /** Undefined where the node does not have the transaction; it may be older than its history. */
  readonly findTransaction: (hash: string) => Promise<LandedEvidence | undefined>;
  /** The call of a contract that a landed transaction has made. Undefined if it made another one, or the node does not have it. */
  readonly findCall: (hash: string) => Promise<ContractCall | undefined>;
  /** What the operations of a transaction have changed. */
  readonly balanceChangesOf: (hash: string) => Promise<FoundChanges>;
  /** The balances of accounts, read from one ledger. Accounts that the network does not have are left out. */
  readonly accountBalances: (addresses: readonly string[]) => Promise<ReadonlyMap<string, AccountBalances>>;
  /** What accounts and contracts hold, all read from one ledger. Those that the network does not have are left out. */
  readonly held: (wanted: HeldWanted) => Promise<Held>;
  /** A ledger that is closed by now, as it was known at most `ageMsMax` ago; by default a minute. */
  readonly closedLedger: (ageMsMax?: number) => Promise<number>;
  readonly inclusionFees: () => Promise<InclusionFees>;
  /** The code with this hash, or undefined where the network does not have it. */
  readonly contractCode: (wasmHash: string) => Promise<Buffer | undefined>;
  /** Entries of one ledger. Those that the network does not have are left out. */
  readonly entries: (keys: readonly EntryKey[]) => Promise<LedgerEntries>;
  /** Extends all entries of each group with a short-lived entry. Undefined if no entry is short-lived. */
  readonly planExtension: (groups: readonly (readonly xdr.LedgerKey[])[]) => Promise<LifetimeChange | undefined>;
  /** Restores archived entries. Undefined where nothing is archived. Throws where the network would restore anything else. */
  readonly planRestoration: (wanted: Restoration) => Promise<LifetimeChange | undefined>;
};

/** A transaction that extends or restores entries of the ledger. Any account may submit it. */
export type LifetimeChange = {
  readonly does: 'extend' | 'restore';
  /** Its entries, and the fee for its resources, as XDR in base64. */
  readonly resources: string;
};

/** An entry, and the last ledger of its life, where that ends. */
export type LedgerEntry = { readonly data: xdr.LedgerEntryData; readonly liveUntilLedger: number | undefined };

/** The key of an entry as XDR in base64. A key has only one encoding, so that equal texts are equal keys. */
export type EntryKey = string;

export type LedgerEntries = { readonly latestLedger: number; readonly entries: ReadonlyMap<EntryKey, LedgerEntry> };

export type Restoration = {
  /** The network names the archived entries that this call reads. */
  readonly call: xdr.Operation;
  /** Entries that may be restored. */
  readonly allowed: readonly xdr.LedgerKey[];
  /** Entries that are restored as well where they are archived. */
  readonly others: readonly xdr.LedgerKey[];
};
