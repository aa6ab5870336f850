import type { DepositAddressRecord, WalletLinkRecord, WalletRecord, WalletTransactionRecord } from '@holdfast/contracts/http';
import { custodyAssets, formatUnits, type Currency } from '@holdfast/kernel/money';
import type { LedgerAccount } from '@holdfast/ledger-network/horizon';
import type { LedgerOperation } from '@holdfast/ledger-network/values';
import type { LinkedWallet, Wallet } from '../use-cases/wallets/ports.js';

/** Balances are zero until the network has the account. */
export function viewOfWallet({ address, createdAt }: Wallet, account: LedgerAccount | undefined): WalletRecord {
  return {
    publicKey: address,
    type: 'INVISIBLE',
    provider: 'holdfast',
    isPrimary: true,
    balances: custodyAssets.map((asset) => ({ asset, balance: formatUnits(account?.balances[asset] ?? 0n) })),
    createdAt,
  };
}

export function viewOfLink({ id, publicKey, connectedAt }: LinkedWallet): WalletLinkRecord {
  return { wallet_id: id, public_key: publicKey, connected_at: connectedAt };
}

export type DepositTerms = { readonly network: string; readonly issuer: string; readonly creditedCurrency: Currency };

export function viewOfDeposit(address: string, { network, issuer, creditedCurrency }: DepositTerms): DepositAddressRecord {
  return {
    method: 'ledger_payment',
    address,
    asset: { code: 'USDC', issuer },
    network,
    creditedCurrency,
    instructions: `Send USDC to this address. It is credited one to one to the ${creditedCurrency} balance of the user once the network has confirmed it. XLM can be sent, too, and is credited to the XLM balance. GET /users/{userId}/balances lists all balances.`,
  };
}

/** Sums the operation's transfers of the wallet into one item. */
export function viewOfOperation(operation: LedgerOperation, address: string): WalletTransactionRecord {
  const { id, type, transactionHash, isSuccessful, at, transfers } = operation;
  const own = transfers.filter(({ from, to }) => from === address || to === address);
  const [first] = own;
  const units = own
    .filter(({ asset }) => asset === first?.asset)
    .reduce((sum, transfer) => (transfer.to === address ? sum + transfer.units : sum - transfer.units), 0n);
  return {
    id,
    type,
    direction: units < 0n ? 'OUT' : 'IN',
    from: partyOf(first?.from),
    to: partyOf(first?.to),
    amount: formatUnits(units < 0n ? -units : units),
    asset: first?.asset ?? 'XLM',
    hash: transactionHash,
    successful: isSuccessful,
    createdAt: at,
  };
}

/** Minted tokens have no sender. */
function partyOf(address: string | undefined): string | null {
  return address === undefined || address === '' ? null : address;
}
