import { formatUnits } from '../domain/units.js';
import { issuedAsset, nativeAsset } from '../domain/assets.js';
import type { Account } from '../domain/account.js';
import { escrowView } from '../escrow-provider/escrow-view.js';
import type { ProviderCalls } from '../escrow-provider/provider-calls.js';
import { contractAddresses } from '../ledger-network/genesis.js';
import { isoTime } from '../ledger-network/iso-time.js';
import type { Network } from '../ledger-network/network.js';
import type { Payments } from '../payment-provider/payments.js';
import { payinView, payoutView } from '../payment-provider/views.js';

type StateDeps = {
  readonly network: Network;
  readonly payments: Payments;
  readonly calls: ProviderCalls;
  readonly checkoutBase: () => string;
};

/** The state of the sandbox, for tests and for debugging. Amounts of the network are decimal strings. */
export function stateView({ network, payments, calls, checkoutBase }: StateDeps) {
  const { genesis, store, passphrase } = network;
  const head = network.closedLedger();
  return {
    network: {
      passphrase,
      usdcIssuer: genesis.issuer.address,
      faucetAddress: genesis.faucet.address,
      providerFeesAddress: genesis.fees.address,
      contractVersion: network.contractVersion,
      contracts: contractAddresses(genesis.contracts),
      ledger: head.sequence,
      closedAt: isoTime(head.closedAtMs),
      feePool: formatUnits(head.feePoolUnits),
      transactions: head.transactions,
      minimumBid: Number(network.minimumBid()),
    },
    accounts: [...store.all('accounts')].map(accountState),
    contracts: [...store.all('escrows')].map((escrow) => ({
      ...escrowView(escrow),
      amount: formatUnits(escrow.units),
      balance: formatUnits(escrow.balanceUnits),
    })),
    payins: [...payments.payins()].map((payin) => payinView(payin, checkoutBase())),
    payouts: [...payments.payouts()].map(payoutView),
    paymentFloat: formatUnits(payments.float()),
    pendingWebhooks: [...store.all('webhooks')].length,
    providerCalls: calls.counts(),
  };
}

function accountState({ id, sequence, nativeUnits, lines }: Account) {
  const issued = Object.entries(lines).map(
    ([asset, { units }]) => [issuedAsset(asset)?.code ?? asset, formatUnits(units)] as const,
  );
  return {
    address: id,
    sequence: sequence.toString(),
    balances: Object.fromEntries([[nativeAsset, formatUnits(nativeUnits)] as const, ...issued]),
  };
}
