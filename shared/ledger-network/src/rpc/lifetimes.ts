import {
  Account,
  BASE_FEE,
  Operation,
  SorobanDataBuilder,
  StrKey,
  TimeoutInfinite,
  TransactionBuilder,
  rpc,
  type xdr,
} from '@stellar/stellar-sdk';
import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import { lifeIsOver, lifeIsShort } from '../values/index.js';
import type { LifetimeChange, Restoration } from './ledger-rpc-port.js';
import type { RpcClient } from './rpc-client.js';

type PlanDeps = { readonly client: RpcClient; readonly networkPassphrase: string };

/** Extends all entries of each group with a short-lived entry. Archived entries cannot be extended. */
export async function planExtension(
  deps: PlanDeps,
  groups: readonly (readonly xdr.LedgerKey[])[],
): Promise<LifetimeChange | undefined> {
  const lives = await readLives(deps, groups.flat());
  const live = groups.map((keys) => keys.filter((key) => isLive(lives, key)));
  const short = live.filter((keys) => keys.some((key) => lifeIsShort(lives.of(key), lives.latestLedger)));
  if (short.length === 0) return undefined;
  return withResources(deps, 'extend', new SorobanDataBuilder().setReadOnly(short.flat()));
}

export async function planRestoration(
  deps: PlanDeps,
  { call, allowed, others }: Restoration,
): Promise<LifetimeChange | undefined> {
  const own = new Set(allowed.map((key) => key.toXDR('base64')));
  const named = await archivedFor(deps, call);
  const foreign = named.find((key) => !own.has(key.toXDR('base64')));
  if (foreign !== undefined) throw unavailable(`the entry ${foreign.toXDR('base64')} does not belong to the contract`);
  const lives = others.length === 0 ? undefined : await readLives(deps, others);
  const gone = lives === undefined ? [] : others.filter((key) => !isLive(lives, key));
  const unique = new Map([...named, ...gone].map((key) => [key.toXDR('base64'), key]));
  if (unique.size === 0) return undefined;
  return withResources(deps, 'restore', new SorobanDataBuilder().setReadWrite([...unique.values()]));
}

/** Nodes name archived entries as those that must be restored first, or as those that the call itself restores, or both. */
async function archivedFor(deps: PlanDeps, call: xdr.Operation): Promise<readonly xdr.LedgerKey[]> {
  const simulation = await simulate(deps, call);
  const data = simulation.transactionData.build();
  const written = data.resources().footprint().readWrite();
  const extension = data.ext();
  const indexes = extension.switch() === 0 ? [] : extension.resourceExt().archivedSorobanEntries();
  const preamble = rpc.Api.isSimulationRestore(simulation) ? simulation.restorePreamble.transactionData.getReadWrite() : [];
  return [...preamble, ...indexes.flatMap((index) => written[index] ?? [])];
}

const ledgerNumber = z.number().int().positive();

type Lives = {
  readonly has: (key: xdr.LedgerKey) => boolean;
  /** The last ledger of an entry. */
  readonly of: (key: xdr.LedgerKey) => number | undefined;
  readonly latestLedger: number;
};

async function readLives({ client }: PlanDeps, keys: readonly xdr.LedgerKey[]): Promise<Lives> {
  const { entries, latestLedger } = await client.call((server) => server.getLedgerEntries(...keys));
  const found = new Map(entries.map(({ key, liveUntilLedgerSeq }) => [key.toXDR('base64'), liveUntilLedgerSeq]));
  return {
    has: (key) => found.has(key.toXDR('base64')),
    of: (key) => found.get(key.toXDR('base64')),
    latestLedger: ledgerNumber.parse(latestLedger),
  };
}

/** Some nodes leave archived entries out, others show them with the last ledger of their life. */
function isLive({ has, of, latestLedger }: Lives, key: xdr.LedgerKey): boolean {
  return has(key) && !lifeIsOver(of(key), latestLedger);
}

/** The footprint stays ours; the node only says what the transaction needs. */
async function withResources(
  deps: PlanDeps,
  does: LifetimeChange['does'],
  footprint: SorobanDataBuilder,
): Promise<LifetimeChange> {
  const { transactionData, minResourceFee } = await simulate(deps, lifetimeOperation({ does }), footprint.build());
  const needed = transactionData.build().resources();
  const resources = footprint
    .setResources(needed.instructions(), needed.diskReadBytes(), needed.writeBytes())
    .setResourceFee(minResourceFee)
    .build();
  return { does, resources: resources.toXDR('base64') };
}

/** A simulation needs no existing account. */
const nobody = StrKey.encodeEd25519PublicKey(Buffer.alloc(32));

async function simulate(
  { client, networkPassphrase }: PlanDeps,
  operation: xdr.Operation,
  sorobanData?: xdr.SorobanTransactionData,
): Promise<rpc.Api.SimulateTransactionSuccessResponse> {
  const options = { fee: BASE_FEE, networkPassphrase, ...(sorobanData === undefined ? {} : { sorobanData }) };
  const builder = new TransactionBuilder(new Account(nobody, '0'), options).addOperation(operation);
  const transaction = builder.setTimeout(TimeoutInfinite).build();
  const simulation = await client.call((server) => server.simulateTransaction(transaction));
  if (!rpc.Api.isSimulationSuccess(simulation)) throw unavailable(`the simulation failed: ${simulation.error}`);
  return simulation;
}

function unavailable(reason: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork', reason });
}

/** The longest life that the network grants: its setting of 3,110,400 ledgers, about half a year, without the current one. */
const extendToLedgers = 3_110_399;

/** The entries that it extends or restores are in the resources of its transaction. */
export function lifetimeOperation({ does }: Pick<LifetimeChange, 'does'>): xdr.Operation {
  return does === 'extend' ? Operation.extendFootprintTtl({ extendTo: extendToLedgers }) : Operation.restoreFootprint({});
}
