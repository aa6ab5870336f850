import { z } from 'zod';
import {
  amountSetting,
  choicesSetting,
  durationMsSetting,
  durationSetting,
  emergencyStopSetting,
  serviceUrlSetting,
  settlementTimeoutSettings,
} from '@holdfast/process/config';
import { amountLimits } from '@holdfast/contracts/http';
import { currencies } from '@holdfast/kernel/money';

export const settings = z.object({
  IDENTITY_URL: serviceUrlSetting('identity'),
  LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
  ESCROW_ADAPTER_URL: serviceUrlSetting('escrow-adapter'),
  NOTIFICATIONS_URL: serviceUrlSetting('notifications'),
  ...settlementTimeoutSettings,
  EMERGENCY_STOP: emergencyStopSetting(),
  ORDER_AMOUNT_MIN: amountSetting({ description: 'The smallest amount of an order.', default: amountLimits.order.min }),
  ORDER_AMOUNT_MAX: amountSetting({ description: 'The largest amount of an order.', default: amountLimits.order.max }),
  ESCROW_CURRENCIES: choicesSetting(currencies, {
    description: 'The currencies of orders that the escrow contracts can hold; USD is held as USDC.',
    default: currencies,
  }),
  TIMER_GRACE: durationSetting({
    description:
      'After an outage of more than an hour, or after the stop that follows a restore, no timer pays out or refunds for this long. Reviews end later, so that people can object.',
    default: 'PT24H',
  }),
  SAGA_ABORT_AFTER_MS: durationMsSetting({
    description:
      'Age at which a saga run is aborted, unless it has reached its point of no return. A multiple of SETTLEMENT_TIMEOUT_MS.',
    default: 600_000,
    min: 10,
  }),
});

export type Settings = z.output<typeof settings>;
