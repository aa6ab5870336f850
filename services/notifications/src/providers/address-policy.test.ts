import { createAddressPolicy, networksIn } from './address-policy.js';

const publicOnly = createAddressPolicy([]);

describe('without allowed networks', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80e::200e', '::ffff:8.8.8.8'])(
    'https to %s is permitted, http is not',
    (address) => {
      expect(publicOnly.permits(address, 'https:')).toBe(true);
      expect(publicOnly.permits(address, 'http:')).toBe(false);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['unspecified', '::'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local, metadata of clouds', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fd00:ec2::254'],
    ['unique local', 'fc00::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking', '2001:2::1'],
    ['6to4 relay', '192.88.99.1'],
    ['6to4 of 127.0.0.1', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['NAT64 of 127.0.0.1', '64:ff9b::7f00:1'],
    ['NAT64 of 8.8.8.8', '64:ff9b::808:808'],
    ['local NAT64', '64:ff9b:1::1'],
    ['mapped 127.0.0.1', '::ffff:127.0.0.1'],
    ['mapped metadata', '::ffff:a9fe:a9fe'],
    ['translated 127.0.0.1', '::ffff:0:7f00:1'],
    ['compatible 127.0.0.1', '::127.0.0.1'],
    ['discard', '100::1'],
    ['not assigned', '4000::1'],
    ['not an address', 'localhost'],
    ['not an address', '127.1'],
    ['not an address', ''],
  ])('%s is refused: %s', (_, address) => {
    expect(publicOnly.permits(address, 'https:')).toBe(false);
    expect(publicOnly.permits(address, 'http:')).toBe(false);
  });
});

describe('with allowed networks', () => {
  const policy = createAddressPolicy(networksIn('127.0.0.0/8, ::1/128,fd00::/8') ?? []);

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'fd12::1', '::ffff:127.0.0.1'])('%s is permitted, with http too', (address) => {
    expect(policy.permits(address, 'http:')).toBe(true);
    expect(policy.permits(address, 'https:')).toBe(true);
  });

  it.each(['10.0.0.1', '::2', 'fe80::1', '::ffff:10.0.0.1'])('%s is still refused', (address) => {
    expect(policy.permits(address, 'https:')).toBe(false);
  });

  it('public addresses still need https', () => {
    expect(policy.permits('8.8.8.8', 'https:')).toBe(true);
    expect(policy.permits('8.8.8.8', 'http:')).toBe(false);
  });
});

describe('a list of networks', () => {
  it('may be empty', () => {
    expect(networksIn('')).toEqual([]);
  });

  it.each(['127.0.0.1', '127.0.0.0/33', '::1/129', '127.1/8', '10.0.0.0/', 'localhost/8', '10.0.0.0/8;::1/128', 'fe80::1%1/64'])(
    'is refused with %j',
    (text) => {
      expect(networksIn(text)).toBeUndefined();
    },
  );
});
