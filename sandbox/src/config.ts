import { z } from 'zod';
import {
  ConfigError,
  booleanSetting,
  choiceSetting,
  optionalSetting,
  portSetting,
  textSetting,
  urlSetting,
  type Environment,
  type Setting,
} from '@holdfast/service-host/config';
import { logLevels } from '@holdfast/observability';
import { sandboxPortDefault, type SandboxOptions } from './options.js';

/** An unset one means that the webhooks go out unsigned, so it is no secret that production could lack. */
const webhookSecret = (description: string): Setting<string | undefined> =>
  optionalSetting(textSetting({ description, isSecret: true }));

export const settings = z.object({
  SANDBOX_HOST: textSetting({ description: 'The address the sandbox listens on', default: '127.0.0.1' }),
  SANDBOX_PORT: portSetting({ description: 'The port the sandbox listens on', default: sandboxPortDefault }),
  SANDBOX_DATA_DIR: optionalSetting(textSetting({ description: 'Where the sandbox keeps its data; without it, in memory' })),
  SANDBOX_SEED: optionalSetting(textSetting({ description: 'Equal seeds give equal issuer, faucet and fees accounts' })),
  SANDBOX_AUTO: booleanSetting({ description: 'Payins confirm and payouts complete by themselves', default: false }),
  SANDBOX_GATEWAY_URL: optionalSetting(
    urlSetting({ description: 'The gateway that is told by webhooks; without it, nobody is', protocols: ['http', 'https'] }),
  ),
  SANDBOX_ESCROW_API_KEY: optionalSetting(textSetting({ description: 'The key the escrow provider accepts' })),
  SANDBOX_PAYMENT_USER: optionalSetting(textSetting({ description: 'The user the payment provider accepts' })),
  SANDBOX_PAYMENT_PASSWORD: optionalSetting(textSetting({ description: 'The password the payment provider accepts' })),
  ESCROW_WEBHOOK_SECRET: webhookSecret('Signs the escrow webhooks'),
  PAYMENT_WEBHOOK_SECRET: webhookSecret('Signs the payment webhooks'),
  LOG_LEVEL: choiceSetting(logLevels, { description: 'How much is logged', default: 'info' }),
});

export type Settings = z.output<typeof settings>;

/** Where real money is, nobody may play with it. */
export function refuseProduction(env: Environment): void {
  if (env['NODE_ENV'] === 'production') throw new ConfigError(['NODE_ENV is production, where a sandbox has no place']);
}

/** The options a lone sandbox starts with. */
export function optionsOf(config: Settings): Omit<SandboxOptions, 'log'> {
  const given = <T>(value: T | undefined, as: (value: T) => Partial<SandboxOptions>): Partial<SandboxOptions> =>
    value === undefined ? {} : as(value);
  return {
    host: config.SANDBOX_HOST,
    port: config.SANDBOX_PORT,
    isAutomatic: config.SANDBOX_AUTO,
    ...given(config.SANDBOX_DATA_DIR, (dataFolder) => ({ dataFolder })),
    ...given(config.SANDBOX_SEED, (seed) => ({ seed })),
    ...given(config.SANDBOX_ESCROW_API_KEY, (escrowApiKey) => ({ escrowApiKey })),
    ...given(config.SANDBOX_PAYMENT_USER, (paymentUser) => ({ paymentUser })),
    ...given(config.SANDBOX_PAYMENT_PASSWORD, (paymentPassword) => ({ paymentPassword })),
    ...given(config.SANDBOX_GATEWAY_URL, (gatewayUrl) => ({ webhooks: { gatewayUrl, ...secretsOf(config) } })),
  };
}

function secretsOf({ ESCROW_WEBHOOK_SECRET: escrowSecret, PAYMENT_WEBHOOK_SECRET: paymentSecret }: Settings) {
  return {
    ...(escrowSecret === undefined ? {} : { escrowSecret }),
    ...(paymentSecret === undefined ? {} : { paymentSecret }),
  };
}
