import { processEnvironment } from '@holdfast/shared/config';
import { systemClock } from '@holdfast/shared/context';
import { refuseProduction } from './config.js';
import { createFaults } from './control/faults.js';
import { createPlayFaults } from './control/play-faults.js';
import { controlPath, controlRoutes } from './control/routes.js';
import { createEscrowIndex } from './escrow-provider/escrow-index.js';
import { escrowFaultReplies } from './escrow-provider/replies.js';
import { escrowProviderPath, escrowProviderRoutes } from './escrow-provider/routes.js';
import { createGifts } from './ledger-network/friendbot.js';
import { createGenesis, seedDefault, type Genesis } from './ledger-network/genesis.js';
import { createHistory } from './ledger-network/history.js';
import { createNetwork } from './ledger-network/network.js';
import { networkFaultReplies } from './ledger-network/problem.js';
import { networkRoutes } from './ledger-network/routes.js';
import { networkPassphrase, type Sandbox, type SandboxOptions } from './options.js';
import { createPaymentIndex } from './payment-provider/payment-index.js';
import { createPayments } from './payment-provider/payments.js';
import { paymentFaultReplies } from './payment-provider/replies.js';
import { paymentProviderPath, paymentProviderRoutes } from './payment-provider/routes.js';
import { openStore } from './store/open-store.js';
import type { Records, TableName } from './store/records.js';
import { startWeb } from './web/start-web.js';
import { createWebhookQueue, noWebhooks } from './webhooks/queue.js';
import { startWebhookSender, type WebhookSender } from './webhooks/sender.js';

/** Builds the three providers on one store, opens the port, and begins to tell. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  refuseProduction(processEnvironment());
  const { log, clock = systemClock(), host = '127.0.0.1' } = options;
  const credentials = credentialsOf(options);
  const indexes = [createHistory(), createEscrowIndex(), createPaymentIndex()] as const;
  const [history, escrowIndex, paymentIndex] = indexes;
  let sender: WebhookSender | undefined;
  const onNew = <Name extends TableName>(table: Name, value: Records[Name]): void => {
    for (const index of indexes) index.note(table, value);
    if (table === 'webhooks' && 'receiver' in value) sender?.wake(value);
  };
  const store = await openStore({ log, onNew, folder: options.dataFolder });
  const webhooks = options.webhooks === undefined ? noWebhooks : createWebhookQueue(clock);
  const genesis = createGenesis(options.seed ?? seedDefault);
  const network = createNetwork({
    store,
    clock,
    genesis,
    passphrase: networkPassphrase,
    onContractChange: webhooks.contractChanged,
  });
  const gifts = createGifts(network);
  const faults = createFaults();
  let url = '';
  const checkoutBase = (): string => `${url}${paymentProviderPath}`;
  const payments = createPayments({
    store,
    clock,
    webhooks,
    checkoutBase,
    index: paymentIndex,
    isAutomatic: options.isAutomatic ?? false,
  });
  const listener = await startWeb({
    host,
    port: options.port ?? 0,
    log,
    durable: store.durable,
    routes: [
      ...networkRoutes({ network, history, gifts, playFaults: createPlayFaults(faults, networkFaultReplies) }),
      ...escrowProviderRoutes({
        network,
        index: escrowIndex,
        apiKey: credentials.escrowApiKey,
        playFaults: createPlayFaults(faults, escrowFaultReplies),
      }),
      ...paymentProviderRoutes({
        payments,
        checkoutBase,
        user: credentials.paymentUser,
        password: credentials.paymentPassword,
        playFaults: createPlayFaults(faults, paymentFaultReplies),
      }),
      ...controlRoutes({ network, gifts, payments, faults, checkoutBase }),
    ],
  });
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
