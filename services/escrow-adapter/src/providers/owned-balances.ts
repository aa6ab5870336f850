import { randomUUID } from 'node:crypto';
import { getBalances } from '@holdfast/contracts/http';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { ServiceClient } from '@holdfast/http/service-client';
import { unitsOfText } from '@holdfast/ledger-network/values';
import type { Owned } from '../use-cases/treasury/ports.js';

/** Reads the users' USDC and XLM balances from ledger-balance. */
export function ownedBy(ledger: ServiceClient): (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, Owned>> {
  const totals = async (userIds: readonly UserId[], currency: CustodyAsset): Promise<ReadonlyMap<string, bigint>> => {
    const requestContext = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
    const { balances } = await ledger.call(getBalances, { body: { userIds: [...userIds], currency } }, requestContext);
    return new Map(balances.map(({ userId, total }) => [userId, unitsOfText(total)]));
  };
  return async (userIds) => {
    const [usdc, xlm] = await Promise.all([totals(userIds, 'USDC'), totals(userIds, 'XLM')]);
    return new Map(userIds.map((id): [UserId, Owned] => [id, { USDC: usdc.get(id) ?? 0n, XLM: xlm.get(id) ?? 0n }]));
  };
}
