import { sandboxPassphrase, settlementTimeoutMsOf, variableName } from '@holdfast/process/config';

type SharedSetting = {
  /** Whether a process refuses to start beside one with another value, or only reports it. */
  readonly onDifference: 'refuse' | 'report';
  readonly isSecret?: true;
};

/** The settings that processes must have in common, wherever two of them read the same one. */
const sharedSettings = {
  // With another secret a process trusts no caller, and the passwords of the database roles follow from it.
  INTERNAL_SECRET: { onDifference: 'refuse', isSecret: true },
  // Money would be booked on one network and looked up on another.
  LEDGER_NETWORK_PASSPHRASE: { onDifference: 'refuse' },
  USDC_ISSUER: { onDifference: 'refuse' },
  TREASURY_SEED: { onDifference: 'refuse', isSecret: true },
  PLATFORM_SEED: { onDifference: 'refuse', isSecret: true },
  DEPOSIT_CREDITS: { onDifference: 'refuse' },
  // The service that begins a saga would abort runs that a participant still protects, or the reverse.
  SAGA_ABORT_AFTER_MS: { onDifference: 'refuse' },
  MASTER_KEY: { onDifference: 'report', isSecret: true },
  ACCOUNT_TOKEN_SECRETS: { onDifference: 'report', isSecret: true },
  ESCROW_WEBHOOK_SECRET: { onDifference: 'report', isSecret: true },
  PAYMENT_WEBHOOK_SECRET: { onDifference: 'report', isSecret: true },
  ORDER_AMOUNT_MIN: { onDifference: 'report' },
  ORDER_AMOUNT_MAX: { onDifference: 'report' },
  TOPUP_AMOUNT_MIN: { onDifference: 'report' },
  TOPUP_AMOUNT_MAX: { onDifference: 'report' },
  WITHDRAWAL_AMOUNT_MIN: { onDifference: 'report' },
  WITHDRAWAL_AMOUNT_MAX: { onDifference: 'report' },
  SAGA_RESOLVE_APPROVAL_AMOUNT: { onDifference: 'report' },
  ESCROW_CURRENCIES: { onDifference: 'report' },
  SETTLEMENT_TIMEOUT_MS: { onDifference: 'report' },
  SAGA_STALLED_AFTER_MS: { onDifference: 'report' },
  PROXY_TIMEOUT_MS: { onDifference: 'report' },
  PUBLIC_URL: { onDifference: 'report' },
  EMERGENCY_STOP: { onDifference: 'report' },
  RATE_LIMIT_MAX: { onDifference: 'report' },
  RATE_LIMIT_WINDOW_SECONDS: { onDifference: 'report' },
  RATE_LIMIT_STORE: { onDifference: 'report' },
  RATE_LIMIT_ROUTES: { onDifference: 'report' },
} as const satisfies Readonly<Record<string, SharedSetting>>;

const rules = new Map<string, SharedSetting>(Object.entries(sharedSettings));

export function sharedSettingNamed(name: string): SharedSetting | undefined {
  return rules.get(name);
}

export type SharedValues = Readonly<Record<string, string>>;

/** Those of the settings of a process that others may have, too, with the defaults that follow from other settings. */
export function sharedValuesOf(config: Readonly<Record<string, unknown>>): SharedValues {
  const named = new Map(Object.entries(config).map(([field, value]) => [variableName(field), value]));
  if (named.has('LEDGER_NETWORK_PASSPHRASE')) {
    const passphrase = named.get('LEDGER_NETWORK_PASSPHRASE') ?? sandboxPassphrase;
    named.set('LEDGER_NETWORK_PASSPHRASE', passphrase);
    if (named.has('SETTLEMENT_TIMEOUT_MS')) named.set('SETTLEMENT_TIMEOUT_MS', effectiveTimeoutMs(named));
  }
  const shared = [...named].filter(([name, value]) => rules.has(name) && value !== undefined);
  return Object.fromEntries(shared.map(([name, value]) => [name, String(value)]));
}

function effectiveTimeoutMs(named: ReadonlyMap<string, unknown>): number {
  const given = named.get('SETTLEMENT_TIMEOUT_MS');
  return settlementTimeoutMsOf({
    LEDGER_NETWORK_PASSPHRASE: String(named.get('LEDGER_NETWORK_PASSPHRASE')),
    ...(typeof given === 'number' ? { SETTLEMENT_TIMEOUT_MS: given } : {}),
  });
}
