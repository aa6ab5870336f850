import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [Address, number];

/** Decides to which addresses webhooks may be sent. */
export type AddressPolicy = {
  /** `https:` may go to public addresses, and both protocols to the networks that the operator allows. */
  readonly permits: (address: string, protocol: string) => boolean;
};

export function createAddressPolicy(allowedNetworks: readonly Network[]): AddressPolicy {
  return {
    permits: (text, protocol) => {
      if (isIP(text) === 0) return false;
      // `process` reads ::ffff:127.0.0.1 as 127.0.0.1, because a connection to it goes there.
      const address = ipaddr.process(text);
      if (allowedNetworks.some((network) => isIn(address, network))) return true;
      return protocol === 'https:' && isPublic(address);
    },
  };
}

/** Networks in CIDR notation, separated by commas. Undefined if one of them is malformed. */
export function networksIn(text: string): readonly Network[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const networks = parts.filter((part) => part !== '').map(networkOf);
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

function networkOf(cidr: string): Network | undefined {
  const [address = '', bits = ''] = cidr.split('/');
  if (isIP(address) === 0 || address.includes('%') || !/^\d{1,3}$/.test(bits)) return undefined;
  return ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined;
}

/** All addresses that are routed on the internet; ranges that IANA assigns later are outside of it. */
const globalUnicast: Network = [ipaddr.parse('2000::'), 3];

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // ipaddr.js calls everything unicast that it does not know, such as ::127.0.0.1.
  return address.kind() === 'ipv4' || isIn(address, globalUnicast);
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
