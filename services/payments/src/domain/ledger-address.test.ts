import { isLedgerAddress } from './ledger-address.js';

const valid = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

it.each([valid, 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'])('accepts %s', (address) => {
  expect(isLedgerAddress(address)).toBe(true);
});

it.each([
  ['one changed character', valid.replace('A5Z', 'A5Y')],
  ['a wrong checksum', `${valid.slice(0, -1)}A`],
  ['a contract', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'],
  ['lower case', valid.toLowerCase()],
  ['a missing character', valid.slice(0, -1)],
  ['an added character', `${valid}A`],
  ['another alphabet', valid.replace('5', '1')],
  ['nothing', ''],
])('refuses %s', (_, address) => {
  expect(isLedgerAddress(address)).toBe(false);
});
