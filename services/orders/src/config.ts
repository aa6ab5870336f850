import { amountSetting, durationMsSetting } from '@holdfast/shared/config';
import { amountLimits } from '@holdfast/shared/contracts/http';
import { serviceUrlSetting } from '@holdfast/shared/service-client';
import { z } from 'zod';

export const settings = z.object({
  IDENTITY_URL: serviceUrlSetting('identity'),
  SETTLEMENT_TIMEOUT_MS: durationMsSetting({
    description: 'How long a call waits for the end of what it began; then it is answered with 504, and the operation goes on.',
    default: 15_000,
    min: 10,
  }),
  ORDER_AMOUNT_MIN: amountSetting({ description: 'The smallest amount of an order.', default: amountLimits.order.min }),
  ORDER_AMOUNT_MAX: amountSetting({ description: 'The largest amount of an order.', default: amountLimits.order.max }),
  SAGA_REASK_AFTER_MS: durationMsSetting({
    description: 'How long a saga may stand still before the services it waits for are asked again.',
    default: 30_000,
    min: 10,
  }),
});

export type Settings = z.output<typeof settings>;
