export { type Scripted, type ScriptedNode, startScriptedNode } from './scripted-node.js';
export { requireEnvelope } from './require-envelope.js';
export { contract, muxedWallet, stranger, wallet } from './horizon-records.js';
