import { admissionSettings, type AdmissionSettings } from '@holdfast/gateway';
import { readConfig, type Environment } from '@holdfast/process/config';

/** Enough for a person who tries the API with scripts. Every other way of running has the gateway's own default. */
const developmentRateLimitMax = 1_000;

/** Settings of services that `npm start` has unless they are set, for the same reason. */
export const developmentSettings = { LOGIN_ATTEMPTS_PER_ADDRESS_MAX: '1000' } as const;

/** The admission settings of `npm start`. */
export function readDevelopmentAdmission(env: Environment): AdmissionSettings {
  const isSet = (env['RATE_LIMIT_MAX'] ?? '').trim() !== '';
  return readConfig(admissionSettings, isSet ? env : { ...env, RATE_LIMIT_MAX: String(developmentRateLimitMax) });
}
