import { z } from 'zod';
import { countSetting, durationMsSetting, textSetting } from '@holdfast/process/config';
import { retryGapsIn } from './domain/retry-schedule.js';
import { networksIn } from './providers/address-policy.js';

export const settings = z.object({
  EVENTS_HISTORY_DAYS: countSetting({
    description: 'Days for which events can be replayed.',
    default: 7,
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
  WEBHOOK_ALLOWED_NETWORKS: textSetting({
    description:
      'Networks to which webhooks may be sent although they are not public, over http too; empty for none. `npm start` allows loopback outside of production.',
    default: '',
    lengthMax: 4_000,
    form: {
      expected: 'networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd00::/8',
      isMet: (text) => networksIn(text) !== undefined,
    },
  }),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: textSetting({
    description: 'The gaps between the attempts of a webhook; n gaps make n + 1 attempts.',
    default: '5,300,1800,7200,18000,36000,50400,72000,86400',
    form: {
      expected: 'up to 50 whole numbers of seconds, separated by commas, each at most 604800',
      isMet: (text) => retryGapsIn(text) !== undefined,
    },
  }),
  WEBHOOK_ENDPOINTS_MAX: countSetting({
    description: 'Maximum number of webhook endpoints of a marketplace.',
    default: 20,
    min: 1,
    max: 1_000,
  }),
});

export type Settings = z.output<typeof settings>;
