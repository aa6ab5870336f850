import { z } from 'zod';
import { countSetting, durationMsSetting, textSetting } from '@holdfast/process/config';
import { networksIn } from './providers/address-policy.js';

export const settings = z.object({
  EVENTS_HISTORY_DAYS: countSetting({
    description: 'Days for which events can be replayed, and webhook deliveries are listed.',
    default: 30,
    min: 1,
    max: 3_650,
  }),
  EVENTS_HISTORY_COUNT_MIN: countSetting({
    description: 'Number of newest events that are retained whatever their age.',
    default: 1_000_000,
    min: 0,
    max: 1_000_000_000,
  }),
  EVENTS_HELD_BACK_MS: durationMsSetting({
    description: 'Maximum time that an event is held back for its predecessor.',
    default: 2_000,
    max: 60_000,
  }),
  EVENTS_BATCH_DELAY_MS: durationMsSetting({
    description: 'Maximum delay of the oldest event before its batch is committed.',
    default: 20,
    min: 0,
    max: 1_000,
  }),
  EVENTS_POLL_EVERY_MS: durationMsSetting({
    description: 'Poll interval for new events, in case a notification was lost.',
    default: 1_000,
    max: 5_000,
  }),
  EVENTS_PING_EVERY_MS: durationMsSetting({
    description: 'Interval between pings on an open event stream.',
    default: 30_000,
    min: 100,
  }),
  EVENTS_CONNECTIONS_MAX: countSetting({
    description: 'Maximum number of open event streams of a process.',
    default: 20_000,
    min: 1,
    max: 1_000_000,
  }),
  EVENTS_CONNECTIONS_PER_KEY_MAX: countSetting({
    description: 'Maximum number of open event streams of an API key at a process.',
    default: 5_000,
    min: 1,
    max: 1_000_000,
  }),
  EVENTS_UNSENT_BYTES_MAX: countSetting({
    description: 'Unsent bytes at which a slow stream is disconnected.',
    default: 1_048_576,
    min: 65_536,
    max: 1_073_741_824,
  }),
  EVENTS_DRAIN_MS: durationMsSetting({
    description: 'Period over which a stopping process closes its event streams.',
    default: 2_000,
    max: 5_000,
  }),
  WEBHOOK_ENDPOINTS_MAX: countSetting({
    description: 'Maximum number of webhook endpoints of a marketplace.',
    default: 20,
    min: 1,
    max: 10_000,
  }),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: textSetting({
    description: 'Seconds between the attempts of a webhook delivery, separated by commas; n gaps make n + 1 attempts.',
    default: '5,300,1800,7200,18000,36000,50400,72000,86400',
    form: { expected: 'up to 50 numbers of seconds, separated by commas', isMet: (text) => gapsIn(text) !== undefined },
  }),
  WEBHOOK_ALLOWED_NETWORKS: textSetting({
    description:
      'Networks in CIDR notation, separated by commas, to which webhooks may be sent although they are not public, also without TLS.',
    default: '',
    form: { expected: 'networks such as 10.1.0.0/16, separated by commas', isMet: (text) => networksIn(text) !== undefined },
  }),
  WEBHOOK_DRAIN_MS: durationMsSetting({
    description: 'Time that webhook attempts in flight have when the process stops.',
    default: 5_000,
    min: 0,
    max: 20_000,
  }),
});

const gapsMax = 50;
const gapForm = /^\d{1,7}(\.\d{1,3})?$/;

/** The gaps of the retry schedule, in seconds. Undefined if one of them is malformed. */
export function gapsIn(text: string): readonly number[] | undefined {
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  return parts.length <= gapsMax && parts.every((part) => gapForm.test(part)) ? parts.map(Number) : undefined;
}

export type Settings = z.output<typeof settings>;
