export { type Scripted, type ScriptedNode, startScriptedNode } from './scripted-node.js';
export { requireEnvelope } from './require-envelope.js';
export * from './horizon-records.js';
