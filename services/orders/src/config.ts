import { z } from 'zod';
import { amountSetting, durationMsSetting, serviceUrlSetting } from '@holdfast/service-host/config';
import { amountLimits } from '@holdfast/contracts/http';

export const settings = z.object({
  IDENTITY_URL: serviceUrlSetting('identity'),
  SETTLEMENT_TIMEOUT_MS: durationMsSetting({
    description: 'How long a request waits for its saga run to end. Then it gets 504, and the saga run continues.',
    default: 15_000,
    min: 10,
  }),
  ORDER_AMOUNT_MIN: amountSetting({ description: 'The smallest amount of an order.', default: amountLimits.order.min }),
  ORDER_AMOUNT_MAX: amountSetting({ description: 'The largest amount of an order.', default: amountLimits.order.max }),
  SAGA_ABORT_AFTER_MS: durationMsSetting({
    description:
      'Age at which a saga run is aborted, unless it has reached its point of no return. A multiple of SETTLEMENT_TIMEOUT_MS.',
    default: 600_000,
    min: 10,
  }),
  SAGA_STALLED_AFTER_MS: durationMsSetting({
    description:
      'Age at which an open saga run counts as stalled and its command is resent, then with doubled delays up to 15 minutes.',
    default: 30_000,
    min: 10,
  }),
});

export type Settings = z.output<typeof settings>;
