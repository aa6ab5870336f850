import { z } from 'zod';
import { apiPrefix, detailedHealth, platformConfig, type DetailedHealthView } from '@holdfast/contracts/http';
import type { Clock } from '@holdfast/kernel/context';
import { getJson, type JsonResponse } from '../get-json.js';
import { failed, ok, warning, type Check } from './check.js';

type Ours = { readonly root: string; readonly version: string; readonly clock: Clock };

const healthShape = z.object({ data: detailedHealth });
const configShape = z.object({ data: platformConfig });

/** What the platform says about itself, without a credential. */
export async function checkPlatform({ root, version, clock }: Ours): Promise<readonly Check[]> {
  const begin = performance.now();
  const response = await getJson(`${root}${apiPrefix}/health/detailed`).catch(reasonOf);
  if (typeof response === 'string')
    return [failed('api', `nothing responds at ${root}: ${response}`, 'Start it with "npm start", or correct --api.')];
  const health = healthShape.safeParse(response.body).data?.data;
  if (health === undefined)
    return [failed('api', `${root} responds with ${response.status}, and is not Holdfast`, 'Correct --api (HOLDFAST_API).')];
  return [
    ok('api', `${root} in ${Math.round(performance.now() - begin)} ms`),
    ofVersion(health.version, version),
    ofClock(response, clock.epochMs()),
    ...ofDependencies(health),
    ...health.warnings.map((text) => warning('platform', text, 'docs/operations/README.md says more.')),
    await ofProviders(root),
  ];
}

export function ofVersion(theirs: string, ours: string): Check {
  if (theirs === ours) return ok('version', ours);
  return failed('version', `the platform has ${theirs}, this program ${ours}`, 'Use the program of the same version.');
}

const skewMaxMs = 30_000;

/** Signatures of webhooks and time bounds of transactions fail when clocks differ. */
export function ofClock({ headers }: Pick<JsonResponse, 'headers'>, nowMs: number): Check {
  const theirsMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirsMs)) return warning('clock', 'the platform does not say its time', 'Compare the clocks yourself.');
  const skewMs = Math.abs(nowMs - theirsMs);
  const found = `differs by ${Math.round(skewMs / 1_000)} s`;
  return skewMs > skewMaxMs ? failed('clock', found, 'Let NTP set the clocks of both machines.') : ok('clock', found);
}

export function ofDependencies({ dependencies }: Pick<DetailedHealthView, 'dependencies'>): readonly Check[] {
  return Object.entries(dependencies).map(([name, { status, latencyMs, error }]) => {
    if (status === 'healthy') return ok(name, `healthy, ${latencyMs.toFixed(1)} ms`);
    const todo = 'Look at the log of the platform, and whether this service runs.';
    return (status === 'degraded' ? warning : failed)(name, `${status}: ${error ?? 'no reason given'}`, todo);
  });
}

async function ofProviders(root: string): Promise<Check> {
  const response = await getJson(`${root}${apiPrefix}/config`).catch(reasonOf);
  const config = typeof response === 'string' ? undefined : configShape.safeParse(response.body).data?.data;
  if (config === undefined) return warning('providers', 'the platform does not name them', 'Repeat the command.');
  const { payment, escrow, ledgerNetwork } = config.providers;
  return ok('providers', `payment ${payment}, escrow ${escrow}, ledger network ${ledgerNetwork}`);
}

const meShape = z.object({ data: z.looseObject({ scopes: z.array(z.string()).optional(), name: z.string().nullish() }) });

export async function checkKey(root: string, key: string): Promise<Check> {
  const response = await getJson(`${root}${apiPrefix}/auth/me`, { authorization: `Bearer ${key}` }).catch(reasonOf);
  if (typeof response === 'string') return failed('key', response, 'Repeat the command once the platform responds.');
  if (response.status !== 200)
    return failed('key', `refused with ${response.status}`, '"npm run key" prints the key of this folder.');
  const { data } = meShape.safeParse(response.body).data ?? {};
  return ok('key', `accepted; scopes ${data?.scopes?.join(', ') ?? 'unknown'}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
