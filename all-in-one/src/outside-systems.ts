import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import type { Environment } from '@holdfast/service-host/config';
import { apiPrefix } from '@holdfast/http/server';
import { choosePort, urlTo } from './choose-port.js';
import { internalHost } from './service-addresses.js';
import type { StartupContext } from './startup-context.js';

/** With one of these set, all external systems are real ones and no sandbox is started. */
const outsideSystemVariables = ['ESCROW_PROVIDER_URL', 'LEDGER_NETWORK_URL', 'PAYMENT_PROVIDER_URL'];

/** The settings of parts that the sandbox provides. */
export const sandboxVariableNames = [
  ...outsideSystemVariables,
  'ESCROW_PROVIDER_API_KEY',
  'LEDGER_NETWORK_PASSPHRASE',
  'LEDGER_FAUCET_URL',
  'USDC_ISSUER',
  'PAYMENT_PROVIDER_KEY',
  'PAYMENT_PROVIDER_SECRET',
] as const;

export type OutsideSystems = {
  /** The settings with which parts find the external systems. */
  readonly variables: Environment;
  readonly sandboxUrl: string | undefined;
};

export function areOutsideSystemsGiven(env: Environment): boolean {
  return outsideSystemVariables.some((name) => (env[name] ?? '') !== '');
}

const defaultPort = 8_090;

/** The given external systems, else a sandbox that simulates them and stores its state in the data folder. */
export async function provideOutsideSystems(context: StartupContext): Promise<OutsideSystems> {
  if (areOutsideSystemsGiven(context.env)) return { variables: {}, sandboxUrl: undefined };
  const { config, folder, secrets, port, clock, lifecycle, logFor, onProgress } = context;
  onProgress('starting the sandbox, which simulates the providers and the ledger network');
  const isGiven = config.sandboxPort !== undefined;
  const sandbox = await startSandbox({
    log: logFor('sandbox'),
    clock,
    host: internalHost,
    port: await choosePort({ host: internalHost, port: config.sandboxPort ?? defaultPort, isGiven, setting: 'SANDBOX_PORT' }),
    dataFolder: folder.sandbox,
    isAutomatic: config.sandboxAuto,
    webhooks: {
      gatewayUrl: `${urlTo(config.host, port)}${apiPrefix}`,
      escrowSecret: secrets.escrowWebhookSecret,
      paymentSecret: secrets.paymentWebhookSecret,
    },
  });
  lifecycle.onStop('sandbox', sandbox.close);
  return { variables: variablesOf(sandbox), sandboxUrl: sandbox.url };
}

function variablesOf(sandbox: Sandbox): Readonly<Record<(typeof sandboxVariableNames)[number], string>> {
  return {
    ESCROW_PROVIDER_URL: sandbox.escrowProviderUrl,
    ESCROW_PROVIDER_API_KEY: sandbox.escrowApiKey,
    LEDGER_NETWORK_URL: sandbox.horizonUrl,
    LEDGER_NETWORK_PASSPHRASE: sandbox.networkPassphrase,
    LEDGER_FAUCET_URL: `${sandbox.controlUrl}/faucet`,
    USDC_ISSUER: sandbox.usdcIssuer,
    PAYMENT_PROVIDER_URL: sandbox.paymentProviderUrl,
    PAYMENT_PROVIDER_KEY: sandbox.paymentUser,
    PAYMENT_PROVIDER_SECRET: sandbox.paymentPassword,
  };
}
