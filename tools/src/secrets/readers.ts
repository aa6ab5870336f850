import type { SecretName, Secrets } from './kinds.js';

/** A container that reads secrets, and nothing but the files that are listed for it. */
export type SecretReader = {
  /** The user that its process runs as: the number in its image. */
  readonly user: number;
  readonly files: Readonly<Record<string, (secretOf: Secrets) => string>>;
};

const users = { node: 1_000, postgres: 999, rabbitmq: 999, grafana: 472, alertmanager: 65_534 } as const;

type TextOf = (secretOf: Secrets) => string;

const its =
  (name: SecretName): TextOf =>
  (secretOf) =>
    secretOf(name);
const amqpUrl: TextOf = (secretOf) => `amqp://holdfast:${secretOf('RABBITMQ_PASSWORD')}@rabbitmq:5672`;
const adminUrl: TextOf = (secretOf) => `postgres://holdfast_admin:${secretOf('POSTGRES_PASSWORD')}@postgres:5432/holdfast`;
const rabbitmqConf: TextOf = (secretOf) =>
  ['default_user = holdfast', `default_pass = ${secretOf('RABBITMQ_PASSWORD')}`, 'loopback_users = none'].join('\n');

const ofService = { INTERNAL_SECRET: its('INTERNAL_SECRET'), AMQP_URL: amqpUrl };

/**
 * The processes that read each secret. The login of the database's administrator goes to the migrations only: a process logs in as its own role, whose
 * password follows from INTERNAL_SECRET.
 */
export const secretReaders: Readonly<Record<string, SecretReader>> = {
  gateway: { user: users.node, files: { ...ofService, MASTER_KEY: its('MASTER_KEY') } },
  identity: { user: users.node, files: ofService },
  'ledger-balance': { user: users.node, files: ofService },
  orders: { user: users.node, files: ofService },
  'escrow-adapter': {
    user: users.node,
    files: {
      ...ofService,
      WALLET_MASTER_KEY: its('WALLET_MASTER_KEY'),
      TREASURY_SEED: its('TREASURY_SEED'),
      PLATFORM_SEED: its('PLATFORM_SEED'),
      ESCROW_PROVIDER_API_KEY: its('ESCROW_PROVIDER_API_KEY'),
      ESCROW_WEBHOOK_SECRET: its('ESCROW_WEBHOOK_SECRET'),
    },
  },
  payments: {
    user: users.node,
    files: {
      ...ofService,
      PAYMENT_PROVIDER_KEY: its('PAYMENT_PROVIDER_KEY'),
      PAYMENT_PROVIDER_SECRET: its('PAYMENT_PROVIDER_SECRET'),
      PAYMENT_WEBHOOK_SECRET: its('PAYMENT_WEBHOOK_SECRET'),
    },
  },
  notifications: { user: users.node, files: ofService },
  sandbox: {
    user: users.node,
    files: {
      SANDBOX_ESCROW_API_KEY: its('ESCROW_PROVIDER_API_KEY'),
      SANDBOX_PAYMENT_USER: its('PAYMENT_PROVIDER_KEY'),
      SANDBOX_PAYMENT_PASSWORD: its('PAYMENT_PROVIDER_SECRET'),
      ESCROW_WEBHOOK_SECRET: its('ESCROW_WEBHOOK_SECRET'),
      PAYMENT_WEBHOOK_SECRET: its('PAYMENT_WEBHOOK_SECRET'),
    },
  },
  // No key of the API, no wallet key: a person gives them to the command that needs them.
  operator: { user: users.node, files: ofService },
  migrate: { user: users.node, files: { INTERNAL_SECRET: its('INTERNAL_SECRET'), DATABASE_URL: adminUrl } },
  postgres: { user: users.postgres, files: { POSTGRES_PASSWORD: its('POSTGRES_PASSWORD') } },
  rabbitmq: { user: users.rabbitmq, files: { 'rabbitmq.conf': rabbitmqConf } },
  grafana: { user: users.grafana, files: { GRAFANA_PASSWORD: its('GRAFANA_PASSWORD') } },
  alertmanager: { user: users.alertmanager, files: { ALERT_WEBHOOK_URL: its('ALERT_WEBHOOK_URL') } },
};
