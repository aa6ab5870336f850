import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPrefix } from '@holdfast/contracts/http';
import type { RunOptions } from '../frame/benchmark.js';
import { startListening, type ListeningProcess } from '../servers/listening-process.js';
import { startNginx } from '../servers/nginx.js';
import { keyedPath, openPath } from './routes.js';
import type { GatewayTask } from './task.js';

/** An endpoint under test: its URL, the headers of its requests, and the process whose processor time is measured. */
export type GatewayEndpoint = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly freshHeader?: string;
};

export type GatewayEndpoints = { readonly all: readonly GatewayEndpoint[]; readonly nginxVersion: string };

export const direct = 'straight to the service';
export const complete = '… and a limit, counted in memory';

const standIn = fileURLToPath(new URL('../../dist/stand-in.js', import.meta.url));
const bareProxy = fileURLToPath(new URL('../../dist/proxy.js', import.meta.url));
const serveGateway = fileURLToPath(new URL('../../dist/serve-gateway.js', import.meta.url));
const masterKey = 'bench-only-master-key-0123456789abcdef';
const internalSecret = 'bench-only-internal-secret-0123456789';
/** So high that every request is counted and none is refused. */
const limit = 1_000_000;

/**
 * Each endpoint after the plain proxies runs one more middleware than the one before. The request and public settings decide which
 * middleware runs, so the gateway is the one of production.
 */
export async function openEndpoints(
  postgresUrl: string,
  { folder, onEnd }: Pick<RunOptions, 'folder' | 'onEnd'>,
): Promise<GatewayEndpoints> {
  const tracked = async <P extends ListeningProcess>(starting: Promise<P>): Promise<P> => {
    const started = await starting;
    onEnd(started.stop);
    return started;
  };
  const service = await tracked(startListening(standIn, []));
  const nginx = await tracked(startNginx(folder, service.url));
  const bare = await tracked(startListening(bareProxy, [service.url]));
  const gatewayWith = (own: Pick<GatewayTask, 'logLevel' | 'rateLimitMax' | 'rateLimitStore'>): Promise<ListeningProcess> => {
    const task: GatewayTask = { adminUrl: postgresUrl, serviceUrl: service.url, masterKey, internalSecret, ...own };
    const logFile = path.join(folder, `${own.logLevel}-${own.rateLimitStore}-${own.rateLimitMax}.log`);
    return tracked(startListening(serveGateway, [JSON.stringify(task)], logFile));
  };
  const silent = await gatewayWith({ logLevel: 'silent', rateLimitMax: 0, rateLimitStore: 'memory' });
  const logging = await gatewayWith({ logLevel: 'info', rateLimitMax: 0, rateLimitStore: 'memory' });
  const limited = await gatewayWith({ logLevel: 'info', rateLimitMax: limit, rateLimitStore: 'memory' });
  const shared = await gatewayWith({ logLevel: 'info', rateLimitMax: limit, rateLimitStore: 'postgres' });
  const open = { path: apiPrefix + openPath, headers: {} };
  const keyed = { path: apiPrefix + keyedPath, headers: { authorization: `Bearer ${masterKey}` } };
  const all: readonly GatewayEndpoint[] = [
    { name: direct, ...service, ...open },
    { name: 'nginx, a plain proxy', ...nginx, ...open },
    { name: 'a bare Node proxy', ...bare, ...open },
    { name: 'gateway: routes, body limit, security headers, forwarding', ...silent, ...open },
    { name: '… and a log line', ...logging, ...open },
    { name: '… and a key, its scope and a signed caller', ...logging, ...keyed },
    { name: complete, ...limited, ...keyed },
    { name: '… or counted in Postgres for all replicas', ...shared, ...keyed },
    { name: '… and an Idempotency-Key, kept in Postgres', ...limited, ...keyed, freshHeader: 'idempotency-key' },
  ];
  return { all, nginxVersion: nginx.version };
}
