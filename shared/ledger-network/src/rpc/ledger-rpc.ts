import { performance } from 'node:perf_hooks';
import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { shareCalls } from '@holdfast/kernel/async';
import { toEpochMs } from '@holdfast/kernel/context';
import type { OnDecoded } from '../envelopes/index.js';
import type {
  Evidence,
  FoundChanges,
  LandedEvidence,
  LedgerRpc,
  LookUp,
  RpcOperation,
  SoughtTransaction,
  Submission,
} from './ledger-rpc-port.js';
import { accountIdOf, accountKey } from './account-entries.js';
import { assetNames, balanceChangesIn, type AssetNames } from './balance-changes.js';
import { contractCallIn, type ContractCall } from './contract-call.js';
import { readContractCode } from './contract-entries.js';
import { readHeld } from './held-entries.js';
import { readInclusionFees } from './inclusion-fees.js';
import { transfersIn } from './landed-transfers.js';
import { readLatestLedger } from './latest-ledger.js';
import { readEntries } from './ledger-entries.js';
import { planExtension, planRestoration } from './lifetimes.js';
import { ledgerNumber, xdrOf } from './result-fields.js';
import { openRpc, type RpcClient, type RpcOptions } from './rpc-client.js';

/** `usdcIssuer` says which USDC counts. */
export type LedgerRpcOptions = RpcOptions & { readonly usdcIssuer: string; readonly onDecoded?: OnDecoded };

/**
 * The ledger network through its RPC. A node finds a transaction that travelled in a fee bump by its own hash, too: it stores both
 * hashes of a fee bump.
 */
export function createLedgerRpc(options: LedgerRpcOptions): LedgerRpc & { readonly close: () => Promise<void> } {
  const client = openRpc(options);
  const highest = createHighest();
  const finding: Finding = { client, highest };
  const latestLedger = shareCalls(() => readLatestLedger(client));
  const names = assetNames(options.networkPassphrase, options.usdcIssuer);
  const held: LedgerRpc['held'] = (wanted) => readHeld(client, wanted, options.usdcIssuer);
  const lifetimes = { client, networkPassphrase: options.networkPassphrase };
  return {
    submit: (signed) => submit(client, signed),
    evidenceOf: (transaction, lookUp) => evidenceOf(finding, transaction, lookUp),
    evidenceOfOvertaken: (transaction) => evidenceOfOvertaken(finding, transaction),
    findTransaction: async (hash) => landedIn(await find(finding, { hash }, 'read')),
    findCall: (hash) => findCall(client, hash, options.onDecoded),
    balanceChangesOf: async (hash) => changesIn(await find(finding, { hash }, 'read'), names),
    accountBalances: async (addresses) => (await held({ addresses, contracts: [] })).accounts,
    held,
    closedLedger: async (ageMsMax = recentMs) => highest.known(ageMsMax) ?? highest.see(await latestLedger()),
    inclusionFees: () => readInclusionFees(client),
    contractCode: (wasmHash) => readContractCode(client, wasmHash),
    entries: async (keys) => {
      // Nodes refuse a request without keys.
      if (keys.length === 0) return { latestLedger: highest.see(await latestLedger()), entries: new Map() };
      const read = await readEntries(client, keys, 'contract-read');
      highest.see(read.latestLedger);
      return read;
    },
    planExtension: (groups) => planExtension(lifetimes, groups),
    planRestoration: (wanted) => planRestoration(lifetimes, wanted),
    close: client.close,
  };
}

/** The highest closed ledger that any response has named. Nodes behind one address may lag behind each other. */
type Highest = {
  /** Undefined before the first response, and where the last one is older. */
  readonly known: (ageMsMax: number) => number | undefined;
  readonly see: (ledger: number) => number;
};

/** Nodes forget old ledgers. If one is forgotten, no response can prove that a transaction is in no ledger. */
const recentMs = 60_000;

function createHighest(): Highest {
  let highest = 0;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  return {
    known: (ageMsMax) => (performance.now() - seenAtMs < ageMsMax ? highest : undefined),
    see: (ledger) => {
      highest = Math.max(highest, ledger);
      seenAtMs = performance.now();
      return highest;
    },
  };
}

const submissionResult = z.object({ status: z.string(), errorResultXdr: xdrOf(xdr.TransactionResult).optional() });

async function submit({ call }: RpcClient, transaction: string): Promise<Submission> {
  try {
    const result = submissionResult;
    return submissionOf(await call({ method: 'sendTransaction', params: { transaction }, result, operation: 'submit' }));
  } catch (error) {
    return { status: 'try-later', reason: error instanceof Error ? error.message : 'no response' };
  }
}

function submissionOf({ status, errorResultXdr }: z.output<typeof submissionResult>): Submission {
  switch (status) {
    case 'PENDING':
    case 'DUPLICATE':
      return { status: 'sent' };
    case 'ERROR':
      return { status: 'refused', resultCode: errorResultXdr === undefined ? 'no result' : codeOf(errorResultXdr) };
    default:
      return { status: 'try-later', reason: status };
  }
}

/** What a response about a transaction says about the node. Nodes write the times as text or as numbers. */
const node = { latestLedger: ledgerNumber, latestLedgerCloseTime: z.coerce.number(), oldestLedger: ledgerNumber };

