import { Keypair } from '@stellar/stellar-sdk';
import { signHash, signingKeyOf } from './ed25519.js';
import { masterKeys } from './master-keys.js';
import { platformKeys } from './platform-keys.js';
import { makeWalletKey, openWalletKey, rewrap } from './wallet-keys.js';

const first = masterKeys({ current: 'the first master key' });
const second = masterKeys({ current: 'the second master key', previous: 'the first master key' });

describe('the key of a wallet', () => {
  it('decrypts to the key of its address, whose signatures the SDK accepts', () => {
    const sealed = makeWalletKey(first, 'usr_1');
    const key = openWalletKey(first, sealed, 'usr_1');
    const hash = Buffer.alloc(32, 7);
    expect(key.address).toBe(sealed.address);
    expect(Keypair.fromPublicKey(key.address).verify(hash, signHash(key, hash))).toBe(true);
  });

  it('does not decrypt for another user, with another master key, or after tampering', () => {
    const sealed = makeWalletKey(first, 'usr_1');
    const tampered = Buffer.from(sealed.sealedSeed);
    tampered[20] = (tampered[20] ?? 0) ^ 1;
    expect(() => openWalletKey(first, sealed, 'usr_2')).toThrow();
    expect(() => openWalletKey(masterKeys({ current: 'another' }), sealed, 'usr_1')).toThrow(/not among/);
    expect(() => openWalletKey(first, { ...sealed, sealedSeed: tampered }, 'usr_1')).toThrow();
    const other = makeWalletKey(first, 'usr_2');
    expect(() => openWalletKey(first, { ...sealed, wrappedKey: other.wrappedKey }, 'usr_1')).toThrow();
  });

  it('differs for every wallet, and its master key id is a digest', () => {
    const [one, other] = [makeWalletKey(first, 'usr_1'), makeWalletKey(first, 'usr_1')];
    expect(one.address).not.toBe(other.address);
    expect(one.masterKeyId).toBe(first.currentId);
    expect(first.currentId).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is rewrapped by a rotation, after which the first master key does not decrypt it', () => {
    const sealed = makeWalletKey(first, 'usr_1');
    const rotated = rewrap(second, sealed, 'usr_1');
    expect(openWalletKey(second, sealed, 'usr_1').address).toBe(sealed.address);
    expect(openWalletKey(masterKeys({ current: 'the second master key' }), rotated, 'usr_1').address).toBe(sealed.address);
    expect(rotated.sealedSeed).toBe(sealed.sealedSeed);
    expect(() => openWalletKey(first, rotated, 'usr_1')).toThrow();
  });
});

describe('the keys of the platform', () => {
  it('are derived from two seeds deterministically', () => {
    const seeds = { treasurySeed: Keypair.random().secret(), platformSeed: Keypair.random().secret(), channelCount: 3 };
    const addresses = () => {
      const { treasury, channels, platform } = platformKeys(seeds);
      return [treasury, ...channels, platform].map(({ address }) => address);
    };
    expect(addresses()).toEqual(addresses());
    expect(new Set(addresses()).size).toBe(5);
    expect(addresses()[0]).toBe(Keypair.fromSecret(seeds.treasurySeed).publicKey());
  });

  it('are not derived from an invalid seed', () => {
    expect(() => signingKeyOf(Buffer.alloc(31))).toThrow(RangeError);
    expect(() => platformKeys({ treasurySeed: 'S', platformSeed: 'S', channelCount: 1 })).toThrow();
  });
});
