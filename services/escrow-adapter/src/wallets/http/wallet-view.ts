import type { DepositAddressRecord, WalletRecord, WalletTransactionRecord } from '@holdfast/contracts/http';
import { custodyAssets } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { LedgerOperation } from '../network/ledger-history.js';
import type { LedgerAccount } from '../ports.js';
import type { Wallet } from '../store/wallet-store.js';

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

export function viewOfDeposit(
  { address }: Wallet,
  { network, issuer }: { readonly network: string; readonly issuer: string },
): DepositAddressRecord {
  return {
    method: 'ledger_payment',
    address,
    asset: { code: 'USDC', issuer },
    network,
    instructions: 'Send USDC or XLM to this address; it is credited once the network has confirmed it.',
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
    from: first?.from ?? null,
    to: first?.to ?? null,
    amount: formatUnits(units < 0n ? -units : units),
    asset: first?.asset ?? 'XLM',
    hash: transactionHash,
    successful: isSuccessful,
    createdAt: at,
  };
}
