import { z } from 'zod';
import { message } from './message.js';

/** There is one emergency stop for the whole platform. */
export const emergencyStopId = 'platform';

export const emergencyStopChanged = message({
  version: 1,
  visibility: 'internal',
  aggregateType: 'EmergencyStop',
  publisher: 'identity',
  acknowledged: true,
  type: 'emergency_stop.changed',
  summary:
    'A person has stopped signing and payouts, or resumed them; the version of the aggregate says which change is the newest.',
  payload: z.strictObject({ isStopped: z.boolean() }),
});

export const emergencyStopMessages = [emergencyStopChanged] as const;
