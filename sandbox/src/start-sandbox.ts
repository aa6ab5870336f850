import { processEnvironment, sandboxPassphrase } from '@holdfast/process/config';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import { refuseProduction } from './config.js';
import { createFaults, type Faults } from './control/faults.js';
import { createInjectFaults, type FaultResponses, type InjectFaults } from './control/inject-faults.js';
import { controlPath, controlRoutes } from './control/routes.js';
import { createCallLimit, noCallLimit } from './escrow-provider/call-limit.js';
import { createEscrowIndex } from './escrow-provider/escrow-index.js';
import { createProviderCalls } from './escrow-provider/provider-calls.js';
import { escrowFaultResponses } from './escrow-provider/responses.js';
import { escrowProviderPath, escrowProviderRoutes } from './escrow-provider/routes.js';
import { createFaucet } from './ledger-network/faucet.js';
import { contractAddresses, createGenesis, seedDefault, type Genesis } from './ledger-network/genesis.js';
import { createHistory, type History } from './ledger-network/history.js';
import { createNetwork, type Network, type NetworkOptions } from './ledger-network/network.js';
import { createNodes } from './ledger-network/nodes.js';
import { historyFaultResponses, networkFaultResponses } from './ledger-network/problem.js';
import { createStranger } from './ledger-network/stranger.js';
import { networkRoutes } from './ledger-network/routes.js';
import { paymentFeeBasisPointsDefault, type Sandbox, type SandboxOptions } from './options.js';
import { createPayments } from './payment-provider/payments.js';
import { paymentFaultResponses } from './payment-provider/responses.js';
import { paymentProviderPath, paymentProviderRoutes } from './payment-provider/routes.js';
import { rpcFaultResponses, rpcPath, rpcRoutes } from './rpc/routes.js';
import { openStore } from './store/store.js';
import type { Records, TableName } from './store/records.js';
import type { Route } from './web/route.js';
import { startWeb } from './web/start-web.js';
import { createWebhookQueue, noWebhooks, type WebhookQueue } from './webhooks/queue.js';
import { startWebhookSender, type WebhookSender } from './webhooks/sender.js';

