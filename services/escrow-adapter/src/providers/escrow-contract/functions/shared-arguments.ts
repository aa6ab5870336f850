import type { Call, MilestoneCall, ResolutionCall } from '../contract-function.js';
import { address, addressAmounts, u32, type ExpectedValue } from '@holdfast/ledger-network/expectations';

type ExpectedArgument = readonly [name: string, value: ExpectedValue];

/** The account that gets the provider's fee. The mainnet versions have it in their code instead. */
export function feeAddress({ code }: Call): ExpectedArgument {
  return ['trustless_work_address', address(code.feeAddress)];
}

export function milestoneIndex({ index }: MilestoneCall): ExpectedArgument {
  if (index === undefined) throw new RangeError('the call needs the index of a milestone');
  return ['milestone_index', u32(index)];
}

/** A map has one amount for each address, so a second one is refused before anything is requested. */
export function distributions({ escrow, distributions: shares }: ResolutionCall): ExpectedArgument {
  const amounts = shares.map(({ to, units }) => ({ address: escrow.addresses[to], units }));
  if (new Set(amounts.map((amount) => amount.address)).size !== amounts.length)
    throw new RangeError('a resolution pays each address once');
  return ['distributions', addressAmounts(amounts)];
}
