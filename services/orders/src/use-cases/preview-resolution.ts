import type { Context } from '@holdfast/kernel/context';
import type { ResolutionPreviewRecord } from '@holdfast/contracts/http';
import { add, divide, formatMoney, money, subtract, type Money } from '@holdfast/kernel/money';
import { sharesOfResolution } from '../domain/payout-shares.js';
import type { Deps } from './ports.js';
import { resolutionStart, type ResolveDispute } from './request-resolution.js';
import { requireNotStopped } from './start-saga.js';

/** Makes the checks of the resolution on the locked order, and writes nothing. */
export function previewResolution(deps: Deps, input: ResolveDispute, ctx: Context): Promise<ResolutionPreviewRecord> {
  const { marketplaceId } = ctx.caller;
  return deps.onDispute({ marketplaceId, disputeId: input.id }, (_, locked) => {
    const { resolution, starts } = resolutionStart(locked.order, input, ctx);
    requireNotStopped(deps, starts.saga, locked);
    const { seller, buyer, fee } = sharesOfResolution(locked.order, resolution);
    return {
      sellerAmount: formatMoney(seller),
      platformFee: formatMoney(fee),
      sellerNet: formatMoney(subtract(seller, fee)),
      buyerAmount: formatMoney(buyer),
      providerCost: formatMoney(add(providerCostOf(seller), providerCostOf(buyer))),
    };
  });
}

const providerBasisPoints = 30n;

/** The contract takes the provider's fee from each share and rounds it down to the smallest unit. */
function providerCostOf({ units, currency }: Money): Money {
  return money(divide(units * providerBasisPoints, 10_000n, 'down'), currency);
}
