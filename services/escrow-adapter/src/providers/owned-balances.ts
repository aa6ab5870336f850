import { randomUUID } from 'node:crypto';
import { getBalances } from '@holdfast/contracts/http';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { CustodyAsset } from '@holdfast/kernel/money';
import { createServiceClient } from '@holdfast/http/service-client';
import { unitsOfText } from '@holdfast/ledger-network/values';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import type { Owned } from '../use-cases/treasury/ports.js';

/** Reads the users' USDC and XLM balances from ledger-balance. */
export function connectOwnedBalances({
  config,
  lifecycle,
  signer,
}: Pick<ServiceRuntime<Settings>, 'config' | 'lifecycle' | 'signer'>): (
  userIds: readonly UserId[],
) => Promise<ReadonlyMap<UserId, Owned>> {
  const baseUrl = config.LEDGER_BALANCE_URL;
  const ledger = createServiceClient({ from: 'escrow-adapter', to: 'ledger-balance', baseUrl, signer });
  lifecycle.onStop('ledger client of wallets', ledger.close);
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
