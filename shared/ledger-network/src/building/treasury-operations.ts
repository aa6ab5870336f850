import { Account, Asset, BASE_FEE, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { ParsedEnvelope } from '../envelopes/index.js';
import type { Clock } from '@holdfast/kernel/context';
import { textOfUnits, type TreasuryOperation } from '../values/index.js';
import { lifetimeOperation, type LifetimeChange } from '../rpc/index.js';

/**
 * How long the transactions are valid that the platform builds itself. The time is long enough for a busy network, where a ledger takes
 * about five seconds and a bid is raised several times. A lost transaction is submitted again, so a shorter time would not end it sooner.
 */
export const ownTransactionsValidMs = 180_000;

/** The upper time bound of a transaction that is built now. */
export function validUntilSeconds(clock: Pick<Clock, 'epochMs'>): number {
  return Math.floor((clock.epochMs() + ownTransactionsValidMs) / 1_000);
}

export type BuildOptions = {
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly treasuryAddress: string;
  /** The current sequence number of the treasury's account. */
  readonly sequence: bigint;
  /** The upper time bound, in seconds. */
  readonly validUntil: number;
};

/** Builds one transaction of the treasury's account with all operations. */
export function buildTreasuryTransaction(operations: readonly TreasuryOperation[], options: BuildOptions): string {
  const builder = builderOf(options);
  for (const operation of operations) builder.addOperation(toStellarOperation(operation, options));
  return builder.build().toXDR();
}

/** Builds a transaction of the treasury's account that extends or restores entries. Its fee includes the fee of the resources. */
export function buildLifetimeTransaction(change: LifetimeChange, options: BuildOptions): string {
  return builderOf(options).setSorobanData(change.resources).addOperation(lifetimeOperation(change)).build().toXDR();
}

/** It bids the minimum; the fee bump bids the network's current fee. */
function builderOf({ networkPassphrase, treasuryAddress, sequence, validUntil }: BuildOptions): TransactionBuilder {
  return new TransactionBuilder(new Account(treasuryAddress, sequence.toString()), {
    fee: BASE_FEE,
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: validUntil },
  });
}

function toStellarOperation(operation: TreasuryOperation, { usdcIssuer }: BuildOptions): xdr.Operation {
  const usdc = new Asset('USDC', usdcIssuer);
  switch (operation.does) {
    case 'create':
      return Operation.createAccount({ destination: operation.address, startingBalance: textOfUnits(operation.units) });
    case 'trust':
      return Operation.changeTrust({ ...sourceOf(operation.by), asset: usdc });
    case 'sponsor':
      return Operation.beginSponsoringFutureReserves({ sponsoredId: operation.address });
    case 'end-sponsoring':
      return Operation.endSponsoringFutureReserves(sourceOf(operation.by));
    case 'pay': {
      const asset = operation.asset === 'XLM' ? Asset.native() : usdc;
      return Operation.payment({
        ...sourceOf(operation.by),
        destination: operation.to,
        asset,
        amount: textOfUnits(operation.units),
      });
    }
  }
}

function sourceOf(by: string | undefined): { readonly source?: string } {
  return by === undefined ? {} : { source: by };
}

/** The accounts, except the treasury, whose trustlines the transaction creates; they are active when it has landed. */
export function trustedIn({ transaction }: ParsedEnvelope): readonly string[] {
  const operations = transaction.operations().map((operation) => Operation.fromXDRObject(operation));
  return operations.flatMap(({ type, source }) => (type === 'changeTrust' && source !== undefined ? [source] : []));
}
