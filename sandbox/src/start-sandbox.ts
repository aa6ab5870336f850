import { processEnvironment } from '@holdfast/service-host/config';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import { refuseProduction } from './config.js';
import { createFaults, type Faults } from './control/faults.js';
import { createInjectFaults, type FaultResponses, type InjectFaults } from './control/inject-faults.js';
import { controlPath, controlRoutes } from './control/routes.js';
import { createEscrowIndex, type EscrowIndex } from './escrow-provider/escrow-index.js';
import { escrowFaultResponses } from './escrow-provider/responses.js';
import { escrowProviderPath, escrowProviderRoutes } from './escrow-provider/routes.js';
import { createFaucet } from './ledger-network/faucet.js';
import { createGenesis, seedDefault, type Genesis } from './ledger-network/genesis.js';
import { createHistory, type History } from './ledger-network/history.js';
import { createNetwork } from './ledger-network/network.js';
import { networkFaultResponses } from './ledger-network/problem.js';
import { networkRoutes } from './ledger-network/routes.js';
import { networkPassphrase, type Sandbox, type SandboxOptions } from './options.js';
import { createPaymentIndex, type PaymentIndex } from './payment-provider/payment-index.js';
import { createPayments } from './payment-provider/payments.js';
import { paymentFaultResponses } from './payment-provider/responses.js';
import { paymentProviderPath, paymentProviderRoutes } from './payment-provider/routes.js';
import { openStore } from './store/open-store.js';
import type { Records, TableName } from './store/records.js';
import type { Store } from './store/store.js';
import type { Route } from './web/route.js';
import { startWeb } from './web/start-web.js';
import { createWebhookQueue, noWebhooks } from './webhooks/queue.js';
import { startWebhookSender, type WebhookSender } from './webhooks/sender.js';

/** Starts the three providers on one store and one port, and the delivery of webhooks. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  refuseProduction(processEnvironment());
  const { log, clock = systemClock(), host = '127.0.0.1', port = 0 } = options;
  const indexes = { history: createHistory(), escrows: createEscrowIndex(), payments: createPaymentIndex() };
  let sender: WebhookSender | undefined;
  const onNew = <Name extends TableName>(table: Name, value: Records[Name]): void => {
    indexes.history.add(table, value);
    indexes.escrows.add(table, value);
    indexes.payments.add(table, value);
    if (table === 'webhooks' && 'receiver' in value) sender?.wake(value.id);
  };
  const store = await openStore({ log, onNew, folder: options.dataFolder });
  const genesis = createGenesis(options.seed ?? seedDefault);
  const faults = createFaults();
  const credentials = credentialsOf(options);
  let url = '';
  const parts = { ...options, store, clock, genesis, faults, indexes, credentials, baseUrl: () => url };
  const listener = await startWeb({ host, port, log, durable: store.durable, routes: routesOf(parts) }).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  url = listener.url;
  if (options.webhooks !== undefined) sender = startWebhookSender({ store, clock, log, target: options.webhooks });
  return {
    ...addressesOf(url, genesis),
    ...credentials,
    port: listener.port,
    close: async () => {
      faults.clear();
      await sender?.stop();
      await listener.stop();
      await store.close();
    },
  };
}

type Parts = Pick<SandboxOptions, 'webhooks' | 'isAutomatic'> & {
  readonly store: Store;
  readonly clock: Clock;
  readonly genesis: Genesis;
  readonly faults: Faults;
  readonly indexes: { readonly history: History; readonly escrows: EscrowIndex; readonly payments: PaymentIndex };
  readonly credentials: ReturnType<typeof credentialsOf>;
  readonly baseUrl: () => string;
};

function routesOf({ store, clock, genesis, faults, indexes, credentials, baseUrl, ...options }: Parts): readonly Route[] {
  const webhooks = options.webhooks === undefined ? noWebhooks : createWebhookQueue(clock);
  const onContractChange = webhooks.contractChanged;
  const network = createNetwork({ store, clock, genesis, passphrase: networkPassphrase, onContractChange });
  const faucet = createFaucet(network);
  const checkoutBase = (): string => `${baseUrl()}${paymentProviderPath}`;
  const { isAutomatic = false } = options;
  const payments = createPayments({ store, clock, webhooks, checkoutBase, index: indexes.payments, isAutomatic });
  const { escrowApiKey: apiKey, paymentUser: user, paymentPassword: password } = credentials;
  const withFaults = (responses: FaultResponses): { readonly injectFaults: InjectFaults } => ({
    injectFaults: createInjectFaults(faults, responses),
  });
  return [
    ...networkRoutes({ ...withFaults(networkFaultResponses), network, history: indexes.history, faucet }),
    ...escrowProviderRoutes({ ...withFaults(escrowFaultResponses), network, index: indexes.escrows, apiKey }),
    ...paymentProviderRoutes({ ...withFaults(paymentFaultResponses), payments, checkoutBase, user, password }),
    ...controlRoutes({ network, faucet, payments, faults, checkoutBase }),
  ];
}

function credentialsOf({ escrowApiKey, paymentUser, paymentPassword }: SandboxOptions) {
  return {
    escrowApiKey: escrowApiKey ?? 'sandbox-escrow-key',
    paymentUser: paymentUser ?? 'sandbox',
    paymentPassword: paymentPassword ?? 'sandbox',
  };
}

function addressesOf(url: string, { issuer, fees, faucet, deployerContractId }: Genesis) {
  return {
    url,
    horizonUrl: url,
    escrowProviderUrl: `${url}${escrowProviderPath}`,
    paymentProviderUrl: `${url}${paymentProviderPath}`,
    controlUrl: `${url}${controlPath}`,
    networkPassphrase,
    usdcIssuer: issuer.address,
    providerFeesAddress: fees.address,
    faucetAddress: faucet.address,
    deployerContractId,
  };
}
