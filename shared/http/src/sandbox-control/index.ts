export * from './sandbox-control.js';
