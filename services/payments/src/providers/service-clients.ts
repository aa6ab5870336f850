import {
  cancelLedgerPayout,
  findWalletByAddress,
  getBalances,
  resolveLedgerPayout,
  verifyCredential,
} from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { parseMoney, parseUnits } from '@holdfast/kernel/money';
import type { Deps } from '../use-cases/ports.js';

/** Calls ledger-balance, which owns the balances. */
export function createBalanceClient(ledger: Pick<ServiceClient, 'call'>): Deps['balances'] {
  return {
    available: async ({ userId, currency }, { caller, requestId }) => {
      const request = { body: { userIds: [userId], currency } };
      const { balances } = await ledger.call(getBalances, request, { marketplaceId: caller.marketplaceId, requestId });
      return parseMoney(balances[0]?.available ?? '0.00', currency);
    },
  };
}

/** Calls escrow-adapter, which owns the accounts on the ledger network. */
export function createAddressClient(adapter: Pick<ServiceClient, 'call'>): Deps['addresses'] {
  return {
    look: async (address, { caller, requestId }) => {
      const context = { marketplaceId: caller.marketplaceId, requestId };
      const { isOwn, payoutMax } = await adapter.call(findWalletByAddress, { params: { address } }, context);
      return { isOwn, payoutUnitsMax: payoutMax === null || payoutMax === undefined ? undefined : parseUnits(payoutMax) };
    },
  };
}

/** Calls escrow-adapter, which pays withdrawals on the ledger network. */
export function createLedgerPayoutClient(adapter: Pick<ServiceClient, 'call'>): Deps['ledgerPayouts'] {
  return {
    requestCancellation: async (id, { caller, requestId }) => {
      const context = { marketplaceId: caller.marketplaceId, requestId };
      return (await adapter.call(cancelLedgerPayout, { params: { id } }, context)).isRequested;
    },
    resolve: async ({ id, marketplaceId, ...body }, { requestId }) => {
      await adapter.call(resolveLedgerPayout, { params: { id }, body }, { marketplaceId, requestId });
    },
  };
}

/** Calls identity, which knows the API keys. */
export function createCredentialClient(identity: Pick<ServiceClient, 'call'>): Deps['credentials'] {
  return {
    verify: async (credential, { requestId }) => {
      const context = { marketplaceId: defaultMarketplaceId, requestId };
      const result = await identity.call(verifyCredential, { body: { credential } }, context);
      if (!('verified' in result) || result.verified.type === 'account') return undefined;
      const { id, marketplaceId, scopes } = result.verified;
      return { id, marketplaceId, isSupport: scopes.includes('support') };
    },
  };
}
