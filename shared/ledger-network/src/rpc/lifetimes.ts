import {
  Account,
  BASE_FEE,
  Operation,
  SorobanDataBuilder,
  StrKey,
  TimeoutInfinite,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import { lifeIsOver, lifeIsShort } from '../values/index.js';
import { entryKey, readEntries } from './ledger-entries.js';
import type { LedgerEntries, LifetimeChange, Restoration } from './ledger-rpc-port.js';
import { xdrOf } from './result-fields.js';
import type { RpcClient } from './rpc-client.js';

type PlanDeps = { readonly client: RpcClient; readonly networkPassphrase: string };

/** Extends all entries of each group with a short-lived entry. Archived entries cannot be extended. */
export async function planExtension(
  deps: PlanDeps,
  groups: readonly (readonly xdr.LedgerKey[])[],
): Promise<LifetimeChange | undefined> {
  const lives = await readEntries(deps.client, groups.flat().map(entryKey), 'read');
  const live = groups.map((keys) => keys.filter((key) => isLive(lives, key)));
  const short = live.filter((keys) =>
    keys.some((key) => lifeIsShort(lives.entries.get(entryKey(key))?.liveUntilLedger, lives.latestLedger)),
  );
  if (short.length === 0) return undefined;
  return withResources(deps, 'extend', new SorobanDataBuilder().setReadOnly(short.flat()));
}

export async function planRestoration(
  deps: PlanDeps,
  { call, allowed, others }: Restoration,
): Promise<LifetimeChange | undefined> {
  const own = new Set(allowed.map(entryKey));
  const named = await archivedFor(deps, call);
  const foreign = named.find((key) => !own.has(entryKey(key)));
  if (foreign !== undefined) throw unavailable(`the entry ${entryKey(foreign)} does not belong to the contract`);
  const lives = others.length === 0 ? undefined : await readEntries(deps.client, others.map(entryKey), 'read');
  const gone = lives === undefined ? [] : others.filter((key) => !isLive(lives, key));
  const unique = new Map([...named, ...gone].map((key) => [entryKey(key), key]));
  if (unique.size === 0) return undefined;
  return withResources(deps, 'restore', new SorobanDataBuilder().setReadWrite([...unique.values()]));
}

/** Nodes name archived entries as those that must be restored first, or as those that the call itself restores, or both. */
async function archivedFor(deps: PlanDeps, call: xdr.Operation): Promise<readonly xdr.LedgerKey[]> {
  const { transactionData: data, restorePreamble } = await simulate(deps, call);
  const written = data.resources().footprint().readWrite();
  const extension = data.ext();
  const indexes = extension.switch() === 0 ? [] : extension.resourceExt().archivedSorobanEntries();
  const before = restorePreamble?.transactionData;
  const preamble = before === undefined || before === '' ? [] : before.resources().footprint().readWrite();
  return [...preamble, ...indexes.flatMap((index) => written[index] ?? [])];
}

/** Some nodes leave archived entries out, others show them with the last ledger of their life. */
function isLive({ entries, latestLedger }: LedgerEntries, key: xdr.LedgerKey): boolean {
  const entry = entries.get(entryKey(key));
  return entry !== undefined && !lifeIsOver(entry.liveUntilLedger, latestLedger);
}

/** The footprint stays ours; the node only says what the transaction needs. */
async function withResources(
  deps: PlanDeps,
  does: LifetimeChange['does'],
  footprint: SorobanDataBuilder,
): Promise<LifetimeChange> {
  const { transactionData, minResourceFee } = await simulate(deps, lifetimeOperation({ does }), footprint.build());
  const needed = transactionData.resources();
  const resources = footprint
    .setResources(needed.instructions(), needed.diskReadBytes(), needed.writeBytes())
    .setResourceFee(minResourceFee)
    .build();
  return { does, resources: resources.toXDR('base64') };
}

/** A simulation needs no existing account. */
const nobody = StrKey.encodeEd25519PublicKey(Buffer.alloc(32));

const simulation = z.union([
  z.object({ error: z.string() }),
  z.object({
    transactionData: xdrOf(xdr.SorobanTransactionData),
    minResourceFee: z.string(),
    /** Archived entries that must be restored first. It has no data if there are none. */
    restorePreamble: z.object({ transactionData: z.union([z.literal(''), xdrOf(xdr.SorobanTransactionData)]) }).optional(),
  }),
]);

async function simulate(
  { client, networkPassphrase }: PlanDeps,
  operation: xdr.Operation,
  sorobanData?: xdr.SorobanTransactionData,
) {
  const options = { fee: BASE_FEE, networkPassphrase, ...(sorobanData === undefined ? {} : { sorobanData }) };
  const builder = new TransactionBuilder(new Account(nobody, '0'), options).addOperation(operation);
  const transaction = builder.setTimeout(TimeoutInfinite).build().toXDR();
  const result = await client.call({ method: 'simulateTransaction', params: { transaction }, result: simulation });
  if ('error' in result) throw unavailable(`the simulation failed: ${result.error}`);
  return result;
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
