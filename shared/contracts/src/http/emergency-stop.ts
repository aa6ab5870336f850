import { z } from 'zod';
import { freeText, instant, noBody, noParams, noQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

/** Internal routes of the `npm run emergency` command, and of the gateway's health page. */
const emergencyRoute = {
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  service: 'identity',
  path: '/internal/emergency-stop',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  errors: [],
} as const;

const person = freeText(textMax.title).min(1);
const reason = freeText(textMax.reason).min(1);

export const emergencyStop = z
  .object({
    isStopped: z.boolean().meta({ description: 'Nothing is signed and no payout is requested', example: false }),
    isStoppedBySetting: z.boolean().meta({
      description: 'The setting EMERGENCY_STOP of identity, which every service should share; it outlasts a resume',
      example: false,
    }),
    changedAt: instant.nullable().meta({ description: 'Null if the platform was never stopped' }),
    changedBy: z.string().nullable().meta({ example: 'Ada Lovelace' }),
    reason: z.string().nullable().meta({ example: 'a wallet key has leaked' }),
  })
  .meta({ id: 'EmergencyStop' });
export type EmergencyStopView = z.infer<typeof emergencyStop>;

export const getEmergencyStop = route({
  ...emergencyRoute,
  name: 'getEmergencyStop',
  method: 'get',
  summary: 'Get the emergency stop',
  body: noBody,
  success: { status: 200, data: emergencyStop },
});

export const setEmergencyStop = route({
  ...emergencyRoute,
  name: 'setEmergencyStop',
  method: 'post',
  summary: 'Stop signing and payouts, or resume them',
  body: z.strictObject({ isStopped: z.boolean(), by: person, reason }),
  success: { status: 200, data: emergencyStop },
});
