import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { getBalances } from '@holdfast/contracts/http';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import { createHttpClient } from '@holdfast/http/client';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { ServiceClient } from '@holdfast/http/service-client';
import { unitsOfText } from './network/units-of-text.js';
import type { Owned, SweepDeps } from './treasury/sweep.js';
import type { Faucet } from './treasury/maintain-treasury.js';

/** Reads the users' USDC and XLM balances from ledger-balance. */
export function ownedBy(ledger: ServiceClient): SweepDeps['ownedBy'] {
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

const faucetTimeoutMs = 10_000;

/** The faucet of a test network. */
export function faucetAt(url: string): Faucet & { readonly close: () => Promise<void> } {
  const { origin, pathname } = new URL(url);
  const client = createHttpClient({
    baseUrl: origin,
    timeoutMs: faucetTimeoutMs,
    errors: { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' },
  });
  const give: Faucet = async (address, asset, amount) => {
    await client.request({ method: 'POST', path: pathname, body: { address, asset, amount }, responseSchema: z.unknown() });
  };
  return Object.assign(give, { close: client.close });
}
