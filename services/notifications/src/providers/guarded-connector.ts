import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { AttemptFailed, connectFailure } from './attempt-failed.js';
import type { ResolveName } from './resolve-name.js';

export type GuardedConnections = {
  readonly policy: AddressPolicy;
  readonly resolveName: ResolveName;
  /** Name, TCP and TLS together. */
  readonly connectMs: number;
  /** Certificate authorities in place of those that Node knows. */
  readonly ca?: string;
};

/**
 * Opens connections to permitted addresses only. The addresses are checked where the socket gets them, so that no second lookup can return
 * others. Names are checked in the socket's own lookup; IP addresses have no lookup, so they are checked right before.
 */
export function guardedConnector(options: GuardedConnections): buildConnector.connector {
  const connectors = new Map(['https:', 'http:'].map((protocol) => [protocol, connectorOf(protocol, options)]));
  return (target, callback) => {
    const { hostname, protocol } = target;
    const connect = connectors.get(protocol);
    const isRefused = isIP(hostname) !== 0 && !options.policy.permits(hostname, protocol);
    if (connect === undefined || isRefused) {
      queueMicrotask(() => callback(new AttemptFailed('BLOCKED_ADDRESS'), null));
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(connectFailure(error, protocol), null);
    });
  };
}

function connectorOf(protocol: string, { policy, resolveName, connectMs, ca }: GuardedConnections): buildConnector.connector {
  const permitted = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const addresses = await resolveName(hostname);
    if (!addresses.every((address) => policy.permits(address, protocol))) throw new AttemptFailed('BLOCKED_ADDRESS');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return buildConnector({
    lookup: lookupWith(permitted),
    timeout: connectMs,
    // Tries the addresses one after the other. Node's default of 250 ms for each is too short for another continent.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(minAttemptMs, Math.floor(connectMs / 4)),
    allowH2: false,
    // Spelled out, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
}

/** Node refuses less. */
const minAttemptMs = 10;

/** The form in which sockets want it: with `all` a list, else the first address. */
function lookupWith(resolve: (hostname: string) => Promise<readonly LookupAddress[]>): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true || first === undefined) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new AttemptFailed('DNS', { cause: error }), ''),
    );
  };
}
