import { z } from 'zod';
import {
  ConfigError,
  booleanSetting,
  choiceSetting,
  countSetting,
  durationMsSetting,
  operationsSettings,
  optionalSetting,
  portSetting,
  shutdownSettings,
  textSetting,
  urlSetting,
  type Environment,
  type Setting,
} from '@holdfast/process/config';
import { logLevels } from '@holdfast/observability';
import { contractVersions } from './contract-calls/contract-versions.js';
import { paymentFeeBasisPointsDefault, sandboxPortDefault, type SandboxOptions, type WebhookTarget } from './options.js';

/** Optional, because webhooks are sent unsigned without a secret. */
const webhookSecret = (description: string): Setting<string | undefined> =>
  optionalSetting(textSetting({ description, isSecret: true }));

export const settings = z.object({
  SANDBOX_HOST: textSetting({ description: 'Address the sandbox listens on', default: '127.0.0.1' }),
  SANDBOX_PORT: portSetting({ description: 'Port the sandbox listens on', default: sandboxPortDefault }),
  ...operationsSettings(sandboxPortDefault).shape,
  ...shutdownSettings().shape,
  SANDBOX_PUBLIC_URL: optionalSetting(
    urlSetting({
      description: 'Address of the sandbox for browsers, which open its checkout pages; by default the one it listens on',
      protocols: ['http', 'https'],
    }),
  ),
  SANDBOX_DATA_DIR: optionalSetting(
    textSetting({ description: 'Folder of the data; without it the sandbox stores them in memory only' }),
  ),
  SANDBOX_SEED: optionalSetting(
    textSetting({ description: 'Seed of the issuer, faucet and fees accounts; equal seeds give equal accounts', isSecret: true }),
  ),
  SANDBOX_CONTRACT_VERSION: choiceSetting(contractVersions, { description: 'Version of the escrow contracts', default: 'v1' }),
  SANDBOX_LEDGER_MS: durationMsSetting({
    description: 'Ledgers close on this timer; 0 closes one with each transaction',
    default: 0,
    min: 0,
    max: 60_000,
  }),
  SANDBOX_PROVIDER_CALLS_PER_MINUTE: optionalSetting(
    countSetting({
      description: 'Calls per minute that the escrow provider accepts; left out: no limit',
      min: 1,
      max: 1_000_000,
    }),
  ),
  SANDBOX_INDEX_LAG_MS: durationMsSetting({
    description: "Longest time until the escrow provider's index knows a change on the network",
    default: 0,
    min: 0,
  }),
  SANDBOX_AUTO: booleanSetting({ description: 'Confirm payins and complete payouts automatically', default: false }),
  SANDBOX_PAYMENT_FEE_BASIS_POINTS: countSetting({
    description: "The payment provider's fee for each payin and payout, in hundredths of a per cent",
    default: paymentFeeBasisPointsDefault,
    min: 0,
    max: 1_000,
  }),
  SANDBOX_GATEWAY_URL: optionalSetting(
    urlSetting({ description: 'Gateway that receives the webhooks; without it none are sent', protocols: ['http', 'https'] }),
  ),
  SANDBOX_ESCROW_API_KEY: optionalSetting(textSetting({ description: 'API key of the escrow provider', isSecret: true })),
  SANDBOX_PAYMENT_USER: optionalSetting(textSetting({ description: 'User name at the payment provider', isSecret: true })),
  SANDBOX_PAYMENT_PASSWORD: optionalSetting(textSetting({ description: 'Password at the payment provider', isSecret: true })),
  ESCROW_WEBHOOK_SECRET: webhookSecret('Secret that signs the escrow webhooks'),
  PAYMENT_WEBHOOK_SECRET: webhookSecret('Secret that signs the payment webhooks'),
  LOG_LEVEL: choiceSetting(logLevels, { description: 'Lowest level that is logged', default: 'info' }),
});

export type Settings = z.output<typeof settings>;

/** The sandbox accepts any payment, so it must never run in production. */
export function refuseProduction(env: Environment): void {
  if (env['NODE_ENV'] === 'production') throw new ConfigError(['NODE_ENV is production, where the sandbox must not run']);
}

/** The options of a sandbox that runs as its own process. */
export function optionsOf(config: Settings): Omit<SandboxOptions, 'log'> {
  return {
    host: config.SANDBOX_HOST,
    port: config.SANDBOX_PORT,
    publicUrl: config.SANDBOX_PUBLIC_URL,
    dataFolder: config.SANDBOX_DATA_DIR,
    seed: config.SANDBOX_SEED,
    contractVersion: config.SANDBOX_CONTRACT_VERSION,
    ledgerMs: config.SANDBOX_LEDGER_MS,
    providerCallsPerMinute: config.SANDBOX_PROVIDER_CALLS_PER_MINUTE,
    indexLagMs: config.SANDBOX_INDEX_LAG_MS,
    isAutomatic: config.SANDBOX_AUTO,
    paymentFeeBasisPoints: config.SANDBOX_PAYMENT_FEE_BASIS_POINTS,
    escrowApiKey: config.SANDBOX_ESCROW_API_KEY,
    paymentUser: config.SANDBOX_PAYMENT_USER,
    paymentPassword: config.SANDBOX_PAYMENT_PASSWORD,
    webhooks: webhooksOf(config),
  };
}

function webhooksOf(config: Settings): WebhookTarget | undefined {
  const { SANDBOX_GATEWAY_URL: gatewayUrl } = config;
  if (gatewayUrl === undefined) return undefined;
  return { gatewayUrl, escrowSecret: config.ESCROW_WEBHOOK_SECRET, paymentSecret: config.PAYMENT_WEBHOOK_SECRET };
}
