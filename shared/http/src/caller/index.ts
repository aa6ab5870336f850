export * from './caller-signer.js';
