import { Account, Asset, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import { textOfUnits } from '../network/units-of-text.js';

/** What the treasury does to accounts. Where `by` is given, that account acts and signs, else the treasury does. */
export type TreasuryOperation =
  | { readonly does: 'create'; readonly address: string; readonly units: bigint }
  | { readonly does: 'trust'; readonly by: string | undefined }
  | { readonly does: 'pay'; readonly by?: string; readonly to: string; readonly asset: CustodyAsset; readonly units: bigint };

export type BuildOptions = {
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly treasuryAddress: string;
  /** Of the treasury's account, as the network has it. */
  readonly sequence: bigint;
  /** In seconds: beyond this it can never land. */
  readonly validUntil: number;
};

/** Offered for each operation; the network charges what it costs, which is less. */
const feeUnitsPerOperation = '10000';

/** One transaction of the treasury's account that makes all of these moves or none. */
export function buildTreasuryTransaction(moves: readonly TreasuryOperation[], options: BuildOptions): string {
  const { networkPassphrase, treasuryAddress, sequence, validUntil } = options;
  const builder = new TransactionBuilder(new Account(treasuryAddress, sequence.toString()), {
    fee: feeUnitsPerOperation,
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: validUntil },
  });
  for (const move of moves) builder.addOperation(toStellarOperation(move, options));
  return builder.build().toXDR();
}

function toStellarOperation(move: TreasuryOperation, { usdcIssuer }: BuildOptions): xdr.Operation {
  const usdc = new Asset('USDC', usdcIssuer);
  switch (move.does) {
    case 'create':
      return Operation.createAccount({ destination: move.address, startingBalance: textOfUnits(move.units) });
    case 'trust':
      return Operation.changeTrust({ ...sourceOf(move.by), asset: usdc });
    case 'pay': {
      const asset = move.asset === 'XLM' ? Asset.native() : usdc;
      return Operation.payment({ ...sourceOf(move.by), destination: move.to, asset, amount: textOfUnits(move.units) });
    }
  }
}

function sourceOf(by: string | undefined): { readonly source?: string } {
  return by === undefined ? {} : { source: by };
}

/** Accounts beside the treasury whose lines of trust a transaction opened: they are complete once it has landed. */
export function trustedIn(envelopeXdr: string, networkPassphrase: string): readonly string[] {
  const { operations } = TransactionBuilder.fromXDR(envelopeXdr, networkPassphrase);
  if (!Array.isArray(operations)) return [];
  return operations.flatMap(({ type, source }) => (type === 'changeTrust' && source !== undefined ? [source] : []));
}
