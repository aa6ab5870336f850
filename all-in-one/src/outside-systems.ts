import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { isProduction, type Environment } from '@holdfast/process/config';
import { apiPrefix } from '@holdfast/contracts/http';
import { choosePort, urlTo } from './choose-port.js';
import { internalHost } from './service-addresses.js';
import type { StartupContext } from './startup-context.js';

/** With one of these set, and in production, all external systems are real ones and no sandbox is started. */
const outsideSystemVariables = ['ESCROW_PROVIDER_URL', 'LEDGER_HORIZON_URL', 'PAYMENT_PROVIDER_URL'];

/** The settings of services that the sandbox provides. */
export const sandboxVariableNames = [
  ...outsideSystemVariables,
  'ESCROW_PROVIDER_API_KEY',
  'ESCROW_VERSION_SINGLE',
  'ESCROW_VERSION_MULTI',
  'ESCROW_FACTORY_SINGLE',
  'ESCROW_FACTORY_MULTI',
  'ESCROW_WASM_HASH_SINGLE',
  'ESCROW_WASM_HASH_MULTI',
  'ESCROW_FEE_ADDRESS',
  'LEDGER_RPC_URL',
  'LEDGER_NETWORK_PASSPHRASE',
  'LEDGER_FAUCET_URL',
  'USDC_ISSUER',
  'PAYMENT_PROVIDER_KEY',
  'PAYMENT_PROVIDER_SECRET',
] as const;

/** So that a developer can see a deadline pass, also on the morning after the machine was off for the night. */
const sandboxTimes = { DISPUTE_PERIOD_MIN: 'PT1S', TIMER_GRACE: 'PT0S' } as const;

export type OutsideSystems = {
  /** The settings with which services find the external systems. */
  readonly variables: Environment;
  readonly sandboxUrl: string | undefined;
};

/** The sandbox accepts any payment, so a forgotten setting does not start it in production: the start names what is missing. */
export function usesSandbox(env: Environment): boolean {
  return !isProduction(env) && outsideSystemVariables.every((name) => (env[name] ?? '') === '');
}

const defaultPort = 8_090;

/** The given external systems, else a sandbox that simulates them and stores its state in the data folder. */
export async function provideOutsideSystems(context: StartupContext): Promise<OutsideSystems> {
  if (!usesSandbox(context.env)) return { variables: {}, sandboxUrl: undefined };
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
    ledgerMs: config.sandboxLedgerMs,
    webhooks: {
      gatewayUrl: `${urlTo(config.host, port)}${apiPrefix}`,
      escrowSecret: secrets.escrowWebhookSecret,
      paymentSecret: secrets.paymentWebhookSecret,
    },
  });
  lifecycle.onStop('sandbox', sandbox.close);
  return { variables: { ...timesOf(context.env), ...variablesOf(sandbox) }, sandboxUrl: sandbox.url };
}

/** Unless they are set. */
function timesOf(env: Environment): Environment {
  return Object.fromEntries(Object.entries(sandboxTimes).map(([name, time]) => [name, env[name] ?? time]));
}

function variablesOf(sandbox: Sandbox): Readonly<Record<(typeof sandboxVariableNames)[number], string>> {
  const { 'single-release': single, 'multi-release': multi } = sandbox.contracts;
  return {
    ESCROW_PROVIDER_URL: sandbox.escrowProviderUrl,
    ESCROW_PROVIDER_API_KEY: sandbox.escrowApiKey,
    ESCROW_VERSION_SINGLE: `single-${sandbox.contractVersion}`,
    ESCROW_VERSION_MULTI: `multi-${sandbox.contractVersion}`,
    ESCROW_FACTORY_SINGLE: single.factory,
    ESCROW_FACTORY_MULTI: multi.factory,
    ESCROW_WASM_HASH_SINGLE: single.wasmHash,
    ESCROW_WASM_HASH_MULTI: multi.wasmHash,
    ESCROW_FEE_ADDRESS: sandbox.providerFeesAddress,
    LEDGER_RPC_URL: sandbox.rpcUrl,
    LEDGER_HORIZON_URL: sandbox.horizonUrl,
    LEDGER_NETWORK_PASSPHRASE: sandbox.networkPassphrase,
    LEDGER_FAUCET_URL: `${sandbox.controlUrl}/faucet`,
    USDC_ISSUER: sandbox.usdcIssuer,
    PAYMENT_PROVIDER_URL: sandbox.paymentProviderUrl,
    PAYMENT_PROVIDER_KEY: sandbox.paymentUser,
    PAYMENT_PROVIDER_SECRET: sandbox.paymentPassword,
  };
}
