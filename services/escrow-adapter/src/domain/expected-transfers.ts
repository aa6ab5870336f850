import type { Contract, DeployedContract } from './contract.js';
import type { LedgerTransfer } from '@holdfast/ledger-network/values';
import type { Distribution, Step } from './steps.js';

/** What the transfers of a step follow from. */
export type TransferTerms = {
  readonly contract: Pick<
    DeployedContract,
    'type' | 'amount' | 'platformFeeBasisPoints' | 'milestones' | 'addresses' | 'contractId'
  >;
  /** The contract of the escrowed token. */
  readonly token: string;
  /** The account that gets the provider's fee. */
  readonly feeAddress: string;
  /** The signer, which pays a funding. */
  readonly signer: string;
};

/** What a step must move: a funding into the contract, a payout out of it, every other step nothing. */
export function expectedTransfers(terms: TransferTerms, step: Step): readonly LedgerTransfer[] {
  const { contract, token, signer } = terms;
  switch (step.does) {
    case 'fund':
      return [{ token, from: signer, to: contract.contractId, units: step.units }];
    case 'release':
      return payouts(terms, released(contract, step.index));
    case 'resolve':
    case 'withdrawRemaining':
      return payouts(terms, resolved(contract, step.distributions));
    case 'complete':
    case 'approve':
    case 'dispute':
      return [];
  }
}

type Payout = { readonly to: 'provider' | Distribution['to']; readonly units: bigint };
type Fees = Pick<Contract, 'platformFeeBasisPoints'>;

/** Of each payout, for the provider. */
const providerFeeBasisPoints = 30n;
const basisPoints = 10_000n;

/** Both fees are taken from the amount and rounded down; the seller gets the rest. */
function released(
  { type, amount, milestones, ...fees }: TransferTerms['contract'],
  index: number | undefined,
): readonly Payout[] {
  const units = type === 'single-release' ? amount.units : milestones[index ?? -1]?.units;
  if (units === undefined) throw new RangeError('the contract has no such milestone');
  const { provider, platform } = feesOf(units, fees);
  return [
    { to: 'provider', units: provider },
    { to: 'platform', units: platform },
    { to: 'seller', units: units - provider - platform },
  ];
}

/** Each recipient loses its share of each fee, rounded down; provider and platform get the sums of these shares. */
function resolved(fees: Fees, distributions: readonly Distribution[]): readonly Payout[] {
  const total = distributions.reduce((sum, { units }) => sum + units, 0n);
  const whole = feesOf(total, fees);
  return distributions.flatMap(({ to, units }): readonly Payout[] => {
    const provider = (units * whole.provider) / total;
    const platform = (units * whole.platform) / total;
    return [
      { to: 'provider', units: provider },
      { to: 'platform', units: platform },
      { to, units: units - provider - platform },
    ];
  });
}

function feesOf(units: bigint, { platformFeeBasisPoints }: Fees): { readonly provider: bigint; readonly platform: bigint } {
  return {
    provider: (units * providerFeeBasisPoints) / basisPoints,
    platform: (units * BigInt(platformFeeBasisPoints)) / basisPoints,
  };
}

/** Amounts of zero are not transferred. */
function payouts({ contract, token, feeAddress }: TransferTerms, shares: readonly Payout[]): readonly LedgerTransfer[] {
  const { contractId: from, addresses } = contract;
  const all = shares.map(({ to, units }) => ({ token, from, to: to === 'provider' ? feeAddress : addresses[to], units }));
  return all.filter(({ units }) => units > 0n);
}
