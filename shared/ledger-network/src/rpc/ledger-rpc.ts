import { performance } from 'node:perf_hooks';
import { Keypair, xdr, type rpc } from '@stellar/stellar-sdk';
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
import { assetNames, balanceChangesIn, type AssetNames } from './balance-changes.js';
import { contractCallIn, type ContractCall } from './contract-call.js';
import { readContractCode } from './contract-entries.js';
import { readHeld } from './held-entries.js';
import { readInclusionFees } from './inclusion-fees.js';
import { transfersIn } from './landed-transfers.js';
import { planExtension, planRestoration } from './lifetimes.js';
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
  const finding: Finding = { client, highest, onDecoded: options.onDecoded };
  const latestLedger = shareCalls(() => readLatestLedger(client));
  const names = assetNames(options.networkPassphrase, options.usdcIssuer);
  const held: LedgerRpc['held'] = (wanted) =>
    client.call((server) => readHeld(server, wanted, options.usdcIssuer), 'account-read');
  const lifetimes = { client, networkPassphrase: options.networkPassphrase };
  return {
    submit: (signed) => submit(client, signed),
    evidenceOf: (transaction, lookUp) => evidenceOf(finding, transaction, lookUp),
    evidenceOfOvertaken: (transaction) => evidenceOfOvertaken(finding, transaction),
    findTransaction: async (hash) => landedIn(await find(finding, { hash }, 'read')),
    findCall: async (hash) => callIn(await find(finding, { hash }, 'read')),
    balanceChangesOf: async (hash) => changesIn(await find(finding, { hash }, 'read'), names),
    accountBalances: async (addresses) => (await held({ addresses, contracts: [] })).accounts,
    held,
    closedLedger: async (ageMsMax = recentMs) => highest.known(ageMsMax) ?? highest.see(await latestLedger()),
    inclusionFees: () => client.call(readInclusionFees),
    contractCode: (wasmHash) => client.call((server) => readContractCode(server, wasmHash)),
    entries: async (keys) => {
      // Nodes refuse a request without keys.
      if (keys.length === 0) return { latestLedger: highest.see(await latestLedger()), entries: [] };
      const read = await client.call((server) => server.getLedgerEntries(...keys), 'contract-read');
      highest.see(ledgerNumber.parse(read.latestLedger));
      return read;
    },
    planExtension: (groups) => planExtension(lifetimes, groups),
    planRestoration: (wanted) => planRestoration(lifetimes, wanted),
    close: () => {
      client.close();
      return Promise.resolve();
    },
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

function readLatestLedger(client: RpcClient): Promise<number> {
  return client.call(async (server) => ledgerNumber.parse((await server.getHealth()).latestLedger));
}

const ledgerNumber = z.number().int().positive();

async function submit(client: RpcClient, signed: Parameters<LedgerRpc['submit']>[0]): Promise<Submission> {
  try {
    return submissionOf(await client.call((server) => server.sendTransaction(signed), 'submit'));
  } catch (error) {
    return { status: 'try-later', reason: error instanceof Error ? error.message : 'no response' };
  }
}

function submissionOf({ status, errorResult }: rpc.Api.SendTransactionResponse): Submission {
  switch (status) {
    case 'PENDING':
    case 'DUPLICATE':
      return { status: 'sent' };
    case 'ERROR':
      return { status: 'refused', resultCode: errorResult === undefined ? 'no result' : codeOf(errorResult) };
    default:
      return { status: 'try-later', reason: status };
  }
}

/** What a response about a transaction says about the node. Nodes write the times as text or as numbers. */
const nodeFields = z.object({ latestLedger: ledgerNumber, latestLedgerCloseTime: z.coerce.number(), oldestLedger: ledgerNumber });

type Found = { readonly response: rpc.Api.GetTransactionResponse; readonly node: z.output<typeof nodeFields> };

type Finding = { readonly client: RpcClient; readonly highest: Highest; readonly onDecoded: OnDecoded | undefined };

/** The SDK decodes the envelope of a transaction that the node has. */
async function find(
  { client, highest, onDecoded }: Finding,
  { hash }: Pick<SoughtTransaction, 'hash'>,
  operation: RpcOperation,
): Promise<Found> {
  const found = await client.call(async (server) => {
    const response = await server.getTransaction(hash);
    return { response, node: nodeFields.parse(response) };
  }, operation);
  if ('envelopeXdr' in found.response) onDecoded?.('network');
  highest.see(found.node.latestLedger);
  return found;
}

/** Undefined if the node does not have the transaction. */
function landedIn({ response }: Found): LandedEvidence | undefined {
  if (!('resultMetaXdr' in response)) return undefined;
  const { ledger } = response;
  return isStatus(response, 'SUCCESS')
    ? { status: 'landed', ledger, transfers: transfersIn(response.resultMetaXdr) }
    : { status: 'failed', ledger, reason: reasonOf(response.resultXdr) };
}

function changesIn({ response, node: { oldestLedger, latestLedger } }: Found, names: AssetNames): FoundChanges {
  if (!('resultMetaXdr' in response)) return { status: 'missing', oldestLedger, latestLedger };
  const { ledger } = response;
  return isStatus(response, 'SUCCESS')
    ? { status: 'landed', ledger, operations: balanceChangesIn(response.resultMetaXdr, names) }
    : { status: 'failed', ledger };
}

function callIn({ response }: Found): ContractCall | undefined {
  return 'envelopeXdr' in response && isStatus(response, 'SUCCESS') ? contractCallIn(response.envelopeXdr) : undefined;
}

/** The SDK has an enumeration of the texts. */
function isStatus({ status }: { readonly status: string }, expected: string): boolean {
  return status === expected;
}

/**
 * A node that has forgotten ledgers cannot say what was in them. But a transaction that has landed has used its sequence number, so
 * that an unused one proves that it has not.
 */
async function evidenceOf(finding: Finding, transaction: SoughtTransaction, lookUp: LookUp = 'look-up-again'): Promise<Evidence> {
  const found = await find(finding, transaction, lookUp);
  const evidence = evidenceIn(found, transaction);
  const isForgotten = isOver(found, transaction) && !hasAllLedgers(found.node, transaction);
  if (evidence.status !== 'pending' || !isForgotten) return evidence;
  const account = await readSequence(finding.client, transaction.sourceAccount);
  if (account === undefined || account.ledger < found.node.latestLedger) return evidence;
  return account.sequence < transaction.sequence ? { status: 'never' } : { ...evidence, isForgotten: true };
}

function evidenceIn(found: Found, transaction: SoughtTransaction): Evidence {
  const landed = landedIn(found);
  if (landed !== undefined) return landed;
  const { node } = found;
  return isOver(found, transaction) && hasAllLedgers(node, transaction)
    ? { status: 'never' }
    : { status: 'pending', latestLedger: node.latestLedger };
}

/** Whether the node does not have the transaction, and no later ledger can contain it. */
function isOver({ response, node }: Found, { validUntil }: SoughtTransaction): boolean {
  return isStatus(response, 'NOT_FOUND') && node.latestLedgerCloseTime * millisecondsPerSecond > toEpochMs(validUntil);
}

const millisecondsPerSecond = 1_000;

/** Whether the node has every ledger up to its latest one that could contain the transaction. */
function hasAllLedgers({ oldestLedger }: Found['node'], { firstLedger }: SoughtTransaction): boolean {
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
  const isProof = found.node.latestLedger >= account.ledger && hasAllLedgers(found.node, transaction);
  return isProof ? { status: 'never' } : evidence;
}

type AccountSequence = { readonly sequence: bigint; readonly ledger: number };

async function readSequence(client: RpcClient, address: string): Promise<AccountSequence | undefined> {
  const accountId = Keypair.fromPublicKey(address).xdrAccountId();
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  return client.call(async (server) => {
    const { entries, latestLedger: ledger } = await server.getLedgerEntries(key);
    const sequence = entries[0]?.val.account().seqNum().toBigInt();
    return sequence === undefined ? undefined : { sequence, ledger: ledgerNumber.parse(ledger) };
  });
}