/** Starts the three providers on one store and one port, and the delivery of webhooks. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  refuseProduction(processEnvironment());
  const { log, clock = systemClock(), host = '127.0.0.1', port = 0 } = options;
  const history = createHistory();
  let sender: WebhookSender | undefined;
  const onNew = <Name extends TableName>(table: Name, value: Records[Name]): void => {
    history.add(table, value);
    if (table === 'webhooks' && 'receiver' in value) sender?.wake(value.id);
  };
  const store = await openStore({ onNew, folder: options.dataFolder });
  const { contractVersion = 'v1', seed = seedDefault } = options;
  const passphrase = sandboxPassphrase;
  const genesis = createGenesis({ seed, passphrase, version: contractVersion });
  const faults = createFaults();
  const credentials = credentialsOf(options);
  let url = '';
  const webhooks = options.webhooks === undefined ? noWebhooks : createWebhookQueue(clock);
  const provider = providerOf(clock, options);
  const onContractChange: NetworkOptions['onContractChange'] = (transaction, effect, landed) => {
    webhooks.contractChanged(transaction, effect, landed);
    provider.index.changed(effect);
  };
  const { ledgerMs = 0, isAutomatic = false } = options;
  const network = createNetwork({ store, clock, genesis, passphrase, contractVersion, ledgerMs, onContractChange });
  const parts = {
    isAutomatic,
    paymentFeeBasisPoints: options.paymentFeeBasisPoints,
    network,
    webhooks,
    provider,
    faults,
    history,
    credentials,
    baseUrl: () => options.publicUrl ?? url,
  };
  const listener = await startWeb({ host, port, log, durable: store.durable, routes: routesOf(parts) }).catch(
    async (error: unknown) => {
      network.stop();
      await store.close();
      throw error;
    },
  );
  url = listener.url;
  if (options.webhooks !== undefined) sender = startWebhookSender({ store, clock, log, target: options.webhooks });
  return {
    ...addressesOf(url, genesis),
    contractVersion,
    ...credentials,
    port: listener.port,
    close: async () => {
      faults.clear();
      network.stop();
      await sender?.stop();
      await listener.stop();
      await store.close();
    },
  };
}

type Parts = {
  readonly isAutomatic: boolean;
  readonly paymentFeeBasisPoints: number | undefined;
  readonly network: Network;
  readonly webhooks: WebhookQueue;
  readonly provider: ReturnType<typeof providerOf>;
  readonly faults: Faults;
  readonly history: History;
  readonly credentials: ReturnType<typeof credentialsOf>;
  readonly baseUrl: () => string;
};

function routesOf({ network, webhooks, provider, faults, history, credentials, baseUrl, ...options }: Parts): readonly Route[] {
  const nodes = createNodes(network, faults);
  const faucet = createFaucet(network);
  const checkoutBase = (): string => `${baseUrl()}${paymentProviderPath}`;
  const payments = createPayments({
    store: network.store,
    clock: network.clock,
    webhooks,
    checkoutBase,
    isAutomatic: options.isAutomatic,
    feeBasisPoints: options.paymentFeeBasisPoints ?? paymentFeeBasisPointsDefault,
  });
  const { escrowApiKey: apiKey, paymentUser: user, paymentPassword: password } = credentials;
  const withFaults = (responses: FaultResponses): { readonly injectFaults: InjectFaults } => ({
    injectFaults: createInjectFaults(faults, responses),
  });
  // In the order in which they are tried: the routes of calls come first, the many routes that read come after them.
  return [
    ...rpcRoutes({ ...withFaults(rpcFaultResponses), network, nodes, history }),
    ...escrowProviderRoutes({ ...withFaults(escrowFaultResponses), ...provider, faults, network, apiKey }),
    ...networkRoutes({
      ...withFaults(networkFaultResponses),
      injectHistoryFaults: createInjectFaults(faults, historyFaultResponses),
      faults,
      network,
      nodes,
      history,
      faucet,
    }),
    ...paymentProviderRoutes({ ...withFaults(paymentFaultResponses), payments, checkoutBase, user, password }),
    ...controlRoutes({
      network,
      faucet,
      stranger: createStranger(network, faucet),
      payments,
      faults,
      calls: provider.calls,
      checkoutBase,
    }),
  ];
}

type ProviderOptions = Pick<SandboxOptions, 'providerCallsPerMinute' | 'indexLagMs' | 'seed'>;

/** What the escrow provider knows and allows. */
function providerOf(clock: Clock, { providerCallsPerMinute, indexLagMs = 0, seed = seedDefault }: ProviderOptions) {
  return {
    index: createEscrowIndex({ clock, lagMs: indexLagMs, seed }),
    limit: providerCallsPerMinute === undefined ? noCallLimit : createCallLimit(clock, providerCallsPerMinute),
    calls: createProviderCalls(),
  };
}

function credentialsOf({ escrowApiKey, paymentUser, paymentPassword }: SandboxOptions) {
  return {
    escrowApiKey: escrowApiKey ?? 'sandbox-escrow-key',
    paymentUser: paymentUser ?? 'sandbox',
    paymentPassword: paymentPassword ?? 'sandbox',
  };
}

function addressesOf(url: string, { issuer, fees, faucet, contracts }: Genesis) {
  return {
    url,
    horizonUrl: url,
    rpcUrl: `${url}${rpcPath}`,
    escrowProviderUrl: `${url}${escrowProviderPath}`,
    paymentProviderUrl: `${url}${paymentProviderPath}`,
    controlUrl: `${url}${controlPath}`,
    networkPassphrase: sandboxPassphrase,
    usdcIssuer: issuer.address,
    providerFeesAddress: fees.address,
    faucetAddress: faucet.address,
    contracts: contractAddresses(contracts),
  };
}
