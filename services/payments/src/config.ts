import { z } from 'zod';
import { amountLimits } from '@holdfast/contracts/http';
import {
  amountSetting,
  countSetting,
  durationMsSetting,
  emergencyStopSetting,
  optionalSetting,
  secretSetting,
  serviceUrlSetting,
  settlementTimeoutSettings,
  textSetting,
  urlSetting,
} from '@holdfast/process/config';
import { isWebhookSecret, secretsIn } from './http/webhook-signature.js';

export const settings = z
  .object({
    IDENTITY_URL: serviceUrlSetting('identity'),
    LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
    ESCROW_ADAPTER_URL: serviceUrlSetting('escrow-adapter'),
    EMERGENCY_STOP: emergencyStopSetting(),
    PUBLIC_URL: urlSetting({
      description: 'Address of the gateway for browsers. The payment provider redirects users there.',
      protocols: ['http', 'https'],
    }),
    PAYMENT_PROVIDER_URL: urlSetting({ description: 'Base URL of the payment provider.', protocols: ['http', 'https'] }),
    PAYMENT_PROVIDER_KEY: secretSetting({ description: 'API key of the payment provider.' }),
    PAYMENT_PROVIDER_SECRET: secretSetting({ description: 'API secret of the payment provider.' }),
    PAYMENT_PROVIDER_CALLS_PER_SECOND: optionalSetting(
      countSetting({
        description: 'Calls that the payment provider allows; 0 means no limit. By default 10 over https, no limit over http.',
        min: 0,
        max: 100_000,
      }),
    ),
    PAYMENT_WEBHOOK_SECRET: optionalSetting(
      secretSetting({
        description:
          'Verifies the signature of provider events: `whsec_` and base64, several separated by a space. Required in production.',
        prefix: 'whsec_',
      }),
    ),
    PAYIN_CONFIRMATION_MS: optionalSetting(
      countSetting({
        description:
          'Time within which the payment provider must confirm a pay-in that an event has reported; then it is a case, and holds the withdrawals of the user. 0 means no confirmation. By default 40000 over https, 0 over http.',
        min: 0,
        max: 60_000,
      }),
    ),
    TOPUP_AMOUNT_MIN: amountSetting({ description: 'The smallest amount of a top-up.', default: amountLimits.topup.min }),
    TOPUP_AMOUNT_MAX: amountSetting({ description: 'The largest amount of a top-up.', default: amountLimits.topup.max }),
    WITHDRAWAL_AMOUNT_MIN: amountSetting({
      description: 'The smallest amount of a withdrawal, unless it is the whole available balance.',
      default: amountLimits.withdrawal.min,
    }),
    WITHDRAWAL_AMOUNT_MAX: amountSetting({
      description: 'The largest amount of a withdrawal.',
      default: amountLimits.withdrawal.max,
    }),
    TOPUPS_PER_MINUTE_MAX: countSetting({
      description: 'Top-ups that one user may create in a minute; 0 means no limit.',
      default: 0,
      min: 0,
      max: 100_000,
    }),
    TOPUP_RETURN_URL: optionalSetting(
      urlSetting({
        description: 'Where browsers are redirected after a top-up that has no returnUrl. By default they see a page.',
        protocols: ['http', 'https'],
      }),
    ),
    TOPUP_CANCEL_URL: optionalSetting(
      urlSetting({
        description: 'Where browsers are redirected after a canceled or failed top-up that has no URLs.',
        protocols: ['http', 'https'],
      }),
    ),
    REDIRECT_HOSTS: optionalSetting(
      textSetting({
        description:
          'Hosts that the returnUrl and cancelUrl of a top-up may name, with their ports, separated by commas. By default any host.',
        lengthMax: 2_000,
      }),
    ),
    WITHDRAWALS_PER_MINUTE_MAX: countSetting({
      description: 'Withdrawals that one user may create in a minute; 0 means no limit.',
      default: 0,
      min: 0,
      max: 100_000,
    }),
    PAYOUTS_PER_HOUR_MAX: optionalSetting(
      amountSetting({
        description:
          'The largest sum of payouts through the payment provider within an hour; further ones wait. By default no limit.',
      }),
    ),
    PAYMENT_INTENTS_CONCURRENT_MAX: countSetting({
      description: 'Maximum number of intents that one process runs concurrently.',
      default: 64,
      min: 1,
      max: 1_000,
    }),
    RECONCILIATION_EVERY_MS: durationMsSetting({
      description: 'How often the journal is compared with the payment provider and the ledger network.',
      default: 3_600_000,
      min: 100,
    }),
    CASE_APPROVAL_AMOUNT: optionalSetting(
      amountSetting({
        description:
          'Above this amount a second credential must confirm how a reconciliation case is resolved. USDC counts as USD; cases in XLM, for which there is no rate, always need it.',
      }),
    ),
    SAGA_RESOLVE_APPROVAL_AMOUNT: optionalSetting(
      amountSetting({
        description:
          'Payments above this amount, in their currency, need two API keys to be resolved with `npm run sagas`. By default one is enough.',
      }),
    ),
    ...settlementTimeoutSettings,
    SAGA_ABORT_AFTER_MS: durationMsSetting({
      description:
        'Age at which a saga run is aborted, unless it has reached its point of no return. A multiple of SETTLEMENT_TIMEOUT_MS.',
      default: 600_000,
      min: 10,
    }),
    NODE_ENV: optionalSetting(textSetting({ description: 'In production secrets must be given, and long.', lengthMax: 50 })),
  })
  .superRefine(({ NODE_ENV, PAYMENT_WEBHOOK_SECRET }, issues) => {
    if (PAYMENT_WEBHOOK_SECRET !== undefined && !secretsIn(PAYMENT_WEBHOOK_SECRET).every(isWebhookSecret)) {
      issues.addIssue({
        code: 'custom',
        message: 'PAYMENT_WEBHOOK_SECRET must be whsec_ and base64; several secrets are separated by a space',
      });
    }
    if (NODE_ENV !== 'production' || PAYMENT_WEBHOOK_SECRET !== undefined) return;
    issues.addIssue({
      code: 'custom',
      message: 'PAYMENT_WEBHOOK_SECRET is missing; in production provider events must be signed',
    });
  });

export type Settings = z.output<typeof settings>;
