import { Account, Asset, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import { textOfUnits } from '../network/units-of-text.js';

/** An operation in a transaction of the treasury. Its source, which must sign, is `by`, by default the treasury. */
export type TreasuryOperation =
  | { readonly does: 'create'; readonly address: string; readonly units: bigint }
  | { readonly does: 'trust'; readonly by: string | undefined }
  | { readonly does: 'pay'; readonly by?: string; readonly to: string; readonly asset: CustodyAsset; readonly units: bigint };

export type BuildOptions = {
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly treasuryAddress: string;
  /** The current sequence number of the treasury's account. */
  readonly sequence: bigint;
  /** The upper time bound, in seconds. */
  readonly validUntil: number;
};

/** Maximum fee per operation; the network charges the current, lower fee. */
const feeUnitsPerOperation = '10000';

/** Builds one transaction of the treasury's account with all operations. */
export function buildTreasuryTransaction(operations: readonly TreasuryOperation[], options: BuildOptions): string {
  const { networkPassphrase, treasuryAddress, sequence, validUntil } = options;
  const builder = new TransactionBuilder(new Account(treasuryAddress, sequence.toString()), {
    fee: feeUnitsPerOperation,
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: validUntil },
  });
  for (const operation of operations) builder.addOperation(toStellarOperation(operation, options));
  return builder.build().toXDR();
}

function toStellarOperation(operation: TreasuryOperation, { usdcIssuer }: BuildOptions): xdr.Operation {
  const usdc = new Asset('USDC', usdcIssuer);
  switch (operation.does) {
    case 'create':
      return Operation.createAccount({ destination: operation.address, startingBalance: textOfUnits(operation.units) });
    case 'trust':
      return Operation.changeTrust({ ...sourceOf(operation.by), asset: usdc });
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
export function trustedIn(envelopeXdr: string, networkPassphrase: string): readonly string[] {
  const { operations } = TransactionBuilder.fromXDR(envelopeXdr, networkPassphrase);
  if (!Array.isArray(operations)) return [];
  return operations.flatMap(({ type, source }) => (type === 'changeTrust' && source !== undefined ? [source] : []));
}