/** How a transaction ended, and the node that says it. */
const foundResult = z.discriminatedUnion('status', [
  z.object({ ...node, status: z.literal('NOT_FOUND') }),
  z.object({ ...node, status: z.literal('SUCCESS'), ledger: ledgerNumber, resultMetaXdr: xdrOf(xdr.TransactionMeta) }),
  z.object({ ...node, status: z.literal('FAILED'), ledger: ledgerNumber, resultXdr: xdrOf(xdr.TransactionResult) }),
]);
type Found = z.output<typeof foundResult>;

type Finding = { readonly client: RpcClient; readonly highest: Highest };

async function find(
  { client, highest }: Finding,
  { hash }: Pick<SoughtTransaction, 'hash'>,
  operation: RpcOperation,
): Promise<Found> {
  const found = await client.call({ method: 'getTransaction', params: { hash }, result: foundResult, operation });
  highest.see(found.latestLedger);
  return found;
}

/** Undefined if the node does not have the transaction. */
function landedIn(found: Found): LandedEvidence | undefined {
  switch (found.status) {
    case 'NOT_FOUND':
      return undefined;
    case 'SUCCESS':
      return { status: 'landed', ledger: found.ledger, transfers: transfersIn(found.resultMetaXdr) };
    case 'FAILED':
      return { status: 'failed', ledger: found.ledger, reason: reasonOf(found.resultXdr) };
  }
}

function changesIn(found: Found, names: AssetNames): FoundChanges {
  switch (found.status) {
    case 'NOT_FOUND':
      return { status: 'missing', oldestLedger: found.oldestLedger, latestLedger: found.latestLedger };
    case 'SUCCESS':
      return { status: 'landed', ledger: found.ledger, operations: balanceChangesIn(found.resultMetaXdr, names) };
    case 'FAILED':
      return { status: 'failed', ledger: found.ledger };
  }
}

const calledResult = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['NOT_FOUND', 'FAILED']) }),
  z.object({ status: z.literal('SUCCESS'), envelopeXdr: xdrOf(xdr.TransactionEnvelope) }),
]);

async function findCall({ call }: RpcClient, hash: string, onDecoded: OnDecoded | undefined): Promise<ContractCall | undefined> {
  const called = await call({ method: 'getTransaction', params: { hash }, result: calledResult });
  if (called.status !== 'SUCCESS') return undefined;
  onDecoded?.('network');
  return contractCallIn(called.envelopeXdr);
}

/**
 * A node that has forgotten ledgers cannot say what was in them. But a transaction that has landed has used its sequence number, so
 * that an unused one proves that it has not.
 */
async function evidenceOf(finding: Finding, transaction: SoughtTransaction, lookUp: LookUp = 'look-up-again'): Promise<Evidence> {
  const found = await find(finding, transaction, lookUp);
  const evidence = evidenceIn(found, transaction);
  const isForgotten = isOver(found, transaction) && !hasAllLedgers(found, transaction);
  if (evidence.status !== 'pending' || !isForgotten) return evidence;
  const account = await readSequence(finding.client, transaction.sourceAccount);
  if (account === undefined || account.ledger < found.latestLedger) return evidence;
  return account.sequence < transaction.sequence ? { status: 'never' } : { ...evidence, isForgotten: true };
}

function evidenceIn(found: Found, transaction: SoughtTransaction): Evidence {
  const landed = landedIn(found);
  if (landed !== undefined) return landed;
  return isOver(found, transaction) && hasAllLedgers(found, transaction)
    ? { status: 'never' }
    : { status: 'pending', latestLedger: found.latestLedger };
}

/** Whether the node does not have the transaction, and no later ledger can contain it. */
function isOver({ status, latestLedgerCloseTime }: Found, { validUntil }: SoughtTransaction): boolean {
  return status === 'NOT_FOUND' && latestLedgerCloseTime * millisecondsPerSecond > toEpochMs(validUntil);
}

const millisecondsPerSecond = 1_000;

/** Whether the node has every ledger up to its latest one that could contain the transaction. */
function hasAllLedgers({ oldestLedger }: Found, { firstLedger }: SoughtTransaction): boolean {
  return oldestLedger <= firstLedger;
}

function reasonOf(result: xdr.TransactionResult): string {
  return `the transaction failed on the ledger network: ${codeOf(result)}`;
}

/** Of a fee bump the code of the transaction inside it, unless the fee bump itself was refused. */
function codeOf(result: xdr.TransactionResult): string {
  const outer = result.result();
  return outer.switch().name === 'txFeeBumpInnerFailed'
    ? outer.innerResultPair().result().result().switch().name
    : outer.switch().name;
}

/**
 * The account is read first. Then a later lookup decides, by a node that has the ledger of this reading. Either one of its ledgers has the
 * transaction, or another transaction has used the sequence number.
 */
async function evidenceOfOvertaken(finding: Finding, transaction: SoughtTransaction): Promise<Evidence> {
  const account = await readSequence(finding.client, transaction.sourceAccount);
  const found = await find(finding, transaction, 'look-up-again');
  const evidence = evidenceIn(found, transaction);
  if (evidence.status !== 'pending' || account === undefined || account.sequence < transaction.sequence) return evidence;
  const isProof = found.latestLedger >= account.ledger && hasAllLedgers(found, transaction);
  return isProof ? { status: 'never' } : evidence;
}

type AccountSequence = { readonly sequence: bigint; readonly ledger: number };

async function readSequence(client: RpcClient, address: string): Promise<AccountSequence | undefined> {
  const key = accountKey(accountIdOf(address));
  const { entries, latestLedger: ledger } = await readEntries(client, [key], 'read');
  const sequence = entries.get(key)?.data.account().seqNum().toBigInt();
  return sequence === undefined ? undefined : { sequence, ledger };
}
