export { type SigningLimits, type Verification, verifyEnvelope } from './verify-envelope.js';
export {
  type CallExpectation,
  type Expectation,
  type ExpectedArguments,
  type ExpectedInvocation,
  type PaymentExpectation,
} from './expectation.js';
export {
  type ExpectedValue,
  absent,
  address,
  addressAmounts,
  anyBytes,
  bool,
  bytes,
  i128,
  string,
  struct,
  symbol,
  u32,
  vec,
} from './expected-values.js';
export { type Mismatch, compareText } from './mismatch.js';
