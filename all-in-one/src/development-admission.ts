import { admissionSettings, isLoopback, type AdmissionSettings } from '@holdfast/gateway';
import { isProduction, readConfig, type Environment } from '@holdfast/process/config';

/** Enough for a person who tries the API with scripts. Every other way of running has the gateway's own default. */
const developmentRateLimitMax = 1_000;

const loopback = '127.0.0.0/8,::1/128';

/**
 * Settings of services that `npm start` has unless they are set: for the same reason, and so that a developer can receive webhooks on
 * this machine. In production nothing but the public internet gets them.
 */
export function developmentSettings(env: Environment): Environment {
  const webhooks = isProduction(env) ? {} : { WEBHOOK_ALLOWED_NETWORKS: loopback };
  return { LOGIN_ATTEMPTS_PER_ADDRESS_MAX: '1000', ...webhooks };
}

/** The admission settings of `npm start`, which listens on `host`. In production a proxy may stand in front of a loopback address. */
export function readDevelopmentAdmission(env: Environment, host: string): AdmissionSettings {
  return readConfig(admissionSettings, {
    ...env,
    RATE_LIMIT_MAX: givenIn(env, 'RATE_LIMIT_MAX') ?? String(developmentRateLimitMax),
    OPERATOR_ROUTES: givenIn(env, 'OPERATOR_ROUTES') ?? (isLoopback(host) && !isProduction(env) ? 'on' : 'off'),
  });
}

function givenIn(env: Environment, name: string): string | undefined {
  const value = env[name] ?? '';
  return value.trim() === '' ? undefined : value;
}
