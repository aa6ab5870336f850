import { z } from 'zod';
import {
  countSetting,
  durationMsSetting,
  durationSetting,
  emergencyStopSetting,
  optionalSetting,
  serviceUrlSetting,
  settlementTimeoutSettings,
  textSetting,
} from '@holdfast/process/config';

const secretLengthMin = 32;

/** The secrets in a setting that may contain several. */
export function secretsIn(text = ''): readonly string[] {
  return text.split(' ').filter((secret) => secret !== '');
}

export const settings = z.object({
  LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
  ORDERS_URL: serviceUrlSetting('orders'),
  ESCROW_ADAPTER_URL: serviceUrlSetting('escrow-adapter'),
  PAYMENTS_URL: serviceUrlSetting('payments'),
  EMERGENCY_STOP: emergencyStopSetting(),
  LOGIN_TOKEN_SECRETS: optionalSetting(
    textSetting({
      description:
        'Secrets of the tokens of the account API, separated by spaces: the first one signs, all of them verify. By default one that is derived from INTERNAL_SECRET, which always verifies, too.',
      isSecret: true,
      form: {
        expected: `secrets of at least ${secretLengthMin} characters each, separated by spaces`,
        isMet: (text) => secretsIn(text).every(({ length }) => length >= secretLengthMin),
      },
    }),
  ),
  LOGIN_TOKEN_SECONDS: countSetting({
    description: 'How long the token of a registration or a login is valid.',
    default: 86_400,
    min: 60,
    max: 2_592_000,
  }),
  LOGIN_ATTEMPTS_PER_ADDRESS_MAX: countSetting({
    description:
      'Registrations, and failed logins, that one address may attempt in 15 minutes. Raise it where many people share an address. `npm start` allows 1,000 unless it is set.',
    default: 100,
    min: 1,
    max: 1_000_000,
  }),
  DISPUTE_PERIOD_MIN: durationSetting({
    description:
      'The shortest period that a marketplace can set for its disputes. `npm start` and `npm run start:distributed` set PT1S with the sandbox.',
    default: 'PT1H',
  }),
  SETTLEMENT_TIMEOUT_MS: settlementTimeoutSettings.SETTLEMENT_TIMEOUT_MS,
  NODE_ENV: optionalSetting(textSetting({ description: 'In production there is no test clock.', lengthMax: 50 })),
  KEY_USES_FLUSH_EVERY_MS: durationMsSetting({
    description: 'Interval at which the last use of API keys is written to the database.',
    default: 5_000,
    min: 10,
  }),
  REFUSALS_PUBLISH_EVERY_MS: durationMsSetting({
    description: 'Interval at which refused credentials are published to the audit trail.',
    default: 15_000,
    min: 10,
  }),
});

export type Settings = z.output<typeof settings>;

/** The setting with the URL of each service. */
export const urlSettings = {
  'ledger-balance': 'LEDGER_BALANCE_URL',
  orders: 'ORDERS_URL',
  'escrow-adapter': 'ESCROW_ADAPTER_URL',
  payments: 'PAYMENTS_URL',
} as const;
