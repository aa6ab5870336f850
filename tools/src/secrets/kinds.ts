import { randomBytes } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';

/** The secrets of an installation in containers, and how each is generated. */
export const secretKinds = {
  MASTER_KEY: () => `hk_master_${randomText()}`,
  INTERNAL_SECRET: randomText,
  WALLET_MASTER_KEY: randomText,
  TREASURY_SEED: () => Keypair.random().secret(),
  PLATFORM_SEED: () => Keypair.random().secret(),
  ESCROW_PROVIDER_API_KEY: randomText,
  ESCROW_WEBHOOK_SECRET: () => `esc_whsec_${randomText()}`,
  PAYMENT_PROVIDER_KEY: randomText,
  PAYMENT_PROVIDER_SECRET: randomText,
  PAYMENT_WEBHOOK_SECRET: () => `whsec_${randomBytes(secretBytes).toString('base64')}`,
  POSTGRES_PASSWORD: randomText,
  RABBITMQ_PASSWORD: randomText,
  GRAFANA_PASSWORD: randomText,
  // Others issue it, and it may contain a token. Until it is replaced, the log of Alertmanager says by this name what is missing.
  ALERT_WEBHOOK_URL: () => 'http://alert-webhook-url-is-not-set.invalid/',
} as const satisfies Readonly<Record<string, () => string>>;

export type SecretName = keyof typeof secretKinds;
/** The secrets of one installation by name. */
export type Secrets = (name: SecretName) => string;

const secretBytes = 32;

/** Hexadecimal, so that it needs no escaping in a URL or in a server's configuration. */
function randomText(): string {
  return randomBytes(secretBytes).toString('hex');
}

export function isSecretName(name: string): name is SecretName {
  return Object.hasOwn(secretKinds, name);
}

export function secretNames(): readonly SecretName[] {
  return Object.keys(secretKinds).filter(isSecretName);
}
