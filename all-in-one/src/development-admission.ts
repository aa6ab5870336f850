import { admissionSettings, type AdmissionSettings } from '@holdfast/gateway';
import { readConfig, type Environment } from '@holdfast/service-host/config';

/** Enough for a person who tries the API with scripts. Every other way of running has the gateway's own default. */
const developmentRateLimitMax = 1_000;

/** The admission settings of `npm start`. */
export function readDevelopmentAdmission(env: Environment): AdmissionSettings {
  const isSet = (env['RATE_LIMIT_MAX'] ?? '').trim() !== '';
  return readConfig(admissionSettings, isSet ? env : { ...env, RATE_LIMIT_MAX: String(developmentRateLimitMax) });
}
